// COMPRESSION: which responses are compressed, for which clients, and which headers change.

import { gunzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { test } from '../kit/test.ts'
import { ask, type Reply, type RequestOptions } from '../legacy/support/ask.ts'
import { caseData, cases } from '../legacy/support/cases.ts'
import { manySpellings, requestFor, talking } from './raw.ts'

/** As browsers send it. */
const every = 'gzip, deflate, br, zstd'

/** The content of a response, compressed or not. */
const contentOf = ({ headers, body }: Pick<Reply, 'headers' | 'body'>) =>
  headers['content-encoding'] === 'gzip' ? gunzipSync(Buffer.from(body, 'latin1')).toString('latin1') : body

const posted = (count: number, fields = 'id username displayName rank joinDate isConfirmed banned') =>
  JSON.stringify({
    query: `query ($values: [ID!]!) { users(values: $values) { ${fields} } }`,
    variables: { values: Array(count).fill('1') },
  })
const post = (body: string): RequestOptions => ({
  ...{ method: 'POST', body },
  headers: { 'content-type': 'application/json', accept: 'application/json' },
})
const html: RequestOptions = { headers: { accept: 'text/html' } }

const compressible: readonly (readonly [what: string, target: string, asking: RequestOptions])[] = [
  ['GraphQL', '/graphql', post(posted(20))],
  ['a GraphQL error', '/graphql', post(JSON.stringify({ query: `{${' no '.repeat(50)}}` }))],
  ['the explorer', '/', html],
  ['the GraphQL schema', '/schema/schema.graphql', {}],
  ['the OpenAPI document', '/schema/legacy.openapi.json', {}],
  ['the XML Schema', '/schema/legacy.xsd', {}],
]
const uncompressed: typeof compressible = [
  ['a legacy response', manySpellings, {}],
  ['a legacy response in XML', `${manySpellings}&Format=XML`, {}],
  ['a short GraphQL response', '/graphql', post(posted(1))],
  ['a refusal', '/nowhere', {}],
]

/** Sends a request with this Accept-Encoding. Its id is the same each time. */
function askIn(url: string, coding: string | null, target: string, asking: RequestOptions = {}) {
  const accept = coding === null ? {} : { 'accept-encoding': coding }
  return ask(url, target, { ...asking, headers: { ...asking.headers, 'x-request-id': 'r-1', ...accept } })
}

test.for(compressible)('%s is compressed for clients that accept gzip', async (row, { gateway: { url } }) => {
  const [, target, asking] = row
  const plain = await askIn(url, null, target, asking)
  expect(plain.headers.vary).toMatch(/(?:^|, )Accept-Encoding$/)
  for (const coding of ['gzip', every]) {
    const answer = await askIn(url, coding, target, asking)
    expect(answer.body.length).toBeLessThan(0.7 * plain.body.length)
    expect(contentOf(answer)).toBe(plain.body)
    const { 'content-encoding': _, 'content-length': length, etag, date, ...rest } = answer.headers
    expect(length).toBe(String(answer.body.length))
    expect(plain).toMatchObject({ status: answer.status, headers: rest })
    expect(rest).not.toHaveProperty('transfer-encoding')
  }
  const malformed = ['deflate, br, zstd', '*;q=0', 'gzip;;;q=1', '\xff\xfe', `gzip, ${'x, '.repeat(3_300)}`]
  for (const coding of ['', 'identity', ...malformed]) {
    const { headers, body } = await askIn(url, coding, target, asking)
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers).toMatchObject({ 'content-length': String(body.length), vary: plain.headers.vary })
  }
})

test.for(uncompressed)('%s is never compressed', async ([, target, asking], { gateway: { url } }) => {
  const plain = await askIn(url, null, target, asking)
  const { headers, body } = await askIn(url, every, target, asking)
  expect(body).toBe(plain.body)
  expect({ ...headers, date: '' }).toEqual({ ...plain.headers, date: '' })
  expect(headers).not.toHaveProperty('vary')
})

test('COMPRESSION=off compresses nothing', async ({ withSettings }) => {
  const { url } = await withSettings({ COMPRESSION: 'off' })
  for (const [what, target, asking] of [...compressible, ...uncompressed]) {
    const { headers } = await askIn(url, every, target, asking)
    expect(headers, what).not.toHaveProperty('content-encoding')
    expect(headers.vary ?? '', what).not.toContain('Accept-Encoding')
  }
})

