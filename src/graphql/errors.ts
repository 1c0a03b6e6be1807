// The errors that clients see: the failures of ../errors.ts, and those of GraphQL. All other errors are
// masked by one text.

import { randomUUID } from 'node:crypto'
import { GraphQLError } from 'graphql'
import type { Caller } from '../caller.ts'
import { LookupError } from '../errors.ts'
import type { Observe } from '../observe/events.ts'
import { shorten } from '../text.ts'

/** GraphQL over HTTP: a request without data is 400, except as plain `application/json`. */
const asRequest = { spec: true, status: 400 } as const

/** Characters of a message. A document may have a hundred errors, and each may repeat a name of 60 KB. */
const MAX_MESSAGE_LENGTH = 1000

/**
 * Marks an error of the request itself, and returns it.
 * @param code for an error that has none
 */
export function requestError(error: GraphQLError, code?: string): GraphQLError {
  return withExtensions(error, {
    ...(code === undefined ? {} : { code }),
    http: asRequest,
    ...error.extensions,
  })
}

/** Marks errors that the input of the client has caused. */
export function asBadInput(errors: readonly GraphQLError[]): readonly GraphQLError[] {
  return errors.map((error) => requestError(error, 'BAD_USER_INPUT'))
}

/**
 * Mutates the error: a new GraphQLError would compute its location again. Only a long message is cut in a new
 * error, because the stack of the old one, and its cause, have the message, too.
 */
function withExtensions(error: GraphQLError, extensions: GraphQLError['extensions']): GraphQLError {
  const { message, nodes = null, source = null, positions = null, path = null } = error
  if (message.length <= MAX_MESSAGE_LENGTH) return Object.assign(error, { extensions })
  return new GraphQLError(shorten(message, MAX_MESSAGE_LENGTH), {
    nodes,
    source,
    positions,
    path,
    extensions,
  })
}

/**
 * Refuses a request before it runs. @param http the status for every media type; without it, see `asRequest`
 */
export function refusalError(refusal: LookupError, http?: { readonly status: number }): GraphQLError {
  const { message, extensions } = refusal
  const marks = http === undefined ? { ...extensions } : { ...extensions, http }
  return requestError(new GraphQLError(message, { originalError: refusal, extensions: marks }))
}

/** Refuses a request that violates GraphQL over HTTP. */
export function badRequest(message: string, code = 'BAD_REQUEST', status = 400): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status } } })
}

export const noOperation = requestError(
  new GraphQLError('Could not determine what operation to execute.'),
  'OPERATION_RESOLUTION_FAILURE',
)

/** Masks internal errors. With data, the status of a response is 200 even if fields have failed. */
export function showErrors(
  errors: readonly GraphQLError[],
  data: unknown,
  caller: Caller | null,
  observe: Observe,
): GraphQLError[] {
  const requestId = caller?.requestId ?? randomUUID()
  let isObserved = false
  return errors.map((error) => {
    if (isForClients(error)) return withCode(data == null ? error : withoutStatus(error))
    const { originalError } = error
    // The store or the loader has logged a LookupError. One other error is logged: a thousand rows may fail
    // alike.
    if (!(originalError instanceof LookupError) && !isObserved) {
      isObserved = true
      observe({ type: 'unexpected', requestId, error: originalError ?? error })
    }
    return mask(error, requestId)
  })
}

/**
 * True if every lookup of an operation failed by an outage: the response is then 503, for proxies and for
 * clients that try again. `__typename` and the schema are no lookups.
 */
export function isOutage(
  errors: readonly GraphQLError[],
  data: Readonly<Record<string, unknown>>,
  lookupKeys: ReadonlySet<string>,
): boolean {
  const failed = new Set<string | number | undefined>()
  for (const { path, originalError } of errors)
    if (path?.length === 1 && originalError instanceof LookupError && originalError.retryAfter !== undefined)
      failed.add(path[0])
  return failed.size > 0 && Object.keys(data).every((key) => failed.has(key) || !lookupKeys.has(key))
}

/** True if the client's input has caused an error of the execution. */
export function isBadInput(error: GraphQLError): boolean {
  const { originalError } = error
  return originalError instanceof LookupError ? originalError.code === 'BadUserInput' : isForClients(error)
}

/** graphql-js adds nodes to errors of arguments, but not to those of values that it cannot serialize. */
function isForClients({ originalError }: GraphQLError): boolean {
  if (originalError instanceof LookupError) return originalError.code !== 'Internal'
  if (originalError instanceof GraphQLError) return originalError.nodes !== undefined
  return originalError == null
}

/** Errors that graphql-js finds while it runs have no code, such as a null variable for an argument. */
function withCode(error: GraphQLError): GraphQLError {
  if (error.extensions.code !== undefined) return error
  return withExtensions(error, { code: 'BAD_USER_INPUT', ...error.extensions })
}

/** Made once, because a list may have a thousand errors. */
const masked = new LookupError('Internal')

/** Hides an error: the log has the reason under the id of the request. */
export function mask({ nodes, path }: Pick<GraphQLError, 'nodes' | 'path'>, requestId: string): GraphQLError {
  const extensions = { code: masked.extensions.code, requestId }
  return copyOf({ message: masked.message, nodes, path, originalError: masked }, extensions)
}

function withoutStatus(error: GraphQLError): GraphQLError {
  if (error.extensions.http === undefined) return error
  const { http: _http, ...extensions } = error.extensions
  return copyOf(error, extensions)
}

function copyOf(
  error: Pick<GraphQLError, 'message' | 'nodes' | 'path' | 'originalError'>,
  extensions: GraphQLError['extensions'],
): GraphQLError {
  const { message, nodes = null, path = null, originalError = null } = error
  return new GraphQLError(message, { nodes, path, originalError, extensions })
}
