import type { GraphQLFormattedError } from 'graphql'
import type { Gateway } from '../kit/gateway.ts'

/** What a client may send; a test sends wrong types on purpose. */
export interface Params {
  readonly query?: unknown
  readonly documentId?: unknown
  readonly variables?: unknown
  readonly operationName?: unknown
  readonly extensions?: unknown
}

export interface Result {
  readonly status: number
  readonly headers: Headers
  /** The body as it came. */
  readonly text: string
  readonly data?: Readonly<Record<string, unknown>> | null
  readonly errors?: readonly GraphQLFormattedError[]
}

/** Posts parameters as JSON. */
export function ask(gateway: Pick<Gateway, 'url'>, params: Params): Promise<Result> {
  return post(gateway, JSON.stringify(params))
}

/** Posts a body as it is; with `application/graphql-response+json`, so that the status tells of errors. */
export async function post(
  gateway: Pick<Gateway, 'url'>,
  body: string,
  type = 'application/json',
): Promise<Result> {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': type, accept: 'application/graphql-response+json' },
    body,
  })
  return read(response)
}

/** Asks by GET. */
export async function get(gateway: Pick<Gateway, 'url'>, params: Params): Promise<Result> {
  const texts = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const response = await fetch(`${gateway.url}/graphql?${new URLSearchParams(texts)}`, {
    headers: { accept: 'application/graphql-response+json' },
  })
  return read(response)
}

async function read(response: Response): Promise<Result> {
  const { status, headers } = response
  const text = await response.text()
  const json = headers.get('content-type')?.includes('json') ? JSON.parse(text) : {}
  return { status, headers, text, ...json }
}

/** The data of an answer without errors. */
export async function dataOf(
  gateway: Pick<Gateway, 'url'>,
  params: Params,
): Promise<Readonly<Record<string, unknown>>> {
  const { status, text, data, errors } = await ask(gateway, params)
  if (status !== 200 || errors !== undefined || data == null) throw new Error(`${status} ${text}`)
  return data
}

/** The code of the first error. */
export function codeOf({ errors }: Result): unknown {
  return errors?.[0]?.extensions?.code
}
