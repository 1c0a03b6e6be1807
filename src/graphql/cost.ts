// What an operation asks for, counted before it runs: the work that a query makes is bounded, not only its
// text.

import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  getNullableType,
  isListType,
  Kind,
  type OperationDefinitionNode,
} from 'graphql'
import { factsOf, isIntrospection } from './facts.ts'
import { createSelect, type Select, setsBelow } from './selections.ts'

type Variables = Readonly<Record<string, unknown>>

export interface Cost {
  /** Values that are looked up, over all fields of the operation. */
  readonly values: number
  /** Fields of the response: at most these, where some values match nothing. */
  readonly fields: number
}

/** @param variables coerced, with defaults */
export type CountCost = (variables: Variables) => Cost

/** A root field, whatever asks for it. */
interface Root {
  /** The argument that lists what it looks up; `undefined` where it looks up one value, or none. */
  readonly list: ArgumentNode | undefined
  /** Whether it looks anything up: what has no arguments does not. */
  readonly looksUp: boolean
  /** Fields of each item of its answer; 0 for an introspection, which `limits.ts` bounds. */
  readonly width: number
}

/** Prepares the counting for a valid operation. */
export function createCounter(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): CountCost {
  const { fragments, hasDirectives } = factsOf(document)
  const rootsFor = (variables: Variables) => rootsOf(schema, operation, createSelect(fragments, variables))
  // Only conditions make the selection depend on the variables.
  const fixed = hasDirectives ? null : rootsFor({})

  return (variables) => {
    let values = 0
    let fields = 0
    for (const root of fixed ?? rootsFor(variables)) {
      const length = lengthOf(root, variables)
      if (root.looksUp) values += length
      fields += 1 + length * root.width
    }
    return { values, fields }
  }
}

function rootsOf(schema: GraphQLSchema, { selectionSet }: OperationDefinitionNode, select: Select): Root[] {
  const declared = schema.getQueryType()?.getFields() ?? {}
  const roots: Root[] = []
  for (const nodes of select([selectionSet]).values()) {
    const [first] = nodes
    if (first === undefined) continue
    const name = first.name.value
    const { args = [] } = declared[name] ?? {}
    const lists = args.filter(({ type }) => isListType(getNullableType(type)))
    const list = first.arguments?.find((argument) => lists.some((one) => one.name === argument.name.value))
    const width = isIntrospection(name) ? 0 : widthOf(nodes, select)
    roots.push({ list, looksUp: args.length > 0, width })
  }
  return roots
}

/**
 * Fields below a field, for each item of its list. No type of the data has lists of its own. An item that may
 * be of several types is counted as if it had the fields of all of them.
 */
function widthOf(nodes: readonly FieldNode[], select: Select): number {
  let width = 0
  for (const below of select(setsBelow(nodes)).values()) width += 1 + widthOf(below, select)
  return width
}

/** How many items the answer to a root field has: of a look-up, that is how many values it looks up. */
function lengthOf({ list }: Root, variables: Variables): number {
  if (list === undefined) return 1
  const { value } = list
  if (value.kind === Kind.LIST) return value.values.length
  if (value.kind !== Kind.VARIABLE) return 1
  const given = variables[value.name.value]
  return Array.isArray(given) ? given.length : 1
}

/** The response keys of the root fields that look values up, whatever the conditions are. */
export function lookupKeysOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
): ReadonlySet<string> {
  const declared = schema.getQueryType()?.getFields() ?? {}
  const selected = createSelect(factsOf(document).fragments, null)([selectionSet])
  const lookups = [...selected].filter(([, [node]]) => declared[node?.name.value ?? '']?.args.length)
  return new Set(lookups.map(([key]) => key))
}
