// What a request's body may be: its size, its type, its shape.

import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { exchange, requestFor, talking } from '../http/raw.ts'
import { ask, codeOf, get, post } from './client.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const LIMIT = 64 * 1024

/** A body of so many bytes. */
function bodyOf(bytes: number): string {
  const start = '{"query":"{ __typename } # '
  const end = '"}'
  return `${start}${'x'.repeat(bytes - start.length - end.length)}${end}`
}

const HEAD = 'POST /graphql HTTP/1.1\r\nHost: gateway\r\nContent-Type: application/json\r\n'
const withLength = (body: string) => `${HEAD}Content-Length: ${body.length}\r\n\r\n${body}`
const inChunks = (body: string) => {
  const chunks = body.match(/.{1,10000}/gs)?.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
  return `${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunks?.join('')}0\r\n\r\n`
}

describe.each([
  ['with a Content-Length', withLength],
  ['in chunks', inChunks],
])('a body %s', (_name, requestWith) => {
  test('of 64 KiB is answered', async () => {
    const { status, body } = await exchange(gateway.url, requestWith(bodyOf(LIMIT)))
    expect({ status, body }).toEqual({ status: 200, body: '{"data":{"__typename":"Query"}}' })
  })

  test.each([LIMIT + 1, LIMIT * 64])(
    'of %i bytes is 413; the connection is closed, or fit for more',
    (bytes) =>
      talking(gateway.url, async (conversation) => {
        conversation.write(requestWith(bodyOf(bytes)))
        const { status, headers, body } = await conversation.answer()
        expect(status).toBe(413)
        expect(JSON.parse(body)).toMatchObject({ errors: [{ extensions: { code: 'TOO_LARGE_BODY' } }] })
        if (headers.connection === 'close') await conversation.ended(1000)
        else {
          conversation.write(requestFor('/graphql?query={__typename}'))
          expect((await conversation.answer({ within: 1000 })).status).toBe(200)
        }
      }),
  )
})

test('1,024 chunks are read; more are 413, and the connection is closed', async () => {
  const body = '{"query":"{ __typename }"}'
  const chunks = (count: number) => {
    const blanks = '1\r\n \r\n'.repeat(count - 1)
    const last = `${body.length.toString(16)}\r\n${body}\r\n`
    return `${HEAD}Transfer-Encoding: chunked\r\n\r\n${blanks}${last}0\r\n\r\n`
  }
  expect((await exchange(gateway.url, chunks(1_024))).status).toBe(200)
  await talking(gateway.url, async ({ write, answer, ended }) => {
    write(chunks(1_025))
    const refused = await answer()
    expect([refused.status, refused.headers.connection]).toEqual([413, 'close'])
    expect(JSON.parse(refused.body)).toMatchObject({ errors: [{ extensions: { code: 'TOO_MANY_CHUNKS' } }] })
    await ended(2_000)
  })
})

test('a body that is declared too large is 413 before it is sent', async () => {
  const { status } = await exchange(gateway.url, `${HEAD}Content-Length: 1000000000\r\n\r\n`, 1000)
  expect(status).toBe(413)
})

test.each(['gzip', 'GZIP', 'gzip, identity', 'unknown'])('a body in the coding %s is 415', async (coding) => {
  const plain = Buffer.from('{"query":"{ __typename }"}')
  for (const body of [plain, gzipSync(plain)]) {
    const request = `${HEAD}Content-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`
    const refused = await exchange(gateway.url, request + body.toString('latin1'))
    expect(refused).toMatchObject({ status: 415, headers: { 'accept-encoding': 'identity' } })
    expect(JSON.parse(refused.body)).toMatchObject({ errors: [{ extensions: { code: 'COMPRESSED_BODY' } }] })
  }
})

test.each(['', 'identity', 'Identity'])('a body in the coding "%s" is read', async (coding) => {
  const body = '{"query":"{ __typename }"}'
  const request = `${HEAD}Content-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  expect((await exchange(gateway.url, request)).status).toBe(200)
})

test('the limit is of bytes, not of characters', async () => {
  const body = JSON.stringify({ query: `{ __typename } # ${'花'.repeat(LIMIT / 3)}` })
  expect(body.length).toBeLessThan(LIMIT)
  const bytes = Buffer.from(body).toString('latin1')
  expect((await exchange(gateway.url, withLength(bytes))).status).toBe(413)
})

test.each([
  'text/plain',
  'application/octet-stream',
  'multipart/form-data; boundary=x',
  'application/json-patch+json',
  'application/jsonp',
  'nonsense',
])('content of type %s is 415', async (type) => {
  const refused = await post(gateway, '{"query":"{ __typename }"}', type)
  expect(refused.status).toBe(415)
  expect(refused.text).not.toContain('"Query"')
})

const json = '{"query":"query A { a: __typename } query B { b: __typename }","operationName":"A"}'
test.each([
  ['application/json; charset=utf-8', json],
  ['Application/JSON', json],
  ['application/json;charset=UTF-8', json],
  ['application/json ; charset=utf-8', json],
  ['application/json\t;\tcharset="utf-8"', json],
  ['application/graphql+json', json],
  ['application/graphql', '{ a: __typename }'],
  ['application/x-www-form-urlencoded', 'query=%7B+a%3A+__typename+%7D&variables={}'],
])('content of type %s is read', async (type, body) => {
  expect(await post(gateway, body, type)).toMatchObject({ status: 200, data: { a: 'Query' } })
})

const deep = (open: string, close: string) => `${open.repeat(10_000)}1${close.repeat(10_000)}`
test.each([
  ['nothing', ''],
  ['bytes that are no text', '\ufffd\u0000'],
  ['null', 'null'],
  ['a deep array', deep('[', ']')],
  ['a deep object', deep('{"a":', '}')],
  ['a deep array as variables', `{"query":"{ __typename }","variables":${deep('[', ']')}}`],
])('%s as the body is 400', async (_name, body) => {
  const refused = await post(gateway, body)
  expect([refused.status, codeOf(refused)]).toEqual([400, 'BAD_REQUEST'])
  expect(refused.text).not.toMatch(/\bat \S+ \(|node_modules|\.ts:\d/)
})

test.each([
  ['variables', null],
  ['extensions', null],
  ['operationName', null],
  ['extensions', { anything: { at: ['all'] } }],
  ['variables', { unknown: 1 }],
])('%s may be %j', async (name, value) => {
  const { status, data } = await ask(gateway, { query: '{ __typename }', [name]: value })
  expect({ status, data }).toEqual({ status: 200, data: { __typename: 'Query' } })
})

test.each([
  ['query={a:__typename}', 'Query'],
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
])('the query string %s is read', async (search, a) => {
  const response = await fetch(`${gateway.url}/graphql?${search}`)
  expect(await response.json()).toEqual({ data: { a } })
})

test.each(['variables', 'extensions'])('%s that are no JSON are 400', async (name) => {
  for (const value of ['{', 'no', "{'a':1}", '[1', '"', '\0']) {
    const params = { query: '{ __typename }', [name]: value }
    const form = new URLSearchParams(params).toString()
    for (const refused of [
      await get(gateway, params),
      await post(gateway, form, 'application/x-www-form-urlencoded'),
    ]) {
      expect(refused.status).toBe(400)
      expect(refused.data).toBeUndefined()
    }
  }
})