test('no legacy response changes by default, and COMPRESSION=all keeps its content', async ({
  withSettings,
}) => {
  const [byDefault, all] = [
    await withSettings({}, caseData),
    await withSettings({ COMPRESSION: 'all' }, caseData),
  ]
  const coded = new Set<unknown>()
  for (const { request, response } of cases) {
    const plain = await askIn(byDefault.url, every, request)
    expect(plain.body, request).toBe(response)
    expect(plain.headers, request).not.toHaveProperty('content-encoding')
    expect(plain.headers, request).not.toHaveProperty('vary')
    // From the second time on, the plain response may come from a cache.
    for (const coding of ['gzip', 'gzip', 'gzip', null]) {
      const answer = await askIn(all.url, coding, request)
      expect(contentOf(answer), request).toBe(response)
      expect(answer.headers['content-length']).toBe(String(answer.body.length))
      expect(answer.headers.vary).toBe(response.length >= 1024 ? 'Accept-Encoding' : undefined)
      coded.add(`${coding} ${answer.headers['content-encoding']}`)
    }
  }
  expect(coded).toEqual(new Set(['gzip undefined', 'gzip gzip', 'null undefined']))
})

test('the compressed bytes have an ETag of their own', async ({ gateway: { url } }) => {
  const target = '/schema/legacy.openapi.json'
  const { etag: plain = '' } = (await askIn(url, null, target)).headers
  const { etag: own = '', vary } = (await askIn(url, 'gzip', target)).headers
  expect(plain).toMatch(/^"[\w-]{27}"$/)
  expect(own).toBe(`${plain.slice(0, -1)}-gzip"`)
  for (const [coding, known, etag] of [
    ...[own, `W/${own}`, `"a", ${own}`, '*'].map((known) => ['gzip', known, own] as const),
    [every, plain, plain],
    [null, plain, plain],
    // A cache that has both learns which one to send.
    ['gzip', `${plain}, ${own}`, own],
  ] as const)
    for (const method of ['GET', 'HEAD']) {
      const answer = await askIn(url, coding, target, { method, headers: { 'if-none-match': known } })
      expect(answer).toMatchObject({ status: 304, body: '', headers: { etag, vary } })
      expect(answer.headers).not.toHaveProperty('content-encoding')
    }
  for (const [coding, known] of [
    [null, own],
    ['gzip', own.replace('gzip', 'zip')],
  ] as const)
    expect(await askIn(url, coding, target, { headers: { 'if-none-match': known } })).toMatchObject({
      status: 200,
    })
})

test('Vary keeps what it has, and GraphiQL is not compressed twice', async ({ gateway: { url } }) => {
  expect((await askIn(url, 'gzip', '/', html)).headers.vary).toBe('Accept, Accept-Encoding')
  for (const coding of [null, every]) {
    const answer = await askIn(url, coding, '/graphql', html)
    expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept' })
    expect(contentOf(answer)).toContain('GraphiQL')
  }
})

describe('responses that another thread compresses', () => {
  const COUNT = 3_000
  const limits = { MAX_BODY: '1000000', LEGACY_MAX_VALUES: '10000', GRAPHQL_MAX_FIELDS: '1000000' }
  const request = (count: number, coding: string) => {
    const body = posted(count)
    const headers = ['Host: a', 'Content-Type: application/json', `Accept-Encoding: ${coding}`]
    return requestFor('/graphql', [...headers, `Content-Length: ${body.length}`], 'POST') + body
  }

  test('have the same content, in the order of the requests', async ({ withSettings }) => {
    const { url } = await withSettings(limits)
    const plain = await askIn(url, null, '/graphql', post(posted(COUNT)))
    expect(plain.body.length).toBeGreaterThan(64 * 1024)
    const answer = await askIn(url, 'gzip', '/graphql', post(posted(COUNT)))
    expect(answer.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(answer.body.length),
    })
    expect(contentOf(answer)).toBe(plain.body)
    const sent = [COUNT, 1, 2_500, 20, COUNT, 0, 100].flatMap((count) =>
      ['gzip', 'identity'].map((coding) => [count, coding] as const),
    )
    await talking(url, async ({ write, answer }) => {
      write(sent.map(([count, coding]) => request(count, coding)).join(''))
      for (const [count, coding] of sent) {
        const content = contentOf(await answer({ within: 60_000 }))
        expect(JSON.parse(content).data.users, `${count} in ${coding}`).toHaveLength(count)
      }
    })
  })

  test('go out as they are when they are too long', async ({ withSettings }) => {
    const { url } = await withSettings(limits)
    const long = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name.repeat(200)}: id`).join(' ')
    const { headers, body } = await askIn(url, 'gzip', '/graphql', post(posted(5_000, long)))
    expect(body.length).toBeGreaterThan(4 * 1024 * 1024)
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers.vary).toBe('Accept-Encoding')
  })
})
