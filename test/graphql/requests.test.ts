// How a GraphQL request may come: its size, its type, its coding, its parameters; and the code and the status
// of each refusal.

import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { exchange, requestFor, talking } from '../http/raw.ts'
import { test } from '../kit/test.ts'
import { ask, type Params, post } from './client.ts'

const LIMIT = 64 * 1024
const json = { 'content-type': 'application/json' }
const query = JSON.stringify({ query: '{ __typename }' })
const HEAD = 'POST /graphql HTTP/1.1\r\nHost: gateway\r\nContent-Type: application/json\r\n'
const withLength = (body: string) => `${HEAD}Content-Length: ${body.length}\r\n\r\n${body}`
const inChunks = (chunks: readonly string[]) => {
  const framed = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
  return `${HEAD}Transfer-Encoding: chunked\r\n\r\n${framed.join('')}0\r\n\r\n`
}

describe.each<[name: string, requestWith: (body: string) => string]>([
  ['with a Content-Length', withLength],
  ['in chunks', (body) => inChunks(body.match(/.{1,10000}/gs) ?? [])],
])('a body %s', (_name, requestWith) => {
  test('of 64 KiB is read', async ({ gateway }) => {
    const { status, body } = await exchange(gateway.url, requestWith(query.padEnd(LIMIT)))
    expect([status, body]).toEqual([200, '{"data":{"__typename":"Query"}}'])
  })

  test.for([LIMIT + 1, LIMIT * 64])(
    'of %i bytes is 413; then the connection closes, or takes another request',
    (bytes, { gateway }) =>
      talking(gateway.url, async (conversation) => {
        conversation.write(requestWith(query.padEnd(bytes)))
        const { status, headers, body } = await conversation.answer()
        expect([status, body]).toEqual([413, expect.stringContaining('"TOO_LARGE_BODY"')])
        if (headers.connection === 'close') return void (await conversation.ended(10_000))
        conversation.write(requestFor('/graphql?query={__typename}'))
        expect((await conversation.answer()).status).toBe(200)
      }),
  )
})

test('the limit is of bytes, and known before the body comes', async ({ gateway }) => {
  const characters = Buffer.from(query.padEnd(LIMIT / 3, '花')).toString('latin1')
  for (const text of [withLength(characters.padEnd(LIMIT + 1)), `${HEAD}Content-Length: 1000000000\r\n\r\n`])
    expect((await exchange(gateway.url, text)).status).toBe(413)
})

test('1,024 chunks are read; with more, it is 413 and the connection closes', async ({ gateway }) => {
  const chunks = (count: number) => inChunks([...Array(count - 1).fill(' '), query])
  expect((await exchange(gateway.url, chunks(1_024))).status).toBe(200)
  await talking(gateway.url, async ({ write, answer, ended }) => {
    write(chunks(1_025))
    const refused = await answer()
    expect([refused.status, refused.headers.connection]).toEqual([413, 'close'])
    expect(refused.body).toContain('"TOO_MANY_CHUNKS"')
    await ended(10_000)
  })
})

test.for([
  ...['gzip', 'GZIP', 'gzip, identity', 'unknown'].map((coding) => [coding, 415] as const),
  ...['', 'identity', 'Identity'].map((coding) => [coding, 200] as const),
])('a body in the coding "%s" is %i', async ([coding, expected], { gateway }) => {
  const sent = `${HEAD}Content-Encoding: ${coding}\r\nContent-Length: ${query.length}\r\n\r\n${query}`
  const { status, headers, body } = await exchange(gateway.url, sent)
  expect([status, headers['accept-encoding']]).toEqual([expected, expected === 415 ? 'identity' : undefined])
  expect(body.includes('"COMPRESSED_BODY"')).toBe(expected === 415)
})

const named = '{"query":"query A { a: __typename } query B { b: __typename }","operationName":"A"}'
test.for([
  ...['application/json; charset=utf-8', 'Application/JSON', 'application/json\t;\tcharset="utf-8"'].map(
    (type) => [type, named] as const,
  ),
  ['application/graphql+json', named],
  ['application/json', `\ufeff${named}`],
  ['application/graphql', '{ a: __typename }'],
  ['application/x-www-form-urlencoded', 'query=%7B+a%3A+__typename+%7D&variables={}'],
] as const)('content of type %s is read: %s', async ([type, body], { gateway }) => {
  expect(await post(gateway, body, type)).toMatchObject({ status: 200, data: { a: 'Query' } })
})

