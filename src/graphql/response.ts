import type { ExecutionResult, GraphQLError } from 'graphql'
import { LookupError } from '../errors.ts'
import { type Answer, openHeaders, toBytes } from '../gateway/answer.ts'

/** The media types of a GraphQL response. */
type ResponseType = 'application/json' | 'application/graphql-response+json'

export function isResponseType(type: string | null): type is ResponseType {
  return type === 'application/json' || type === 'application/graphql-response+json'
}

/** The HTTP response to a result, as GraphQL over HTTP has it. @param values that were looked up */
export function responseTo({ errors, data }: ExecutionResult, type: ResponseType, values: number): Answer {
  const headers = [...openHeaders, 'Content-Type', `${type}; charset=utf-8`]
  let status = 0
  let retryAfter: number | undefined
  for (const error of errors ?? []) {
    if (type !== 'application/json' || !isAboutRequest(error)) status = Math.max(status, statusOf(error))
    if (error.originalError instanceof LookupError) retryAfter ??= error.originalError.retryAfter
  }
  if (status > 400 && retryAfter !== undefined) headers.push('Retry-After', String(retryAfter))
  const shown = errors?.map(withoutHttp)
  const result =
    shown === undefined ? { data } : data === undefined ? { errors: shown } : { errors: shown, data }
  const body = toBytes(JSON.stringify(result))
  const about = { event: 'graphql', format: 'JSON', outcome: outcomeOf(errors), values } as const
  return { status: status || 200, headers, body, etag: null, about }
}

/** What a result counts as. */
export function outcomeOf(errors: readonly GraphQLError[] | undefined): string {
  const [first] = errors ?? []
  if (first === undefined) return 'ok'
  return first.originalError instanceof LookupError ? first.originalError.code : 'InvalidGraphQL'
}

/** The status that an error asks for; 0 where it asks for none. */
function statusOf({ extensions: { http } }: GraphQLError): number {
  const status = typeof http === 'object' && http !== null && 'status' in http ? http.status : 0
  return typeof status === 'number' ? status : 0
}

/** Whether it is of a kind that plain JSON has no status for. */
function isAboutRequest({ extensions: { http } }: GraphQLError): boolean {
  return typeof http === 'object' && http !== null && 'spec' in http
}

function withoutHttp(error: GraphQLError): object {
  const { extensions = {}, ...formatted } = error.toJSON()
  const { http: _http, ...rest } = extensions
  return Object.keys(rest).length === 0 ? formatted : { ...formatted, extensions: rest }
}
