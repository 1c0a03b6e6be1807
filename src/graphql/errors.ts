// The errors that clients see: the failures of ../errors.ts, and those of GraphQL. All other errors are
// masked by one text.

import { randomUUID } from 'node:crypto'
import { GraphQLError } from 'graphql'
import type { Caller } from '../caller.ts'
import { LookupError } from '../errors.ts'
import type { Observe } from '../observe/events.ts'

declare module 'graphql' {
  interface GraphQLErrorExtensions {
    /**
     * The status of the response, and headers for it; no client sees this extension. With `spec`, a response
     * of the plain type `application/json` is 200, as GraphQL over HTTP demands. Yoga reads all three.
     */
    http?: {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly spec?: true
    }
  }
}

const asRequest = { spec: true, status: 400 } as const

/**
 * Marks an error of the request itself, and returns it. A new error would compute its location again.
 * @param code for an error that has none
 */
export function requestError(error: GraphQLError, code: string): GraphQLError {
  return Object.assign(error, { extensions: { code, http: asRequest, ...error.extensions } })
}

/** Marks errors that the input of the client has caused. */
export function asBadInput(errors: readonly GraphQLError[]): readonly GraphQLError[] {
  return errors.map((error) => requestError(error, 'BAD_USER_INPUT'))
}

/** Refuses an operation before it runs. @param http the status for all media types, not `asRequest` */
export function refusalError(refusal: LookupError, http?: { readonly status: number }): GraphQLError {
  const extensions = { ...refusal.extensions, ...(http && { http }) }
  const error = new GraphQLError(refusal.message, { originalError: refusal, extensions })
  return requestError(error, refusal.extensions.code)
}

/** Refuses a request that violates GraphQL over HTTP. */
export function badRequest(message: string, code = 'BAD_REQUEST', status = 400, headers = {}): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status, headers } } })
}

/** Made once, because a list may have a thousand errors. */
const masked = new LookupError('Internal')

/**
 * Masks internal errors: the log has the reason under the id of the request. With data, the status of a
 * response is 200 even if fields have failed. Mutates the errors, which graphql-js made for this request.
 */
export function showErrors(
  errors: readonly GraphQLError[],
  data: unknown,
  caller: Caller | null,
  observe: Observe,
): readonly GraphQLError[] {
  const requestId = caller?.requestId ?? randomUUID()
  let isObserved = false
  for (const error of errors) {
    const { originalError } = error
    if (isForClients(error)) {
      const { http, ...extensions } = error.extensions
      // Errors that graphql-js finds while it runs have no code, such as a null variable for an argument.
      const shown = { code: 'BAD_USER_INPUT', ...extensions, ...(data == null && http && { http }) }
      Object.assign(error, { extensions: shown })
      continue
    }
    // The store or the loader has logged a LookupError. One other error is logged: a thousand rows may fail
    // alike.
    if (!(originalError instanceof LookupError) && !isObserved) {
      isObserved = true
      observe({ type: 'unexpected', requestId, error: originalError ?? error })
    }
    const extensions = { code: masked.extensions.code, requestId }
    Object.assign(error, { message: masked.message, originalError: masked, extensions })
  }
  return errors
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
