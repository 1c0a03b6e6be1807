// An operation, with what is computed once for it: its cost, the reader of its variables, and how it runs.
// graphql-js interprets it at first. After some uses, graphql-jit compiles it.

import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  execute as interpret,
  Kind,
  type OperationDefinitionNode,
} from 'graphql'
import type { CompiledQuery } from 'graphql-jit'
import { lazily } from '../lazily.ts'
import type { ResolverContext } from './builder.ts'
import { type CostPlan, MAX_COMPILED_FIELDS, MAX_SELECTIONS, planOf, type Variables } from './cost.ts'
import { createVariableReader, type ReadVariables } from './variables.ts'

/** An operation of a valid document. */
export interface Operation {
  /** `null` if it has no name. */
  readonly name: string | null
  readonly plan: CostPlan
  readonly readVariables: ReadVariables
  /** `locate` adds the nodes that errors of compiled code lack. @param variables coerced */
  readonly run: (context: ResolverContext, variables: Variables) => Promise<ExecutionResult> | ExecutionResult
}

/** Returns the operations of a valid document. @throws GraphQLError if it is too large with its fragments */
export type ReadOperations = (document: DocumentNode) => readonly Operation[]

interface OperationOptions {
  /** Whether errors have no "Did you mean", which would name parts of the schema. */
  readonly hideSuggestions?: boolean | undefined
  /** The use at which an operation is compiled. */
  readonly compileOnUse?: number | undefined
}

export function createOperations(
  schema: GraphQLSchema,
  { hideSuggestions = false, compileOnUse = 3 }: OperationOptions,
): ReadOperations {
  let compileQuery: typeof import('graphql-jit').compileQuery | null = null
  /**
   * Fields that may still be compiled in this iteration of the event loop: a request has up to ten
   * operations.
   */
  let fieldsLeft = MAX_COMPILED_FIELDS
  // graphql-jit takes some 50 ms to load, so the first responses do not wait for it.
  const load = lazily(async () => {
    compileQuery = (await import('graphql-jit')).compileQuery
  })

  function createRun(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    plan: CostPlan,
  ): Operation['run'] {
    const operationName = operation.name?.value
    const nullable = nullableVariables(operation)
    let uses = plan.compiledFields > 0 ? 0 : Number.NEGATIVE_INFINITY
    let compiled: CompiledQuery['query'] | null = null

    function compile(): void {
      if (fieldsLeft === MAX_COMPILED_FIELDS)
        setImmediate(() => {
          fieldsLeft = MAX_COMPILED_FIELDS
        })
      fieldsLeft -= plan.compiledFields
      const made = compileQuery?.(schema, document, operationName)
      if (made !== undefined && 'query' in made) compiled = made.query
      // graphql-js always runs what graphql-jit cannot compile.
      else uses = Number.NEGATIVE_INFINITY
    }

    return (contextValue, variables) => {
      if (compiled === null && ++uses >= compileOnUse) {
        if (compileQuery === null)
          load().catch(() => {}) // the next use tries again
        else if (plan.compiledFields <= fieldsLeft) compile()
      }
      // graphql-js runs an operation with a null, because the messages of graphql-jit differ.
      if (compiled === null || nullable.some((name) => variables[name] === null))
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
      const readVariables = createVariableReader(
        schema,
        definition.variableDefinitions ?? [],
        hideSuggestions,
      )
      const name = definition.name?.value ?? null
      return [{ name, plan, readVariables, run: createRun(document, definition, plan) }]
    })
  }
}

function nullableVariables({ variableDefinitions = [] }: OperationDefinitionNode): string[] {
  const nullable = variableDefinitions.filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE)
  return nullable.map(({ variable }) => variable.name.value)
}

/** Adds locations and a cause to an error of compiled code, as graphql-js has them. */
export function locate(error: GraphQLError, { nodesAt }: CostPlan): GraphQLError {
  const { message, nodes, path, originalError } = error
  if (nodes !== undefined || path === undefined) return error
  // An error without a cause means that a value does not fit its type.
  const cause = originalError ?? new TypeError(message)
  return new GraphQLError(message, { nodes: nodesAt(path), path, originalError: cause })
}
