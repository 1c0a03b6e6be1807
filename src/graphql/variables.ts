// Coerces the variables of a request as graphql-js does. Strings and lists of strings stay as they are, so a
// check replaces the coercion: it saves 5 us of a request that takes 13 us, and 30 us for 100 ids.

import {
  type GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  isEnumType,
  Kind,
  type TypeNode,
  type VariableDefinitionNode,
} from 'graphql'
import type { Variables } from './cost.ts'

/** Coerces variables and adds defaults, or returns what is wrong with them. */
export type ReadVariables = (
  variables: Variables,
) =>
  | { readonly coerced: Variables; readonly errors?: never }
  | { readonly coerced?: never; readonly errors: readonly GraphQLError[] }

const MAX_ERRORS = 50

/** True if coercion returns the value unchanged. */
type IsPlain = (value: unknown) => boolean

/** @param hideSuggestions whether errors name no value of an enum that is like a wrong one */
export function createVariableReader(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  hideSuggestions = false,
): ReadVariables {
  const options = { maxErrors: MAX_ERRORS, hideSuggestions }
  const checks = definitions.map(({ variable, type }): [name: string, isPlain: IsPlain] => {
    const name = variable.name.value
    // The assignment below would set the prototype.
    return [name, name === '__proto__' ? () => false : plainness(schema, type)]
  })
  return (variables) => {
    const plain: Record<string, unknown> = {}
    for (const [name, isPlain] of checks) {
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined
      // A missing variable may have a default.
      if (value === undefined || !isPlain(value))
        return getVariableValues(schema, definitions, variables, options)
      plain[name] = value
    }
    return { coerced: plain }
  }
}

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
  // A representation of an entity may be any value.
  if (name === '_Any') return () => true
  const type = schema.getType(name)
  if (!isEnumType(type)) return () => false
  return (value) => value === null || (typeof value === 'string' && type.getValue(value)?.value === value)
}
