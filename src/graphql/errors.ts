// What clients see of errors: the table's failures and GraphQL's own as they are, anything else as one fixed
// text.

import { randomUUID } from 'node:crypto'
import { GraphQLError } from 'graphql'
import type { Caller } from '../caller.ts'
import { LookupError } from '../errors.ts'
import type { Observe } from '../observe/events.ts'

/**
 * GraphQL over HTTP: a request that never got as far as having data is 400, except as plain
 * `application/json`.
 */
const asRequest = { spec: true, status: 400 } as const

/**
 * Marks an error of the request itself: it is not run. Another error would be made as slowly as this one was:
 * graphql-js looks for its place in the document.
 * @param code where it has none of its own
 */
export function requestError(error: GraphQLError, code?: string): GraphQLError {
  const { extensions } = error
  const marks = { ...(code === undefined ? {} : { code }), http: asRequest, ...extensions }
  return Object.assign(error, { extensions: marks })
}

/** A request that is refused before it runs. @param http where its status is the same in plain JSON */
export function refusalError(refusal: LookupError, http?: { readonly status: number }): GraphQLError {
  const { message, extensions } = refusal
  const marks = http === undefined ? { ...extensions } : { ...extensions, http }
  return requestError(new GraphQLError(message, { originalError: refusal, extensions: marks }))
}

/** Parameters that GraphQL over HTTP does not have. */
export function badRequest(message: string, code = 'BAD_REQUEST', status = 400): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status } } })
}

export const noOperation = requestError(
  new GraphQLError('Could not determine what operation to execute.'),
  'OPERATION_RESOLUTION_FAILURE',
)

/** The errors of a result, masked. Where there is data, the response is a success whatever failed in it. */
export function showErrors(
  errors: readonly GraphQLError[],
  data: unknown,
  caller: Caller | null,
  observe: Observe,
): GraphQLError[] {
  const requestId = caller?.requestId ?? randomUUID()
  // A thousand rows may fail alike: the first says it all.
  let observed = false
  return errors.map((error) => {
    if (isForClients(error)) return withCode(data == null ? error : withoutStatus(error))
    const { originalError } = error
    // The store or loader that could tell what failed has observed it.
    if (!(originalError instanceof LookupError) && !observed) {
      observed = true
      observe({ type: 'unexpected', requestId, error: originalError ?? error })
    }
    return mask(error, requestId)
  })
}

/**
 * True if every lookup of a request failed by an outage: the response is then 503, for proxies and for clients
 * that try again. `__typename` and the schema are no lookups.
 */
export function isOutage(
  errors: readonly GraphQLError[],
  data: Readonly<Record<string, unknown>>,
  lookupKeys: ReadonlySet<string>,
): boolean {
  const failed = new Set<string | number>()
  for (const { path, originalError } of errors) {
    const [key] = path ?? []
    if (key === undefined || path?.length !== 1) continue
    if (originalError instanceof LookupError && originalError.retryAfter !== undefined) failed.add(key)
  }
  return failed.size > 0 && Object.keys(data).every((key) => failed.has(key) || !lookupKeys.has(key))
}

/** True if the client's input is at fault, though only running the operation has shown it. */
export function isBadInput(error: GraphQLError): boolean {
  const { originalError } = error
  return originalError instanceof LookupError ? originalError.code === 'BadUserInput' : isForClients(error)
}

/** What graphql-js says of an argument has a place in the document; of a value that it cannot write, none. */
function isForClients({ originalError }: GraphQLError): boolean {
  if (originalError instanceof LookupError) return originalError.code !== 'Internal'
  if (originalError instanceof GraphQLError) return originalError.nodes !== undefined
  return originalError == null
}

/** What graphql-js finds out while it runs has no code: a variable that may be null, where an argument may not. */
function withCode(error: GraphQLError): GraphQLError {
  if (error.extensions.code !== undefined) return error
  return Object.assign(error, { extensions: { code: 'BAD_USER_INPUT', ...error.extensions } })
}

/** Made once: a list may have a thousand errors. */
const masked = new LookupError('Internal')

/** One fixed text, and the id under which the reason is in the log. */
export function mask(
  { nodes, path }: Partial<Pick<GraphQLError, 'nodes' | 'path'>>,
  requestId: string,
): GraphQLError {
  return new GraphQLError(masked.message, {
    nodes: nodes ?? null,
    path: path ?? null,
    originalError: masked,
    extensions: { code: masked.extensions.code, requestId },
  })
}

function withoutStatus(error: GraphQLError): GraphQLError {
  if (error.extensions.http === undefined) return error
  const { message, nodes, path, originalError, extensions } = error
  const { http: _http, ...rest } = extensions
  return new GraphQLError(message, {
    nodes: nodes ?? null,
    path: path ?? null,
    originalError: originalError ?? null,
    extensions: rest,
  })
}
