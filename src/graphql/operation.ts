// An operation, with what is computed once for it: its cost, the reader of its variables, and how it runs.
// graphql-js interprets it at first. After some uses, graphql-jit compiles it.

import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  execute as interpret,
  isEnumType,
  Kind,
  type OperationDefinitionNode,
  type TypeNode,
  type VariableDefinitionNode,
} from 'graphql'
import type { CompiledQuery } from 'graphql-jit'
import { lazily } from '../lazily.ts'
import type { ResolverContext } from './builder.ts'
import { type CostPlan, MAX_SELECTIONS, planOf, type Variables } from './cost.ts'

/** An operation of a valid document. */
export interface Operation {
  /** `null` if it has no name. */
  readonly name: string | null
  readonly plan: CostPlan
  readonly readVariables: ReadVariables
  /** @param variables coerced */
  readonly run: (context: ResolverContext, variables: Variables) => Promise<ExecutionResult> | ExecutionResult
}

/** Coerces variables and adds defaults, or returns what is wrong with them. */
type ReadVariables = (
  variables: Variables,
) =>
  | { readonly coerced: Variables; readonly errors?: never }
  | { readonly coerced?: never; readonly errors: readonly GraphQLError[] }

/** Returns the operations of a valid document. @throws GraphQLError if it is too large with its fragments */
export type ReadOperations = (document: DocumentNode) => readonly Operation[]

/** Errors of variables in a response. */
const MAX_ERRORS = 50

/**
 * @param hideSuggestions whether errors have no "Did you mean", which would name parts of the schema
 * @param compileOnUse the use at which an operation is compiled
 */
export function createOperations(
  schema: GraphQLSchema,
  hideSuggestions = false,
  compileOnUse = 3,
): ReadOperations {
  let compileQuery: typeof import('graphql-jit').compileQuery | null = null
  // graphql-jit takes some 50 ms to load, so the first responses do not wait for it.
  const load = lazily(async () => {
    compileQuery = (await import('graphql-jit')).compileQuery
  })
  /** Whether this iteration of the event loop has compiled an operation: a request has up to ten. */
  let hasCompiled = false

  function createRun(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    plan: CostPlan,
  ): Operation['run'] {
    const operationName = operation.name?.value
    const definitions = operation.variableDefinitions ?? []
    const nullable = definitions.filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE)
    let uses = plan.compiledFields > 0 ? 0 : Number.NEGATIVE_INFINITY
    let compiled: CompiledQuery['query'] | null = null

    function compile(): void {
      if (compileQuery === null) {
        load().catch(() => {}) // the next use tries again
        return
      }
      if (hasCompiled) return
      hasCompiled = true
      setImmediate(() => {
        hasCompiled = false
      })
      const made = compileQuery(schema, document, operationName)
      if ('query' in made) compiled = made.query
      // graphql-js always runs what graphql-jit cannot compile.
      else uses = Number.NEGATIVE_INFINITY
    }

    return (contextValue, variables) => {
      if (compiled === null && ++uses >= compileOnUse) compile()
      // graphql-js runs an operation with a null, because the messages of graphql-jit differ.
      if (compiled === null || nullable.some(({ variable }) => variables[variable.name.value] === null))
        return interpret({ schema, document, operationName, variableValues: variables, contextValue })
      return compiled(undefined, contextValue, variables)
    }
  }

  return (document) => {
    // Each operation may spread all fragments of the document.
    let selections = MAX_SELECTIONS
    return document.definitions.flatMap((definition) => {
      if (definition.kind !== Kind.OPERATION_DEFINITION) return []
      const plan = planOf(schema, document, definition, selections)
      selections -= plan.selections
      return {
        name: definition.name?.value ?? null,
        plan,
        readVariables: createVariableReader(schema, definition.variableDefinitions ?? [], hideSuggestions),
        run: createRun(document, definition, plan),
      }
    })
  }
}

/**
 * Makes an error of compiled code like one of graphql-js: a GraphQLError that can be changed. An error
 * without a cause means that a value does not fit its type.
 */
export function asInterpreted(error: GraphQLError): GraphQLError {
  const { message, nodes, path, originalError, locations } = error
  if (nodes !== undefined || path === undefined) return error
  const cause = originalError ?? new TypeError(message)
  return Object.assign(new GraphQLError(message, { path, originalError: cause }), { locations })
}

/** True if coercion returns the value unchanged. */
type IsPlain = (value: unknown) => boolean

/**
 * Coerces variables as graphql-js does. Strings and lists of strings stay as they are, so a check replaces
 * the coercion: the check saves 5 us of a request that takes 13 us, and 30 us for 100 ids.
 */
export function createVariableReader(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  hideSuggestions = false,
): ReadVariables {
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
        return getVariableValues(schema, definitions, variables, { maxErrors: MAX_ERRORS, hideSuggestions })
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
