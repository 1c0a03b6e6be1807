// Reads requests: from the parameters to operations that can run, or to the errors that say why not.

import { type ExecutionResult, GraphQLError } from 'graphql'
import type { ReadDocument, ReadQuery } from './documents.ts'
import { noOperation, requestError } from './errors.ts'
import type { Request } from './execute.ts'
import type { Parameters } from './parameters.ts'
import type { FindDocument } from './persisted.ts'

/** Reads the operations of one request. */
export type ReadRequests = (all: readonly Parameters[]) => readonly (Request | ExecutionResult)[]

const tooManyTokens = requestError(
  new GraphQLError('The operations of the batch have too many tokens. Send several requests.'),
  'TOO_MANY_TOKENS',
)

/** @param maxTokens reading a document takes up to 20 us for each token: the documents of a batch share it */
export function createRequestReader(
  findDocument: FindDocument,
  readQuery: ReadQuery,
  maxTokens: number,
): ReadRequests {
  return (all) => {
    const texts = new Set<string>()
    let tokensLeft = maxTokens
    return all.map((parameters) => {
      const text = findDocument(parameters)
      if (text instanceof GraphQLError) return { errors: [text] }
      const isRepeated = texts.has(text)
      const read = readQuery(text, isRepeated ? maxTokens : tokensLeft)
      if (!isRepeated) tokensLeft -= read.document?.tokenCount ?? 0
      texts.add(text)
      const isTooLong = read.errors.some(({ extensions }) => extensions.code === 'TOO_MANY_TOKENS')
      if (tokensLeft < 0 || (isTooLong && tokensLeft < maxTokens)) return { errors: [tooManyTokens] }
      return requestOf(read, parameters)
    })
  }
}

/** Chooses the operation that a client wants, and coerces its variables. */
export function requestOf(
  { operations, errors }: ReadDocument,
  { operationName, variables }: Pick<Parameters, 'operationName' | 'variables'>,
): Request | ExecutionResult {
  if (errors.length > 0) return { errors }
  const [only, ...others] = operations
  const operation =
    operationName === null && others.length === 0
      ? only
      : operations.find(({ name }) => name !== null && name === operationName)
  if (operation === undefined) return { errors: [noOperation] }
  const read = operation.readVariables(variables)
  if (read.errors !== undefined)
    return { errors: read.errors.map((error) => requestError(error, 'BAD_USER_INPUT')) }
  try {
    return { operation, variables: read.coerced, cost: operation.plan.costOf(read.coerced) }
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [requestError(error, 'BAD_USER_INPUT')] }
    throw error
  }
}
