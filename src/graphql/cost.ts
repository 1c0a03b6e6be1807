// One walk of an operation finds out all that has to be known before it runs: the values that it looks up,
// the fields of its response, the fields of the schema that it uses, and whether graphql-jit can compile it.

import {
  type DocumentNode,
  type FieldNode,
  GraphQLIncludeDirective,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'
import { type FieldCost, fieldsOf, itself } from './field-cost.ts'

type Variables = Readonly<Record<string, unknown>>

export interface Cost {
  /** Values that are looked up, over all fields of the operation. */
  readonly values: number
  /** Fields of the response, at most: a value that matches nothing has none. */
  readonly fields: number
}

export interface Plan {
  /** @param variables coerced, with defaults. @throws GraphQLError if a condition has no value */
  readonly costOf: (variables: Variables) => Cost
  /** The fields of the schema that the operation uses, such as `User.rank`, whatever the conditions are. */
  readonly uses: readonly string[]
  /** Whether it asks for the schema. */
  readonly introspects: boolean
  /** Response keys of the root fields that look values up. */
  readonly lookupKeys: ReadonlySet<string>
  /** Fields that graphql-jit would compile; 0 if it must not. */
  readonly compiledFields: number
  /** The field nodes of a place in the response. */
  readonly nodesAt: (path: readonly (string | number)[]) => readonly FieldNode[]
}

/** The fields of one object of the response. */
interface Selection {
  readonly byKey: ReadonlyMap<string, Field>
  /** The fields of `byKey` that cost more than one field. */
  readonly dear: readonly Field[]
}

interface Field {
  readonly nodes: readonly FieldNode[]
  readonly declared: FieldCost
  readonly below: Selection
}

/** Fields of an operation that is compiled. Compiling takes some 0.1 ms for each. */
const MAX_COMPILED_FIELDS = 200

export function planOf(
  schema: GraphQLSchema,
  { definitions }: DocumentNode,
  operation: OperationDefinitionNode,
): Plan {
  const fragments = new Map(
    definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
  )
  const uses = new Set<string>()
  let size = 0
  let isConditional = false
  let canCompile = true

  /** @param variables `null` selects whatever the conditions are */
  function select(parents: readonly Parent[], variables: Variables | null): Selection {
    const nodes = new Map<string, { node: FieldNode; type: string }[]>()
    const spread = new Set<string>()
    function add({ selections }: SelectionSetNode, type: string): void {
      for (const selection of selections) {
        if (selection.directives?.length) isConditional = true
        if (variables !== null && !isIncluded(selection, variables)) continue
        if (selection.kind === Kind.FIELD) {
          const key = selection.alias?.value ?? selection.name.value
          const same = nodes.get(key)
          if (same === undefined) nodes.set(key, [{ node: selection, type }])
          else same.push({ node: selection, type })
        } else if (selection.kind === Kind.INLINE_FRAGMENT) {
          add(selection.selectionSet, selection.typeCondition?.name.value ?? type)
        } else {
          const fragment = fragments.get(selection.name.value)
          // Execution, too, spreads a fragment once for each object.
          if (fragment === undefined || spread.has(fragment.name.value)) continue
          spread.add(fragment.name.value)
          add(fragment.selectionSet, fragment.typeCondition.name.value)
        }
      }
    }
    for (const { set, type } of parents) add(set, type)
    const byKey = new Map([...nodes].map(([key, same]) => [key, fieldOf(key, same, variables)]))
    return { byKey, dear: [...byKey.values()].filter(isDear) }
  }

  function fieldOf(
    key: string,
    same: readonly { node: FieldNode; type: string }[],
    variables: Variables | null,
  ): Field {
    size++
    let declared = itself
    const parents: Parent[] = []
    for (const { node, type } of same) {
      const name = node.name.value
      // The compiled code loses what is called `__proto__`, and the variables in an object of the text.
      if (key === '__proto__' || node.arguments?.some(({ value }) => hasObject(value))) canCompile = false
      if (name === '__typename') continue
      uses.add(`${type}.${name}`)
      // Introspection is rare, and much to compile. Its size has a limit of its own.
      if (name === '__schema' || name === '__type') {
        canCompile = false
        continue
      }
      const field = fieldsOf(schema, type)?.[name]
      if (field === undefined) continue
      declared = field.extensions.cost ?? declared
      if (node.selectionSet !== undefined)
        parents.push({ set: node.selectionSet, type: getNamedType(field.type).name })
    }
    // An item of several possible types is counted as if it had the fields of all of them.
    const below = parents.length === 0 ? nothing : select(parents, variables)
    return { nodes: same.map(({ node }) => node), declared, below }
  }

  const root = [{ set: operation.selectionSet, type: schema.getQueryType()?.name ?? '' }]
  const all = select(root, null)
  for (const { variable, defaultValue } of operation.variableDefinitions ?? [])
    if (variable.name.value === '__proto__' || hasObject(defaultValue)) canCompile = false
  const lookups = [...all.byKey].filter(([, { declared }]) => declared.list !== undefined || declared.values)

  return {
    costOf: (variables) => {
      const total = { values: 0, fields: 0 }
      addCost(total, isConditional ? select(root, variables) : all, 1, variables)
      return total
    },
    uses: [...uses],
    introspects: ['Query.__schema', 'Query.__type', 'Query._service'].some((name) => uses.has(name)),
    lookupKeys: new Set(lookups.map(([key]) => key)),
    // graphql-jit puts fields under a directive in another order.
    compiledFields: canCompile && !isConditional && size <= MAX_COMPILED_FIELDS ? size : 0,
    nodesAt: (path) => {
      let field: Field | undefined
      for (const key of path)
        if (typeof key === 'string') field = (field === undefined ? all : field.below).byKey.get(key)
      return field?.nodes ?? []
    },
  }
}

/** A selection set, and the name of the type that it is on. */
interface Parent {
  readonly set: SelectionSetNode
  readonly type: string
}

const nothing: Selection = { byKey: new Map(), dear: [] }

const isDear = ({ declared, below }: Field) => declared !== itself || below !== nothing

function addCost(
  total: { values: number; fields: number },
  selection: Selection,
  objects: number,
  variables: Variables,
): void {
  total.fields += objects * selection.byKey.size
  for (const { nodes, declared, below } of selection.dear) {
    const { list, values = 0, items = 1 } = declared
    const length = list === undefined ? items : lengthOf(nodes[0], list, variables)
    total.values += objects * (list === undefined ? values : length)
    addCost(total, below, objects * length, variables)
  }
}

/** The number of values in an argument: a single value is a list of one. */
function lengthOf(node: FieldNode | undefined, list: string, variables: Variables): number {
  const value = node?.arguments?.find(({ name }) => name.value === list)?.value
  if (value?.kind === Kind.LIST) return value.values.length
  if (value?.kind !== Kind.VARIABLE) return 1
  const given = variables[value.name.value]
  return Array.isArray(given) ? given.length : 1
}

/** Whether a value in the text has an object. */
function hasObject(value: ValueNode | undefined): boolean {
  if (value?.kind === Kind.LIST) return value.values.some(hasObject)
  return value?.kind === Kind.OBJECT
}

/** Whether a selection is asked for. @throws GraphQLError if a condition is neither true nor false */
function isIncluded(selection: SelectionNode, variables: Variables): boolean {
  if (!selection.directives?.length) return true
  return (
    getDirectiveValues(GraphQLSkipDirective, selection, variables)?.if !== true &&
    getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.if !== false
  )
}
