// An array of operations in one request, as BatchHttpLink and gql for Python send it: each has a result in
// its place, and the limits are those of one operation.

import { getIntrospectionQuery } from 'graphql'
import { expect } from 'vitest'
import { test } from '../kit/test.ts'
import { codeOf, type Params, post, type Result } from './client.ts'
import { startOverStore } from './over-store.ts'

const users = (...values: string[]): Params => ({
  query: `{ users(values: ${JSON.stringify(values)}) { id } }`,
})
const found = (...ids: (string | null)[]) => ({ data: { users: ids.map((id) => id && { id }) } })
const unknownField = { query: '{ nothing }' }
const schemaOf = { query: getIntrospectionQuery() }

/** Each has 451 tokens. */
const longDocuments = Array.from({ length: 9 }, (_, at) => ({
  query: `{ a${at}: __typename ${'__typename '.repeat(446)} }`,
}))

type Url = Parameters<typeof post>[0]
const send = (gateway: Url, all: readonly Params[]) => post(gateway, JSON.stringify(all))
const resultsOf = ({ text }: Result) => JSON.parse(text)
const codesOf = (result: Result) =>
  resultsOf(result).map((one: Result) => one.errors?.map(({ extensions }) => extensions?.code).join() ?? 'ok')

test('each operation has its result in its place, and lookups share one query', async () => {
  const gateway = await startOverStore()
  const batch = [users('1'), users('2', '99'), ...Array<Params>(8).fill(users('3'))]
  const result = await send(gateway, batch)
  expect(result.status).toBe(200)
  expect(resultsOf(result)).toEqual([found('1'), found('2', null), ...Array(8).fill(found('3'))])
  expect(gateway.store.queries).toHaveLength(1)
  const { status, text } = await send(gateway, [users('1')])
  expect([status, JSON.parse(text)]).toEqual([200, [found('1')]])
})

test.for<[name: string, batch: readonly Params[], status: number, codes: readonly string[]]>([
  ['an operation that is invalid', [unknownField, users('1')], 200, ['GRAPHQL_VALIDATION_FAILED', 'ok']],
  [
    'only such operations',
    [unknownField, { query: '{' }],
    400,
    ['GRAPHQL_VALIDATION_FAILED', 'GRAPHQL_PARSE_FAILED'],
  ],
  [
    'wrong variables',
    [{ query: 'query ($a: Boolean!) { __typename @skip(if: $a) }' }, users('1')],
    200,
    ['BAD_USER_INPUT', 'ok'],
  ],
  ['nine long documents', longDocuments, 200, [...Array(2).fill('ok'), ...Array(7).fill('TOO_MANY_TOKENS')]],
  ['a long document nine times', Array(9).fill(longDocuments[0]), 200, Array(9).fill('ok')],
  ['no document', [{}, users('1')], 200, ['BAD_REQUEST', 'ok']],
  ['an unknown hash', [{ documentId: 'a' }, users('1')], 200, ['PERSISTED_QUERY_NOT_FOUND', 'ok']],
  ['one introspection', [schemaOf, users('1')], 200, ['ok', 'ok']],
  ['two introspections', [schemaOf, schemaOf], 400, ['TOO_MUCH_INTROSPECTION', 'TOO_MUCH_INTROSPECTION']],
])('a batch with %s', async ([, batch, status, codes], { gateway }) => {
  const result = await send(gateway, batch)
  expect([result.status, codesOf(result)]).toEqual([status, codes])
})

test('tokens of cached documents are counted together', async ({ gateway }) => {
  const three = longDocuments.slice(0, 3)
  for (const one of [...three, ...three]) expect(codesOf(await send(gateway, [one]))).toEqual(['ok'])
  expect(codesOf(await send(gateway, three))).toEqual(['ok', 'ok', 'TOO_MANY_TOKENS'])
})

test('values, fields and texts are counted together', async ({ withSettings }) => {
  const limits = { LEGACY_MAX_VALUES: '3', GRAPHQL_MAX_FIELDS: '10', MAX_RESPONSE_BYTES: '1024' }
  const gateway = await withSettings(limits)
  const both = async (first: Params, second: Params) => codesOf(await send(gateway, [first, second]))
  expect(await both(users('1', '2'), users('3'))).toEqual(['ok', 'ok'])
  expect(await both(users('1', '2'), users('3', '4'))).toEqual(['TOO_MANY_VALUES', 'TOO_MANY_VALUES'])
  const wide = { query: '{ user(value: "1") { id username displayName rank joinDate } }' }
  expect(await both(wide, users('1'))).toEqual(['ok', 'ok'])
  expect(await both(wide, wide)).toEqual(['TOO_MANY_FIELDS', 'TOO_MANY_FIELDS'])
})

test('RATE_LIMIT charges a batch for all its values', async ({ withSettings }) => {
  const gateway = await withSettings({ RATE_LIMIT: '5' })
  expect((await send(gateway, [users('1', '2'), users('3', '4', '5')])).status).toBe(200)
  const refused = await send(gateway, [users('1'), users('2')])
  expect([refused.status, codeOf(refused)]).toEqual([429, 'TOO_MANY_REQUESTS'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('a batch as a stream is refused', async ({ gateway }) => {
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
  const body = JSON.stringify([users('1'), users('2')])
  const response = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body })
  const { errors } = await response.json()
  expect([response.status, errors[0].extensions.code]).toEqual([406, 'NOT_ACCEPTABLE'])
})
