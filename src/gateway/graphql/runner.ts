// What runs an operation: graphql-js at first, compiled code once it is asked for often.

import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  execute as interpret,
  type OperationDefinitionNode,
} from 'graphql'
import type { RequestContext } from './builder.ts'
import { createCompiler } from './compiled.ts'

type Variables = Readonly<Record<string, unknown>>

/**
 * Runs one operation, however it is done.
 * @param given the variables as the client sent them, where they are not coerced already
 */
export type RunOperation = (
  context: RequestContext,
  coerced: Variables,
  given?: Variables,
) => Promise<ExecutionResult>

/** @param compileOnUse the use at which an operation is compiled */
export function createRunner(schema: GraphQLSchema, compileOnUse: number) {
  const compiler = createCompiler(schema, compileOnUse)

  return (document: DocumentNode, operation: OperationDefinitionNode): RunOperation => {
    const useCompiled = compiler(document, operation)
    const operationName = operation.name?.value

    return async (contextValue, coerced, given = coerced) => {
      const compiled = useCompiled()
      if (!compiled?.fits(coerced))
        return interpret({ schema, document, operationName, variableValues: given, contextValue })
      const result = await compiled.query(undefined, contextValue, coerced)
      return result.errors === undefined ? result : { ...result, errors: compiled.reword(result.errors) }
    }
  }
}
