// What a request's body may be: its size, its type, its shape.

import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { exchange, requestFor, talking } from '../http/raw.ts'
import { ask, get, post } from './client.ts'

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

  describe.each([LIMIT + 1, LIMIT * 4, LIMIT * 64])('of %i bytes', (bytes) => {
    test('is 413, and says why', async () => {
      const { status, body } = await exchange(gateway.url, requestWith(bodyOf(bytes)))
      expect(status).toBe(413)
      expect(JSON.parse(body)).toMatchObject({
        errors: [{ message: expect.stringMatching(/body.*(large|long|bytes)/i) }],
      })
    })

    test('leaves the connection closed, or fit for the next request', () =>
      talking(gateway.url, async (conversation) => {
        conversation.write(requestWith(bodyOf(bytes)))
        const { headers } = await conversation.answer()
        if (headers.connection === 'close') await conversation.ended(1000)
        else {
          conversation.write(requestFor('/graphql?query={__typename}'))
          expect((await conversation.answer({ within: 1000 })).status).toBe(200)
        }
      }))
  })
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
    expect(JSON.parse(refused.body)).toEqual({
      errors: [
        {
          message: 'The request body comes in more than 1024 chunks. Send it with a Content-Length.',
          extensions: { code: 'TOO_MANY_CHUNKS' },
        },
      ],
    })
    await ended(2_000)
  })
})

test('a body that is declared too large is 413 before it is sent', async () => {
  const { status } = await exchange(gateway.url, `${HEAD}Content-Length: 1000000000\r\n\r\n`, 1000)
  expect(status).toBe(413)
})

test.each(['gzip', 'zstd', 'GZIP', 'gzip, identity', 'unknown'])(
  'a body in the coding %s is 415, whatever is in it',
  async (coding) => {
    const plain = Buffer.from('{"query":"{ __typename }"}')
    for (const body of [plain, gzipSync(plain)]) {
      const request = `${HEAD}Content-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`
      const refused = await exchange(gateway.url, request + body.toString('latin1'))
      expect(refused).toMatchObject({ status: 415, headers: { 'accept-encoding': 'identity' } })
      expect(JSON.parse(refused.body)).toMatchObject({
        errors: [{ extensions: { code: 'COMPRESSED_BODY' } }],
      })
    }
  },
)

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
  'text/html',
  'application/xml',
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

test.each([
  'application/json; charset=utf-8',
  'Application/JSON',
  'application/json;charset=UTF-8',
  'application/json ; charset=utf-8',
  'application/json\t;\tcharset="utf-8"',
])('content of type %s is JSON', async (type) => {
  expect((await post(gateway, '{"query":"{ __typename }"}', type)).status).toBe(200)
})

const deep = (open: string, close: string) => `${open.repeat(10_000)}1${close.repeat(10_000)}`
test.each([
  ['nothing', ''],
  ['a blank', ' '],
  ['no JSON', '{'],
  ['JavaScript', "{query:'{__typename}'}"],
  ['bytes that are no text', '\ufffd\u0000'],
  ['an array', '[{"query":"{ __typename }"}]'],
  ['an empty array', '[]'],
  ['a text', '"{ __typename }"'],
  ['a number', '1'],
  ['a boolean', 'true'],
  ['null', 'null'],
  ['an empty object', '{}'],
  ['a deep array', deep('[', ']')],
  ['a deep object', deep('{"a":', '}')],
  ['a query that is null', '{"query":null}'],
  ['a query that is a number', '{"query":1}'],
  ['a query that is an object', '{"query":{"kind":"Document"}}'],
  ['a query that is an array', '{"query":["{ __typename }"]}'],
  ['a query that is a boolean', '{"query":true}'],
  ['variables that are a text', '{"query":"{ __typename }","variables":"{}"}'],
  ['variables that are an array', '{"query":"{ __typename }","variables":[]}'],
  ['variables that are a number', '{"query":"{ __typename }","variables":7}'],
  ['variables that are a deep array', `{"query":"{ __typename }","variables":${deep('[', ']')}}`],
  ['extensions that are a text', '{"query":"{ __typename }","extensions":"x"}'],
  ['extensions that are an array', '{"query":"{ __typename }","extensions":[]}'],
  ['an operation name that is a number', '{"query":"{ __typename }","operationName":1}'],
  ['an operation name that is an object', '{"query":"{ __typename }","operationName":{}}'],
])('%s as the body is 400', async (_name, body) => {
  const refused = await post(gateway, body)
  expect(refused.status).toBe(400)
  expect(refused.data).toBeUndefined()
  expect(refused.errors?.[0]?.message).toEqual(expect.any(String))
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

const broken = ['{', 'no', "{'a':1}", '[1', '"', '\0']
describe.each(['variables', 'extensions'])('%s that are no JSON', (name) => {
  test.each(broken)('as %j in a query string are 400', async (value) => {
    const refused = await get(gateway, { query: '{ __typename }', [name]: value })
    expect(refused.status).toBe(400)
    expect(refused.data).toBeUndefined()
  })
  test.each(broken)('as %j in a form are 400', async (value) => {
    const form = new URLSearchParams({ query: '{ __typename }', [name]: value })
    const refused = await post(gateway, form.toString(), 'application/x-www-form-urlencoded')
    expect(refused.status).toBe(400)
    expect(refused.data).toBeUndefined()
  })
})
