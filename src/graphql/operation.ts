// An operation, and all that is found out of it once: its cost, how to read its variables, and how it runs.
// graphql-js interprets it at first. Once it is used often, it runs by code that graphql-jit compiles.

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
import type { RequestContext } from './builder.ts'
import { MAX_COMPILED_FIELDS, MAX_SELECTIONS, type Plan, planOf, type Variables } from './cost.ts'
import { createVariableReader, type ReadVariables } from './variables.ts'

/** An operation of a valid document. */
export interface Operation {
  /** `null` if it has no name. */
  readonly name: string | null
  readonly plan: Plan
  readonly readVariables: ReadVariables
  /** Errors of compiled code have no nodes: see `locate`. @param variables coerced */
  readonly run: (context: RequestContext, variables: Variables) => Promise<ExecutionResult> | ExecutionResult
}

/** Returns the operations of a valid document. @throws GraphQLError if one asks for too much of the schema */
export type ReadOperations = (document: DocumentNode) => readonly Operation[]

interface Options {
  /** Whether errors name nothing of the schema that the client has not named. */
  readonly hideSuggestions?: boolean | undefined
  /** The use at which an operation is compiled. */
  readonly compileOnUse?: number | undefined
}

export function createOperations(
  schema: GraphQLSchema,
  { hideSuggestions = false, compileOnUse = 3 }: Options,
): ReadOperations {
  let compileQuery: typeof import('graphql-jit').compileQuery | null = null
  /** Fields that may still be compiled in this turn: a batch may have ten operations to compile. */
  let fieldsLeft = MAX_COMPILED_FIELDS
  // graphql-jit takes some 50 ms to load, so the first responses do not wait for it.
  const load = lazily(async () => {
    compileQuery = (await import('graphql-jit')).compileQuery
  })

  function createRun(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    plan: Plan,
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
      // graphql-js runs for good what graphql-jit cannot compile.
      else uses = Number.NEGATIVE_INFINITY
    }

    return (contextValue, variables) => {
      if (compiled === null && ++uses >= compileOnUse) {
        if (compileQuery === null)
          load().catch(() => {}) // the next use tries again
        else if (plan.compiledFields <= fieldsLeft) compile()
      }
      // A null goes to graphql-js, because graphql-jit words its errors otherwise.
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

/** Makes of an error of compiled code what graphql-js would have made: with locations, and with a cause. */
export function locate(error: GraphQLError, { nodesAt }: Plan): GraphQLError {
  const { message, nodes, path, originalError } = error
  if (nodes !== undefined || path === undefined) return error
  // An error without a cause is about a value that its type cannot have.
  const cause = originalError ?? new TypeError(message)
  return new GraphQLError(message, { nodes: nodesAt(path), path, originalError: cause })
}
