// Runs an operation: by graphql-js at first, and by code that graphql-jit compiles once it is used often.

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
import type { Plan } from './cost.ts'

/** @param variables coerced */
export type RunOperation = (
  context: RequestContext,
  variables: Readonly<Record<string, unknown>>,
) => Promise<ExecutionResult>

/** @param onUse the use at which an operation is compiled */
export function createRunner(schema: GraphQLSchema, onUse: number) {
  let compileQuery: typeof import('graphql-jit').compileQuery | null = null
  // graphql-jit takes some 50 ms to load, so the first responses do not wait for it.
  const load = lazily(async () => {
    compileQuery = (await import('graphql-jit')).compileQuery
  })

  return (document: DocumentNode, operation: OperationDefinitionNode, plan: Plan): RunOperation => {
    const operationName = operation.name?.value
    const nullable = nullableVariables(operation)
    let uses = plan.compiledFields > 0 ? 0 : Number.NEGATIVE_INFINITY
    let compiled: CompiledQuery['query'] | null = null

    function compile(): void {
      const made = compileQuery?.(schema, document, operationName)
      if (made !== undefined && 'query' in made) compiled = made.query
      // graphql-js runs for good what graphql-jit cannot compile.
      else uses = Number.NEGATIVE_INFINITY
    }

    return async (contextValue, variables) => {
      if (compiled === null && ++uses >= onUse) {
        if (compileQuery === null)
          load().catch(() => {}) // the next use tries again
        else compile()
      }
      // A null goes to graphql-js, because graphql-jit words its errors otherwise.
      if (compiled === null || nullable.some((name) => variables[name] === null))
        return interpret({ schema, document, operationName, variableValues: variables, contextValue })
      const result = await compiled(undefined, contextValue, variables)
      return result.errors === undefined ? result : { ...result, errors: reworded(result.errors, plan) }
    }
  }
}

function nullableVariables({ variableDefinitions = [] }: OperationDefinitionNode): string[] {
  const nullable = variableDefinitions.filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE)
  return nullable.map(({ variable }) => variable.name.value)
}

/** Makes the errors that graphql-js would have made: with locations, and with a cause. */
function reworded(errors: readonly GraphQLError[], { nodesAt }: Plan): GraphQLError[] {
  return errors.map(({ message, path = [], originalError }) => {
    // An error without a cause is about a value that its type cannot have.
    const cause = originalError ?? new TypeError(message)
    return new GraphQLError(message, { nodes: nodesAt(path), path, originalError: cause })
  })
}