test.for([
  ...['text/plain', 'multipart/form-data; boundary=x', 'application/json-patch+json', 'nonsense'],
  ...['application/json; charset=iso-8859-1', 'application/json;charset="latin1"'],
  ...['application/json; charset=utf-16', 'application/x-www-form-urlencoded; charset=windows-1252'],
])('content of type %s is 415, and a charset is named', async (type, { gateway }) => {
  const { status, text } = await post(gateway, query, type)
  expect([status, text.includes('charset')]).toEqual([415, type.includes('charset')])
})

test.for([
  ...[{ variables: null }, { extensions: null }, { operationName: null }],
  ...[{ extensions: { anything: { at: ['all'] } } }, { variables: { unknown: 1 } }],
  // PHP's empty array, and an empty text for nothing.
  ...[{ variables: [] }, { variables: '' }, { extensions: [] }, { extensions: '' }, { operationName: '' }],
  // relay-network, and a client of tomorrow.
  ...[{ id: 'abc' }, { __proto__x: { a: 1 } }],
])('a request may have %j', async (members, { gateway }) => {
  const { status, data } = await ask(gateway, { query: '{ __typename }', ...members })
  expect([status, data]).toEqual([200, { __typename: 'Query' }])
})

// Otherwise, a name in another encoding would match nothing, without a word.
test('a body that is not UTF-8 is 400', async ({ gateway }) => {
  const body = Buffer.from(
    JSON.stringify({ query: '{ user(by: USERNAME, value: "s\xf8ren") { id } }' }),
    'latin1',
  )
  const refused = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers: json, body })
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('not valid UTF-8')])
})

test('a body without a Content-Type is told about the header', async ({ gateway }) => {
  const sent = `POST /graphql HTTP/1.1\r\nHost: gateway\r\nContent-Length: ${query.length}\r\n\r\n${query}`
  const { status, body } = await exchange(gateway.url, sent)
  expect([status, body]).toEqual([415, expect.stringContaining('no Content-Type header. Send')])
})

test.for<[search: string, a: unknown]>([
  ['query={a:__typename}', 'Query'],
  ['query={a:__typename}&variables=[]&extensions=[]', 'Query'],
  ['query=%7Ba%3A__typename%7D', 'Query'],
  ['query=query+A+{a:__typename}&operationName=A', 'Query'],
  ['utm=1&&query={a:__typename}&x', 'Query'],
  [`${'x=1&'.repeat(20)}query={a:__typename}`, 'Query'],
  ['%71uery={a:__typename}&operationName=&variables=&extensions=', 'Query'],
  // The first of several counts.
  ['query={a:__typename}&query={b:__typename}', 'Query'],
  ['query={a:user(by:USERNAME,value:"s%C3%B8ren"){id}}', { id: '2' }],
  ['query=query($v:ID!){a:app(id:$v){id}}&variables={"v":"1"}', { id: '1' }],
  ['query={a:app(id:"a=b"){id}}&variables=null&extensions={"x":1}', null],
])('the query string %s is read', async ([search, a], { gateway }) => {
  const response = await fetch(`${gateway.url}/graphql?${search}`)
  expect(await response.json()).toEqual({ data: { a } })
})

const sse = (json: string) => `:\n\nevent: next\ndata: ${json}\n\nevent: complete\ndata:\n\n`
const multipart = (json: string) =>
  `\r\n---\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(json)}\r\n` +
  `\r\n${json}\r\n-----\r\n`
const failure = (message: string, code: string) =>
  `{"errors":[{"message":"${message}","extensions":{"code":"${code}"}}]}`

// The status of server-sent events is that of plain JSON, and the status of multipart that of the new type.
test.for<[search: string, json: string, ofEvents: number, ofMultipart: number]>([
  ['query={user(value:2){displayName}}', '{"data":{"user":{"displayName":"Søren Ærlig"}}}', 200, 200],
  [
    'query=subscription{a}',
    failure('There are only queries here, no subscription.', 'GRAPHQL_VALIDATION_FAILED'),
    200,
    400,
  ],
  [
    'query=mutation{a}',
    failure('Can only perform a mutation operation from a POST request.', 'BAD_REQUEST'),
    405,
    405,
  ],
])('a stream for %s has one part', async ([search, json, ofEvents, ofMultipart], { gateway }) => {
  for (const [accept, status, type, body] of [
    ['text/event-stream', ofEvents, 'text/event-stream', sse(json)],
    ['multipart/mixed', ofMultipart, 'multipart/mixed; boundary="-"', multipart(json)],
  ] as const) {
    const response = await fetch(`${gateway.url}/graphql?${search}`, { headers: { accept } })
    expect([response.status, response.headers.get('content-type')]).toEqual([status, type])
    expect(await response.text()).toBe(body)
    expect(response.headers.get('allow')).toBe(status === 405 ? 'POST' : null)
  }
})

