// Variables of a request, read as graphql-js reads them. Nearly all are plain, strings and lists of strings,
// and come out as they go in; looking them over costs a tenth of what reading them does.

import {
  type GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  isEnumType,
  Kind,
  type TypeNode,
  type VariableDefinitionNode,
} from 'graphql'

type Variables = Readonly<Record<string, unknown>>

/** Reads variables: coerced, with defaults, or what is wrong with them. */
export type ReadVariables = (variables: Variables) => Coerced

type Coerced =
  | { readonly coerced: Variables; readonly errors?: never }
  | { readonly coerced?: never; readonly errors: readonly GraphQLError[] }

/** So many wrong values are enough to read about. */
const MAX_ERRORS = 50

/** Whether graphql-js would make of a value that very value. */
type IsPlain = (value: unknown) => boolean

/**
 * Prepares the reading of one operation's variables.
 * @param hideSuggestions whether errors name no value of an enum that is like a wrong one
 */
export function createVariableReader(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  hideSuggestions = false,
): ReadVariables {
  const options = { maxErrors: MAX_ERRORS, hideSuggestions }
  const checks = definitions.map(({ variable, type }): [name: string, isPlain: IsPlain] => {
    const name = variable.name.value
    // A name that objects have a meaning for cannot be copied.
    return [name, name === '__proto__' ? never : plainness(schema, type)]
  })
  return (variables) => {
    const plain: Record<string, unknown> = {}
    for (const [name, isPlain] of checks) {
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined
      if (!isPlain(value)) return getVariableValues(schema, definitions, variables, options)
      plain[name] = value
    }
    return { coerced: plain }
  }
}

const never: IsPlain = () => false

function plainness(schema: GraphQLSchema, node: TypeNode): IsPlain {
  if (node.kind === Kind.NON_NULL_TYPE) {
    const isPlain = plainness(schema, node.type)
    return (value) => value !== null && isPlain(value)
  }
  if (node.kind === Kind.LIST_TYPE) {
    const isPlain = plainness(schema, node.type)
    return (value) => value === null || (Array.isArray(value) && value.every(isPlain))
  }
  const name = node.name.value
  if (name === 'String' || name === 'ID') return (value) => value === null || typeof value === 'string'
  // Representations may be anything, and come out as they go in: graphql-js takes 1 µs for each.
  if (name === '_Any') return () => true
  const type = schema.getType(name)
  if (!isEnumType(type)) return never
  return (value) => value === null || (typeof value === 'string' && type.getValue(value)?.value === value)
}
