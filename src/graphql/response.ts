// Results of operations -> the HTTP response, as GraphQL over HTTP has it. Clients depend on each status.

import type { ExecutionResult, GraphQLError } from 'graphql'
import { LookupError } from '../errors.ts'
import { type HttpResponse, openHeaders, toBytes } from '../response.ts'

/** The media types of a GraphQL response. */
type ResponseType = 'application/json' | 'application/graphql-response+json'

export function isResponseType(type: string | null): type is ResponseType {
  return type === 'application/json' || type === 'application/graphql-response+json'
}

/**
 * The HTTP response to a request, as GraphQL over HTTP has it. A batch is 200 if one of its operations is,
 * because clients read each result.
 * @param values that were looked up
 */
export function responseTo(
  results: readonly ExecutionResult[],
  type: ResponseType,
  values: number,
  isBatch: boolean,
): HttpResponse {
  const bodies = results.map(shown)
  const json = JSON.stringify(isBatch ? bodies : bodies[0])
  const errors = results.flatMap((result) => result.errors ?? [])
  const statuses = results.map((result) => statusOf(result, type))
  const status = statuses.includes(200) ? 200 : Math.max(...statuses)
  const headers = [...openHeaders, 'Content-Type', `${type}; charset=utf-8`]
  const retryAfter = errors.map(retryAfterOf).find((seconds) => seconds !== undefined)
  if (status > 400 && retryAfter !== undefined) headers.push('Retry-After', String(retryAfter))
  const about = { event: 'graphql', format: 'JSON', outcome: outcomeOf(errors), values } as const
  return { status, headers, body: toBytes(json), etag: null, about }
}

/** The response to a request of which nothing runs. @param type that the client accepts */
export function refusalTo(error: GraphQLError, type: string | null): HttpResponse {
  return responseTo([{ errors: [error] }], isResponseType(type) ? type : 'application/json', 0, false)
}

/** The outcome of a request in metrics. */
export function outcomeOf(errors: readonly GraphQLError[] | undefined): string {
  const [first] = errors ?? []
  if (first === undefined) return 'ok'
  return first.originalError instanceof LookupError ? first.originalError.code : 'InvalidGraphQL'
}

function statusOf({ errors }: ExecutionResult, type: ResponseType): number {
  let status = 0
  for (const { extensions } of errors ?? []) {
    const { http } = extensions
    if (typeof http !== 'object' || http === null || !('status' in http)) continue
    // Plain JSON has no status for an error of the operation.
    if (type === 'application/json' && 'spec' in http) continue
    if (typeof http.status === 'number') status = Math.max(status, http.status)
  }
  return status || 200
}

const retryAfterOf = ({ originalError }: GraphQLError) =>
  originalError instanceof LookupError ? originalError.retryAfter : undefined

function shown(result: ExecutionResult): object {
  const { errors, data } = result
  if (errors === undefined) return { data }
  const all = errors.map(withoutHttp)
  return data === undefined ? { errors: all } : { errors: all, data }
}

function withoutHttp(error: GraphQLError): object {
  const { extensions = {}, ...formatted } = error.toJSON()
  const { http: _http, ...rest } = extensions
  return Object.keys(rest).length === 0 ? formatted : { ...formatted, extensions: rest }
}
