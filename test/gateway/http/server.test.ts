// HTTP itself: order, what cannot be read, and what is too large.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { exchange, readAnswers, requestFor, talking } from './raw.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const lookup = (id: number) => `/?Event=ProfileLookup&Users=${id}`
const stack = /\n\s+at |node_modules|node:internal|\.[jt]s:\d|Error:/

describe('pipelining', () => {
  test('answers in the order of the requests', () =>
    talking(gateway.url, async ({ write, answer }) => {
      // GraphQL takes longer than a look-up, and loads its code when first asked.
      const targets = [
        '/graphql?query={a:__typename}',
        lookup(1),
        '/nothing',
        '/graphql?query={b:__typename}',
        lookup(2),
      ]
      write(targets.map((target) => requestFor(target)).join(''))
      const answers: string[] = []
      for (const _target of targets) answers.push((await answer()).body)
      expect(answers[0]).toBe('{"data":{"a":"Query"}}')
      expect(answers[1]).toContain('"Ada"')
      expect(answers[2]).toContain('NotFound')
      expect(answers[3]).toBe('{"data":{"b":"Query"}}')
      expect(answers[4]).toContain('"s\\u00f8ren"')
    }))

  test('of 200 requests answers each', () =>
    talking(gateway.url, async ({ write, answer }) => {
      const ids = Array.from({ length: 200 }, (_, index) => (index % 13) + 1)
      write(ids.map((id) => requestFor(lookup(id))).join(''))
      for (const id of ids) expect((await answer()).body).toContain(`{"${id}":{"Id":${id},`)
    }))

  // Found by fuzzing: Node put the 100 between the headers and the body of an answer that had to wait.
  test('tells clients that expect 100 to go on in their turn', () =>
    talking(gateway.url, async ({ socket, write, ended }) => {
      let received = ''
      socket.on('data', (text) => {
        received += text
      })
      const expecting = (...more: string[]) =>
        requestFor('/nothing', ['Host: a', 'Expect: 100-continue', 'Content-Length: 2', ...more], 'POST')
      write(`${requestFor(lookup(1)) + expecting()}{}${expecting('Connection: close')}{}`)
      await ended(2000)
      const answers = readAnswers(received)
      expect(answers.map(({ status }) => status)).toEqual([200, 100, 404, 100, 404])
      expect(answers[2]?.body).toContain('NotFound')
    }))

  test('stops where a client says close', () =>
    talking(gateway.url, async ({ write, answer, ended }) => {
      write(requestFor(lookup(1), ['Host: a', 'Connection: close']) + requestFor(lookup(2)))
      expect((await answer()).headers.connection).toBe('close')
      await ended(1000)
    }))
})

test('a request in single bytes is answered', () =>
  talking(gateway.url, async ({ write, answer }) => {
    for (const byte of requestFor(lookup(1))) {
      write(byte)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect((await answer()).status).toBe(200)
  }))

describe('what is no HTTP is 400, and cut', () => {
  test.each([
    ['text', 'hello\r\n\r\n'],
    ['a blank request line', ' \r\n\r\n'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', 'LOOK / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a method in lower case', 'get / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['an unknown version', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n'],
    ['a blank in the target', 'GET /?Users=a b HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['NUL in the target', 'GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['NUL in a header', 'GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n'],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n'],
    ['a blank before the colon', 'GET / HTTP/1.1\r\nHost: a\r\nContent-Length : 1\r\n\r\nx'],
    ['a length that is no number', 'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n'],
    ['a negative length', 'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
    ['two lengths', 'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'],
    [
      'a length and chunks',
      'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'chunks that are none',
      'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
    ],
  ])('%s', (_name, request) =>
    talking(gateway.url, async ({ write, answer, ended }) => {
      write(request)
      const { status, headers, body } = await answer()
      expect(status).toBe(400)
      expect(headers.connection).toBe('close')
      expect(body).not.toMatch(stack)
      await ended(1000)
    }),
  )
})

describe('what is too large', () => {
  const long = (bytes: number) => `/?Event=ProfileLookup&Users=${'1'.repeat(bytes - 28)}`
  test('a target of 64 KiB is read', async () => {
    const { status, body } = await exchange(gateway.url, requestFor(long(64 * 1024)))
    expect({ status, body }).toEqual({ status: 400, body: expect.stringContaining('MalformedIdentifier') })
  })
  test.each([64 * 1024 + 1, 120 * 1024, 300 * 1024, 1024 * 1024])(
    'a target of %i bytes is 414',
    async (bytes) => {
      const { status, body, headers } = await exchange(gateway.url, requestFor(long(bytes)))
      expect(status).toBe(414)
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect(JSON.parse(body)).toMatchObject({ Error: { Code: 'TooLongTarget' } })
    },
  )
  test.each([300, 1000])('headers of %i KB are 431', async (kilobytes) => {
    const lines = Array.from({ length: kilobytes }, (_, index) => `X-${index}: ${'x'.repeat(1000)}`)
    const { status, body } = await exchange(gateway.url, requestFor(lookup(1), ['Host: a', ...lines]))
    expect(status).toBe(431)
    expect(body).not.toMatch(stack)
  })
  test('10,000 headers are no error of ours', async () => {
    const headers = Array.from({ length: 10_000 }, (_, index) => `x${index}: y`)
    const { status } = await exchange(gateway.url, requestFor(lookup(1), ['Host: a', ...headers]))
    expect([200, 431]).toContain(status)
  })
})
