// A call to an old service: its headers, its bytes, a response that is compressed, and one that redirects.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../src/config/config.ts'
import { parseServiceUrl } from '../../../src/config/old-service.ts'
import { createCall, describeRedirection } from '../../../src/stores/old-service/call.ts'
import { listen } from '../../migration/cutover/support.ts'
import { openOverOld, type Settings, serveAnswers, usersOf } from './support.ts'

/** A service with this response, and a call to it. */
async function start(answer: (response: ServerResponse) => void, most = 2 ** 23) {
  const service = await serveAnswers((_, response) => {
    answer(response)
    return null
  })
  const { url } = service
  return { ...service, call: createCall({ url, headers: {} }, { timeout: 10_000, connections: 1, most }) }
}

/** The first request to an old service. */
async function requestWith(settings: Settings, login = '') {
  const requests: IncomingMessage[] = []
  const { url } = await serveAnswers((_, response) => {
    requests.push(response.req)
    return {}
  })
  await openOverOld(url.replace('//', `//${login}`), settings).find('ID', '1', '2')
  return { request: requests[0], headers: requests[0]?.headers, host: new URL(url).host }
}

test('a request has all values, and a User-Agent, but nothing else of its own', async () => {
  const { request, headers, host } = await requestWith({})
  expect(request?.url).toBe('/?Event=ProfileLookup&MethodOfAccessingUserInformation=id&Users=1:2')
  const agent = expect.stringMatching(/^lookup-service\//)
  expect(headers).toEqual({ host, connection: 'keep-alive', 'user-agent': agent })
})

test('a request has the headers of DATABASE_HEADERS as they are spelled, and the login of the address', async () => {
  const text = 'X-API-key: a, b; "c":d\nuser-agent: Desktop/2.1\nHost: old.example\nCookie: caf\u00e9=1'
  const { headers, request } = await requestWith({ DATABASE_HEADERS: text }, 'j%C3%BCrgen:p%40ss:w%2Frd@')
  expect(headers).toEqual({
    ...{ host: 'old.example', connection: 'keep-alive', 'user-agent': 'Desktop/2.1' },
    ...{ 'x-api-key': 'a, b; "c":d', cookie: 'caf\u00e9=1' },
    authorization: `Basic ${Buffer.from('jürgen:p@ss:w/rd').toString('base64')}`,
  })
  expect(request?.rawHeaders).toContain('X-API-key')
})

test('a request has bytes beyond ASCII as they are, and nothing that ends its first line', async () => {
  const lines: string[] = []
  // Node's server does not accept them.
  const url = await listen((socket) =>
    socket.on('data', (data) => {
      lines.push(data.toString('latin1').split('\r\n')[0] ?? '')
      socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    }),
  )
  const call = createCall({ url, headers: {} }, { timeout: 10_000, connections: 1 })
  for (const query of ['a=\u00c3\u00a9\xff', 'a=b c\r\nHost: x\0', 'a=\u20ac\ud800']) await call(query)
  expect(lines).toEqual([
    'GET /?a=\u00c3\u00a9\xff HTTP/1.1',
    'GET /?a=b%20c%0D%0AHost:%20x%00 HTTP/1.1',
    'GET /?a=%E2%82%AC%EF%BF%BD HTTP/1.1',
  ])
})

test.for<[Readonly<Record<string, string>>, string]>([
  ...['DATABASE', 'SHADOW', 'CUTOVER'].map((name): [Readonly<Record<string, string>>, string] => [
    { [`${name}_URL`]: 'https://me:secret@old.example/', [`${name}_HEADERS`]: 'authorization: Bearer x' },
    `${name}_URL has a login, and ${name}_HEADERS has an Authorization header. Remove one of them.`,
  ]),
  [{ SHADOW_HEADERS: 'X-Key: abc' }, 'SHADOW_HEADERS needs a SHADOW_URL'],
  [{ DATABASE_HEADERS: 'X: y', DATABASE_URL: 'sqlite:x.db' }, 'DATABASE_HEADERS needs a DATABASE_URL of an'],
])('%j is a mistake', ([environment, problem]) => {
  expect(() => readConfig({ environment })).toThrow(problem)
})

const body = JSON.stringify(usersOf(['1']))
const sending = (coding: string, bytes: Buffer) => (response: ServerResponse) =>
  void response.writeHead(200, { 'Content-Encoding': coding }).end(bytes)

test.for([
  ['GZIP', 'gzip', gzipSync],
  [' deflate ', 'deflate', deflateSync],
  ['br', 'br', brotliCompressSync],
] as const)(
  'a response with the Content-Encoding "%s" is read, unless it is broken',
  async ([header, coding, compress]) => {
    const good = await start(sending(header, compress(body)))
    expect(await good.call('a')).toMatchObject({ status: 200, body: Buffer.from(body), coding })
    expect(await openOverOld(good.url).find('ID', '1')).toEqual([1])
    const empty = await start(sending(header, Buffer.alloc(0)))
    expect((await empty.call('a')).body).toHaveLength(0)
    const large = await start(sending(header, compress(Buffer.alloc(100_001))), 100_000)
    await expect(large.call('a')).rejects.toThrow('its response has more than 100000 bytes')
    const packed = compress('x'.repeat(10_000) + Math.random())
    for (const bytes of [packed.subarray(0, -4), Buffer.from('{"1":null}'), Buffer.from([7])]) {
      const { call, url } = await start(sending(header, bytes))
      const message = expect.stringContaining(`is not valid ${coding}`)
      await expect(call('a')).rejects.toMatchObject({ kind: 'broken', message })
      expect(await openOverOld(url).find('ID', '1')).toBe('Unavailable')
    }
  },
)

test.for([
  ['identity', true],
  ['', true],
  ['zstd', false],
  ['gzip, br', false],
] as const)('the Content-Encoding "%s" is supported: %s', async ([header, isRead]) => {
  const { call } = await start(sending(header, Buffer.from(body)))
  if (isRead) expect(await call('a')).toEqual(expect.objectContaining({ body: Buffer.from(body) }))
  else await expect(call('a')).rejects.toThrow('its response has a Content-Encoding that is not supported')
})

describe('a redirection', () => {
  const from = 'http://old.example/a/lookup.php'

  const use = (address: string) => `it redirects to ${address}: use that address`
  const useless = /^it redirects to itself, or to an address that is not http\(s\):/
  test.for([
    ['https://old.example/a/lookup.php?Event=x', 'https://old.example/a/lookup.php'],
    ['http://new.example:8080/?Event=x#y', 'http://new.example:8080/'],
    ['../b', 'http://old.example/b'],
    ['https://me:secret@new.example/b', 'https://new.example/b'],
    ['/b c/@d', 'http://old.example/b%20c/%40d'],
  ] as const)('to %s: use that address', ([location, address]) => {
    expect(describeRedirection(from, location).toLowerCase()).toBe(use(address).toLowerCase())
    // The next command takes it as it is.
    expect(parseServiceUrl(address)).toEqual({ url: address, authorization: null })
  })

  test.for([
    ...['ftp://a/', 'mailto:a@b', 'http://', 'https://a:b/'],
    ...['?session=1', '', '/a/lookup.php?x', 'http://me@old.example/a/lookup.php'],
  ])('to "%s" has no address to use', (location) => {
    expect(describeRedirection(from, location)).toMatch(useless)
  })

  test('is not followed', async () => {
    const elsewhere = await serveAnswers(() => ({}))
    const { call } = await start((response) => {
      response.writeHead(301, { Location: `${elsewhere.url}?x` }).end('moved')
    })
    await expect(call('a')).rejects.toMatchObject({ kind: 'redirected', message: use(elsewhere.url) })
    expect(elsewhere.asked).toEqual([])
  })

  test.for([
    ['Retry-After', 'outage', 'the old service answers with status 302'],
    ['X', 'redirected', /^the old service failed: it redirects to http.*\/new: use that address$/],
  ] as const)('with the header %s is in the log as %s', async ([name, kind, said]) => {
    const { url } = await start((response) =>
      response.writeHead(302, { Location: '/new', [name]: '60' }).end(),
    )
    const { find, observations } = openOverOld(url.replace('//', '//me:secret@'))
    expect(await find('ID', '1')).toBe('Unavailable')
    const message = typeof said === 'string' ? said : expect.stringMatching(said)
    expect(observations).toMatchObject([{ error: { kind, message } }])
  })
})
