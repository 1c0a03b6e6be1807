// Counts what an operation costs before it runs: the values that it looks up, the fields of its response, the
// fields of the schema that it uses, and whether graphql-jit may compile it. `planOf` walks each operation
// once, and documents.ts caches the plan. `CostPlan.costOf` counts the values in the variables of a request.
// field-cost.ts has what each field of the schema costs.
//
// execute.ts compares the cost with the limits. If the cost is too low, one request can block the process
// (promises 10 and 14 of docs/promises.md). If the cost is too high, clients get errors for valid queries.
// The tests are cost.test.ts and limits.test.ts of test/graphql.

import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
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
import { costOf, definitionOf, type FieldCost, oneField } from './field-cost.ts'

export type Variables = Readonly<Record<string, unknown>>

export interface Cost {
  /** Values that are looked up, over all fields of the operation. */
  readonly values: number
  /** Fields of the response, at most: a value that matches nothing adds none. */
  readonly fields: number
}

export interface CostPlan {
  /** @param variables coerced, with defaults. @throws GraphQLError if a condition has no value */
  readonly costOf: (variables: Variables) => Cost
  /** Selections of the operation, fragments expanded. */
  readonly selections: number
  /** The estimated fields below `__schema`, `__type` and `_service`. `costOf` does not count them. */
  readonly introspection: number
  /** The fields of the schema that the operation uses, such as `User.rank`, whatever the conditions are. */
  readonly uses: readonly string[]
  /** Response keys of the root fields that look values up. */
  readonly lookupKeys: ReadonlySet<string>
  /** Fields that graphql-jit would compile; 0 if it must not. */
  readonly compiledFields: number
}

/** The fields of one object of the response, by their keys. */
type Selection = ReadonlyMap<string, FieldSelection>

interface FieldSelection {
  readonly node: FieldNode
  readonly declared: FieldCost
  readonly below: Selection | null
}

/** A node of the document, and the name of the type that it is on. */
interface TypedNode<Node> {
  readonly node: Node
  readonly type: string
}

/** An introspection by tools counts as up to 14,000 fields. It has 1,300: most types have no `ofType`. */
export const MAX_INTROSPECTION = 20_000
/**
 * Selections of a document, fragments expanded: nested fragments can double them from level to level. The
 * walk takes 2 ms, for an operation with conditions at each use.
 */
export const MAX_SELECTIONS = 10_000
/** Fields of an operation that is compiled. Compiling takes some 0.1 ms for each. */
const MAX_COMPILED_FIELDS = 200
/** Selections of such an operation: several may merge into one field. Compiling takes 1 us for each. */
const MAX_COMPILED_SELECTIONS = 2000

/**
 * @param maxSelections of the operation, fragments expanded
 * @throws GraphQLError if the operation has more of them, or asks for too much of the schema
 */
