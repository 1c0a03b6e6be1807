// Results of operations -> the HTTP response, as GraphQL over HTTP has it. Clients depend on each status.

import type { ExecutionResult, GraphQLError } from 'graphql'
import { type GraphqlType, type ResponseType, refusalTypeFor } from '../accept.ts'
import { LookupError } from '../errors.ts'
import { type HttpResponse, openHeaders, toBytes } from '../response.ts'
import { shorten } from '../text.ts'

/** Characters of a message. A document may have a hundred errors, and each may repeat a name of 60 KB. */
const MAX_MESSAGE_LENGTH = 1000

/**
 * The response to a request. A batch is 200 if one of its operations is, because clients read each result.
 * @param values that were looked up
 */
export function responseTo(
  results: readonly ExecutionResult[],
  type: ResponseType,
  values: number,
  isBatch: boolean,
): HttpResponse {
  const bodies = results.map(bodyOf)
  const statuses = results.map((result) => statusOf(result, type))
  const status = statuses.includes(200) ? 200 : Math.max(...statuses)
  const headers = [...openHeaders, 'Content-Type', `${type}; charset=utf-8`]
  const errors = results.flatMap((result) => result.errors ?? [])
  // Such as Retry-After. A malformed request (400) gets no such header.
  if (status > 400)
    for (const { extensions } of errors)
      for (const [name, value] of Object.entries(extensions.http?.headers ?? {}))
        if (!headers.includes(name)) headers.push(name, value)
  const body = toBytes(JSON.stringify(isBatch ? bodies : bodies[0]))
  return { status, headers, body, etag: null, about: aboutOf(errors, values) }
}

/** The response to a request that runs no operation. @param type that the client accepts */
export function refusalTo(error: GraphQLError, type: GraphqlType | null): HttpResponse {
  return responseTo([{ errors: [error] }], refusalTypeFor(type), 0, false)
}

/** Describes a request for metrics and the log. */
export function aboutOf(errors: readonly GraphQLError[], values: number): HttpResponse['about'] {
  const cause = errors[0]?.originalError
  const failure = cause instanceof LookupError ? cause.code : 'InvalidGraphQL'
  return { event: 'graphql', format: 'JSON', outcome: errors.length === 0 ? 'ok' : failure, values }
}

function statusOf({ errors = [] }: ExecutionResult, type: ResponseType): number {
  const statuses = errors.map(({ extensions: { http } }) =>
    http === undefined || (http.spec && type === 'application/json') ? 0 : http.status,
  )
  return Math.max(...statuses, 0) || 200
}

/** A result as clients see it. */
export function bodyOf({ errors, data }: ExecutionResult): object {
  if (errors === undefined) return { data }
  const all = errors.map(shownError)
  return data === undefined ? { errors: all } : { errors: all, data }
}

function shownError(error: GraphQLError): object {
  const { message, extensions: { http: _http, ...extensions } = {}, ...rest } = error.toJSON()
  return { message: shorten(message, MAX_MESSAGE_LENGTH), ...rest, extensions }
}
