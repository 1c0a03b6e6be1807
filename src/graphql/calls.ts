// Turns the parameters of a request into calls of operations, or into the errors that say why not.

import { type ExecutionResult, GraphQLError } from 'graphql'
import type { QueryDocument, ReadQuery } from './documents.ts'
import { asBadInput, noOperation, requestError } from './errors.ts'
import type { OperationCall } from './execute.ts'
import type { Parameters } from './parameters.ts'
import type { FindDocument } from './persisted.ts'

/** Prepares the operations of one HTTP request. */
export type ReadCalls = (all: readonly Parameters[]) => readonly (OperationCall | ExecutionResult)[]

const tooManyTokens = requestError(
  new GraphQLError('The operations of the request have too many tokens. Send several requests.'),
  'TOO_MANY_TOKENS',
)

/** @param maxTokens shared by all documents of a request, because reading takes up to 20 us for each token */
export function createCallReader(
  findDocument: FindDocument,
  readQuery: ReadQuery,
  maxTokens: number,
): ReadCalls {
  return (all) => {
    const texts = new Set<string>()
    let tokensLeft = maxTokens
    return all.map((parameters) => {
      const text = findDocument(parameters, tokensLeft)
      if (text instanceof GraphQLError) return { errors: [text] }
      const isRepeated = texts.has(text)
      const document = readQuery(text, isRepeated ? maxTokens : tokensLeft)
      const isTooLong = document.errors.some(({ extensions }) => extensions.code === 'TOO_MANY_TOKENS')
      if (isTooLong && tokensLeft < maxTokens) return { errors: [tooManyTokens] }
      if (!isRepeated) tokensLeft -= document.document?.tokenCount ?? 0
      if (tokensLeft < 0) return { errors: [tooManyTokens] }
      texts.add(text)
      return callOf(document, parameters)
    })
  }
}

/** Chooses the operation that `operationName` selects, and coerces its variables. */
export function callOf(
  { operations, errors }: QueryDocument,
  { operationName, variables }: Pick<Parameters, 'operationName' | 'variables'>,
): OperationCall | ExecutionResult {
  if (errors.length > 0) return { errors }
  const [first, ...others] = operations
  const only = others.length === 0 ? first : undefined
  const operation = operationName === null ? only : operations.find(({ name }) => name === operationName)
  if (operation === undefined) return { errors: [noOperation] }
  const coercion = operation.readVariables(variables)
  if (coercion.errors !== undefined) return { errors: asBadInput(coercion.errors) }
  const { coerced } = coercion
  try {
    return { operation, variables: coerced, cost: operation.plan.costOf(coerced) }
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: asBadInput([error]) }
    throw error
  }
}
