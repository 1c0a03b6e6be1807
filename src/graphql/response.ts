import type { ExecutionResult, GraphQLError } from 'graphql'
import { LookupError } from '../errors.ts'
import { type Answer, openHeaders, toBytes } from '../gateway/answer.ts'

/** The media types of a GraphQL response. */
type ResponseType = 'application/json' | 'application/graphql-response+json'

export function isResponseType(type: string | null): type is ResponseType {
  return type === 'application/json' || type === 'application/graphql-response+json'
}

/** The HTTP response to a result, as GraphQL over HTTP has it. @param values that were looked up */
export function responseTo(result: ExecutionResult, type: ResponseType, values: number): Answer {
  return respond(JSON.stringify(shown(result)), result.errors, statusOf(result, type), type, values)
}

/** The HTTP response to a batch: 200 if one of the operations is, because clients read each result. */
export function batchResponseTo(
  results: readonly ExecutionResult[],
  type: ResponseType,
  values: number,
): Answer {
  const statuses = results.map((result) => statusOf(result, type))
  const status = statuses.includes(200) ? 200 : Math.max(...statuses)
  const errors = results.flatMap((result) => result.errors ?? [])
  return respond(JSON.stringify(results.map(shown)), errors, status, type, values)
}

function respond(
  json: string,
  errors: readonly GraphQLError[] | undefined,
  status: number,
  type: ResponseType,
  values: number,
): Answer {
  const headers = [...openHeaders, 'Content-Type', `${type}; charset=utf-8`]
  const retryAfter =
    status > 400 ? errors?.map(retryAfterOf).find((seconds) => seconds !== undefined) : undefined
  if (retryAfter !== undefined) headers.push('Retry-After', String(retryAfter))
  const about = { event: 'graphql', format: 'JSON', outcome: outcomeOf(errors), values } as const
  return { status, headers, body: toBytes(json), etag: null, about }
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