// A refusal: GraphQL over HTTP has 200 for plain JSON if the request is well-formed and its query is wrong.

const responseType = 'application/graphql-response+json'
const explained = readFileSync(new URL('../../docs/graphql.md', import.meta.url), 'utf8')

interface Sent {
  readonly method?: string
  readonly target?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends a request, whose errors must all have this code. @returns the status */
async function statusOf(url: string, code: string, sent: Sent, accept: string): Promise<number> {
  const { method = 'POST', target = '/graphql', body = null } = sent
  const response = await fetch(`${url}${target}`, { method, headers: { accept, ...sent.headers }, body })
  const text = await response.text()
  const { errors }: { errors: { extensions?: { code?: unknown } }[] } = JSON.parse(text)
  expect(new Set(errors.map(({ extensions }) => extensions?.code)), text).toEqual(new Set([code]))
  expect(text).not.toMatch(/\bat \S+ \(|node_modules|\.ts:\d/)
  expect(explained).toContain(`| \`${code}\` |`)
  return response.status
}

const posted = (params: Params): Sent => ({ headers: json, body: JSON.stringify(params) })
const bodyOf = (body: string, headers = {}): Sent => ({ headers: { ...json, ...headers }, body })
const byGet = (target: string): Sent => ({ method: 'GET', target: `/graphql${target}` })

const byMethod = 'query ($by: UserLookupMethod = ID) { users(by: $by, values: "1") { id } }'
const listed = 'query ($v: [ID!]!) { users(values: $v) { id } }'
const nullFlag = 'query ($a: Boolean = true) { __typename @skip(if: $a) }'
const wide = `query ($v: [ID!]!) { users(values: $v) { rank ${[...'abcdefghij'].map((a) => `${a}: id`).join(' ')} } }`
const aliases = Array.from({ length: 101 }, (_, at) => `a${at}: id`)
const deep = `{ __schema { types { ${'fields { type { '.repeat(3)} name ${'} } '.repeat(3)} } } }`
const schemas = Array.from(
  { length: 25 },
  (_, at) => `s${at}: __schema { types { fields { name args { name type { name } } } } }`,
)
const circle = Array.from(
  { length: 80 },
  (_, at) => `fragment F${at} on User { ...F${(at + 1) % 80} ...F${(at + 2) % 80} }`,
)
const twoOperations = 'query A { __typename } query B { __typename }'

test.for<[name: string, code: string, query: string, more?: Params, status?: number]>([
  ['no syntax', 'GRAPHQL_PARSE_FAILED', '{ users('],
  ['an empty query', 'GRAPHQL_PARSE_FAILED', ' '],
  ['two unknown fields', 'GRAPHQL_VALIDATION_FAILED', '{ usres asps }'],
  ['a wrong literal', 'GRAPHQL_VALIDATION_FAILED', '{ users(values: [true]) { id } }'],
  ['a mutation', 'GRAPHQL_VALIDATION_FAILED', 'mutation { a }'],
  ['a circle of fragments', 'GRAPHQL_VALIDATION_FAILED', `{ user(value: 1) { ...F0 } } ${circle.join(' ')}`],
  ['a deep introspection', 'GRAPHQL_VALIDATION_FAILED', deep],
  ['a missing variable', 'BAD_USER_INPUT', 'query ($id: ID!) { app(id: $id) { id } }'],
  ['a wrong enum variable', 'BAD_USER_INPUT', byMethod, { variables: { by: 'NAME' } }],
  ['many wrong values', 'BAD_USER_INPUT', listed, { variables: { v: Array(99).fill(true) } }],
  ['a null for an argument', 'BAD_USER_INPUT', byMethod, { variables: { by: null } }, 200],
  ['a null for a directive', 'BAD_USER_INPUT', nullFlag, { variables: { a: null } }],
  ['no such operation', 'OPERATION_RESOLUTION_FAILURE', 'query A { __typename }', { operationName: 'B' }],
  ['no one operation', 'OPERATION_RESOLUTION_FAILURE', twoOperations],
  ['fields too deep', 'TOO_DEEP', `${'{ a '.repeat(7)}${'}'.repeat(7)}`],
  ['too many aliases', 'TOO_MANY_ALIASES', `{ users(values: []) { ${aliases.join(' ')} } }`],
  ['a long alias', 'TOO_LONG_ALIAS', `{ ${'a'.repeat(201)}: __typename }`],
  ['too many tokens', 'TOO_MANY_TOKENS', `{ ${'__typename '.repeat(1000)} }`],
  ['too many values', 'TOO_MANY_VALUES', listed, { variables: { v: Array(1001).fill('1') } }],
  ['too many fields', 'TOO_MANY_FIELDS', wide, { variables: { v: Array(910).fill('1') } }],
  ['many introspections', 'TOO_MUCH_INTROSPECTION', `{ ${schemas.join(' ')} }`],
])('%s is %s', async ([, code, text, more, status = 400], { gateway }) => {
  const sent = posted({ query: text, ...more })
  // The operation is compiled after some uses.
  for (const _use of [1, 2, 3, 4]) expect(await statusOf(gateway.url, code, sent, responseType)).toBe(status)
  expect(await statusOf(gateway.url, code, sent, 'application/json')).toBe(200)
})

const nested = (open: string, close: string) => `${open.repeat(10_000)}1${close.repeat(10_000)}`
test.for<[code: string, status: number, name: string, sent: Sent]>([
  ['BAD_REQUEST', 400, 'an empty body', bodyOf('')],
  ['BAD_REQUEST', 400, 'a body that is no JSON', bodyOf('{')],
  ['BAD_REQUEST', 400, 'JSON that is no object', bodyOf('1')],
  ['BAD_REQUEST', 400, 'a deep array', bodyOf(nested('[', ']'))],
  [
    'BAD_REQUEST',
    400,
    'deep variables',
    bodyOf(`{"query":"{ __typename }","variables":{"a":${nested('[', ']')}}}`),
  ],
  ['BAD_REQUEST', 400, 'an empty batch', bodyOf('[]')],
  ['BAD_REQUEST', 400, 'a batch of eleven', bodyOf(`[${Array(11).fill(query).join()}]`)],
  ['BAD_REQUEST', 400, 'a batch with a number', bodyOf(`[${query},1]`)],
  ['BAD_REQUEST', 400, 'no query', posted({})],
  ['BAD_REQUEST', 400, 'a query that is a number', posted({ query: 1 })],
  ['BAD_REQUEST', 400, 'variables that are a text', posted({ query: '{a}', variables: 'a' })],
  ['BAD_REQUEST', 400, 'an operation name that is a list', posted({ query: '{a}', operationName: ['a'] })],
  ['BAD_REQUEST', 400, 'extensions that are a list', posted({ query: '{a}', extensions: [1] })],
  ['UNSUPPORTED_MEDIA_TYPE', 415, 'a body of no type', bodyOf(query, { 'content-type': '' })],
  ['NOT_ACCEPTABLE', 406, 'no acceptable type', bodyOf(query, { accept: 'image/png' })],
  ['TOO_LARGE_BODY', 413, 'a body that is too large', bodyOf(' '.repeat(65_537))],
  ['BAD_REQUEST', 405, 'another method', { ...bodyOf(query), method: 'PUT' }],
  ['BAD_REQUEST', 400, 'no query by GET', byGet('')],
  ['BAD_REQUEST', 405, 'a mutation by GET', byGet('?query=mutation{a}')],
  ['BAD_REQUEST', 405, 'a mutation by GET among others', byGet('?query={a}mutation A{b}&operationName=A')],
  ['GRAPHQL_VALIDATION_FAILED', 400, 'an unknown field by GET', byGet('?query={a}')],
  ['BAD_REQUEST', 400, 'broken variables by GET', byGet('?query={__typename}&variables={')],
  ['BAD_REQUEST', 400, 'broken extensions by GET', byGet('?query={__typename}&extensions=no')],
  ['BAD_REQUEST', 400, 'a query by GET that is not UTF-8', byGet('?query={__typename}%23s%F8ren')],
  ['BAD_REQUEST', 400, 'too many parameters', byGet(`?query={__typename}${'&a'.repeat(100)}`)],
  ['TOO_LONG_TARGET', 414, 'a long target', byGet(`?query={__typename}&a=${'a'.repeat(65_536)}`)],
])('%s, status %i: %s', async ([code, status, , sent], { gateway }) => {
  for (const accept of [responseType, 'application/json']) {
    const isOfQuery = /^GRAPHQL|^OPERATION/.test(code) && accept !== responseType
    expect(await statusOf(gateway.url, code, sent, accept)).toBe(isOfQuery ? 200 : status)
  }
})

test('a stream counts under its own outcome', async ({ gateway }) => {
  for (const query of ['{user(value:2){id}}', '{a}']) {
    await fetch(`${gateway.url}/graphql?query=${query}`, { headers: { accept: 'text/event-stream' } })
  }
  const outcomes = gateway.observations.flatMap((one) => (one.type === 'request' ? [one.about.outcome] : []))
  expect(outcomes.slice(-2)).toEqual(['ok', 'InvalidGraphQL'])
})