export function planOf(
  schema: GraphQLSchema,
  { definitions }: DocumentNode,
  operation: OperationDefinitionNode,
  maxSelections = MAX_SELECTIONS,
): CostPlan {
  const fragments = new Map(
    definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
  )
  const uses = new Set<string>()
  let selections = 0
  let size = 0
  let introspection = 0
  let isConditional = false
  let canCompile = true

  /**
   * Merges selection sets of one object of the response, as execution does, and counts them for the plan.
   * `costOf` calls this again if fields have conditions, for the selections that these variables include.
   * @param variables for @skip and @include; null includes everything
   */
  function select(sets: readonly TypedNode<SelectionSetNode>[], variables: Variables | null): Selection {
    const nodes = new Map<string, [TypedNode<FieldNode>, ...TypedNode<FieldNode>[]]>()
    const spread = new Set<string>()
    function add(set: SelectionSetNode, type: string): void {
      for (const selection of set.selections) {
        if (++selections > maxSelections) throw tooManySelections()
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
    for (const { node, type } of sets) add(node, type)
    return new Map([...nodes].map(([key, same]) => [key, fieldOf(key, same, variables)]))
  }

  /** @param same the nodes of one key, which execution merges into one field */
  function fieldOf(
    key: string,
    same: readonly [TypedNode<FieldNode>, ...TypedNode<FieldNode>[]],
    variables: Variables | null,
  ): FieldSelection {
    size++
    let declared = oneField
    let introspects = false
    const sets: TypedNode<SelectionSetNode>[] = []
    for (const { node, type } of same) {
      const name = node.name.value
      // graphql-jit drops the key `__proto__`, and variables in an object of the text.
      if (key === '__proto__' || node.arguments?.some(({ value }) => hasObject(value))) canCompile = false
      const field = definitionOf(schema, type, name)
      if (field === undefined) continue
      if (name === '__schema' || name === '__type' || name === '_service') introspects = true
      if (!type.startsWith('__')) uses.add(`${type}.${name}`)
      if (declared === oneField) declared = costOf(field, type)
      if (node.selectionSet !== undefined)
        sets.push({ node: node.selectionSet, type: getNamedType(field.type).name })
    }
    // For an item of several possible types, the fields of all types are counted.
    const below = sets.length === 0 ? null : select(sets, variables)
    const [{ node }] = same
    if (!introspects) return { node, declared, below }
    // An introspection is rare, and slow to compile.
    canCompile = false
    if (variables === null && below !== null) introspection += total(below, {}).fields
    return { node, declared, below: null }
  }

  // The walk starts here.
  const root = [{ node: operation.selectionSet, type: schema.getQueryType()?.name ?? '' }]
  const all = select(root, null)
  const allSelections = selections
  if (introspection > MAX_INTROSPECTION) throw tooMuchIntrospection()
  for (const { variable, defaultValue } of operation.variableDefinitions ?? [])
    if (variable.name.value === '__proto__' || hasObject(defaultValue)) canCompile = false
  const lookups = [...all].filter(([, { declared }]) => declared.list !== undefined || declared.values)
  const isShort = size <= MAX_COMPILED_FIELDS && allSelections <= MAX_COMPILED_SELECTIONS

  return {
    costOf: (variables) => {
      // Without conditions, every request has the same selections: no second walk.
      selections = 0
      return total(isConditional ? select(root, variables) : all, variables)
    },
    selections: allSelections,
    introspection,
    uses: [...uses],
    lookupKeys: new Set(lookups.map(([key]) => key)),
    // graphql-jit puts fields under a directive in another order.
    compiledFields: canCompile && !isConditional && isShort ? size : 0,
  }
}

function tooManySelections(): GraphQLError {
  const message = `The document has more than ${MAX_SELECTIONS} selections with its fragments. Split it.`
  return new GraphQLError(message, { extensions: { code: 'TOO_MANY_FIELDS' } })
}

/** A new error for each document, because `requestError` mutates it. */
export function tooMuchIntrospection(): GraphQLError {
  const message = `The request has more than ${MAX_INTROSPECTION} fields of the schema. Send several requests.`
  return new GraphQLError(message, { extensions: { code: 'TOO_MUCH_INTROSPECTION' } })
}

/** Adds up the cost of so many objects with these fields. */
function total(
  selection: Selection,
  variables: Variables,
  objects = 1,
  sum = { values: 0, fields: 0 },
): Cost {
  sum.fields += objects * selection.size
  for (const { node, declared, below } of selection.values()) {
    const { list, values = 0, items = 1 } = declared
    const length = list === undefined ? items : lengthOf(node, list, variables)
    sum.values += objects * (list === undefined ? values : length)
    if (below !== null) total(below, variables, objects * length, sum)
  }
  return sum
}

/** The number of values in an argument: a single value is a list of one. */
function lengthOf(node: FieldNode, list: string, variables: Variables): number {
  const value = node.arguments?.find(({ name }) => name.value === list)?.value
  if (value?.kind === Kind.LIST) return value.values.length
  if (value?.kind !== Kind.VARIABLE) return 1
  const given = variables[value.name.value]
  return Array.isArray(given) ? given.length : 1
}

/** Whether a literal contains an object. */
function hasObject(value: ValueNode | undefined): boolean {
  if (value?.kind === Kind.LIST) return value.values.some(hasObject)
  return value?.kind === Kind.OBJECT
}

/** Applies @skip and @include. @throws GraphQLError if a condition is neither true nor false */
function isIncluded(selection: SelectionNode, variables: Variables): boolean {
  if (!selection.directives?.length) return true
  return (
    getDirectiveValues(GraphQLSkipDirective, selection, variables)?.if !== true &&
    getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.if !== false
  )
}
