// What clients of the old side get, byte for byte, and what the old service gets.

import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { requestFor, talking } from '../../http/raw.ts'
import { startOldService } from '../../kit/old-service.ts'
import { answering, bytesOf, closing, cutOver, lookup, ofType, startRaw } from './support.ts'

/** Headers of the connection, and those that the gateway adds. */
const isOurs = (line: string) => /^(?:connection|keep-alive|x-request-id|date):/i.test(line)

describe('the response is the same directly and through the gateway', () => {
  const targets = [
    lookup,
    '/?Event=ProfileLookup&Users=1:2:3',
    '/?Event=ProfileLookup&Users=1:2:3&Format=XML',
    '/?Event=ProfileLookup&Users=%zz&&==',
    '/?Event=Nothing',
    '/?',
  ]
  test.for([
    ...targets.flatMap((target) => [['GET', target, {}] as const, ['HEAD', target, {}] as const]),
    ['GET', lookup, { gzip: true }],
    ['GET', lookup, { movedTo: 'https://elsewhere.example/' }],
    ['GET', lookup, { failing: true }],
  ] as const)('%s %s of a service with %j', async ([method, target, switches]) => {
    const old = await startOldService(switches)
    onTestFinished(old.close)
    const gateway = await cutOver(old.url, { COMPRESSION: 'all' })
    const request = requestFor(target, closing, method)
    const [direct, passed] = await Promise.all([bytesOf(old.url, request), bytesOf(gateway.url, request)])
    const shown = ({ head, body }: typeof direct) => ({ head: head.filter((line) => !isOurs(line)), body })
    expect(shown(passed)).toEqual(shown(direct))
  })
})

test('headers keep their repetition, case and order; those of the connection are dropped', async () => {
  const old = await startRaw(
    [
      'HTTP/1.1 203 Quite\xe9 Right',
      'Set-Cookie: a=1',
      'X-Hop: 1',
      'x-request-id: the old one',
      'SET-cookie: b=2',
      'ETag: W/"x"',
      'Connection: close, X-Hop',
      'Keep-Alive: timeout=5',
      'Trailer: X-End',
      'Transfer-Encoding: chunked',
      'Content-Type: application/json;charset=x',
      'Date: Sat, 01 Jan 2000 00:00:00 GMT',
      '',
      '2\r\n{\xff\r\n1;x=y\r\n}\r\n0\r\nX-End: 1\r\n\r\n',
    ].join('\r\n'),
  )
  const gateway = await cutOver(old.url)
  const { head, body } = await bytesOf(gateway.url, requestFor('/?Event=AppLookup', closing))
  expect(body).toBe('{\xff}')
  expect(head).toEqual([
    'HTTP/1.1 203 Quite\xe9 Right',
    'Set-Cookie: a=1',
    'x-request-id: the old one',
    'SET-cookie: b=2',
    'ETag: W/"x"',
    'Content-Type: application/json;charset=x',
    'Date: Sat, 01 Jan 2000 00:00:00 GMT',
    'Content-Length: 3',
    'Connection: close',
  ])
})

describe('the old service gets', () => {
  const silent = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'
  const exchanged = async (
    settings: Readonly<Record<string, string>>,
    request: string,
    path = '',
  ): Promise<string[]> => {
    const old = await startRaw(silent)
    const gateway = await cutOver(old.url + path, settings)
    await bytesOf(gateway.url, request)
    return old.requests[0]?.split('\r\n') ?? []
  }
  const target = '/?Event=ProfileLookup&Users=%c3%28+"<é'.replace('é', '\xc3\xa9')

  test('the target byte for byte, the headers of the client, and its address', async () => {
    const sent = await exchanged(
      {},
      requestFor(target, [
        'Host: lookup.example:81',
        'X-B: 1',
        'x-a: \xe9',
        'X-B: 2',
        'TE: trailers',
        'Connection: close, X-Secret',
        'X-Secret: 1',
        'Accept-Encoding: br',
        'X-Forwarded-For: 203.0.113.9',
        'X-Forwarded-Proto: https',
        'Forwarded: for=203.0.113.9',
        'Authorization: Bearer client',
      ]),
    )
    const [line, host, ...headers] = sent
    expect(line).toBe(`GET ${target} HTTP/1.1`)
    expect(host).toMatch(/^Host: 127\.0\.0\.1:\d+$/)
    expect(headers).toEqual([
      'X-B: 1',
      'x-a: \xe9',
      'X-B: 2',
      'Accept-Encoding: br',
      'Authorization: Bearer client',
      'X-Forwarded-For: 127.0.0.1',
      'X-Forwarded-Host: lookup.example:81',
      'X-Forwarded-Proto: http',
      expect.stringMatching(/^Via: 1\.1 lookup-[\da-f]{8}$/),
      'Connection: keep-alive',
      '',
      '',
    ])
  })

  test('the headers of a trusted proxy about the client', async () => {
    const sent = await exchanged(
      { TRUSTED_PROXIES: 'loopback' },
      requestFor('/?Event=AppLookup', [
        ...closing,
        'X-Forwarded-For: 203.0.113.9',
        'X-Forwarded-Host: lookup.example',
        'X-Forwarded-Proto: https',
        'Forwarded: for=203.0.113.9',
        'Via: 1.1 front',
      ]),
    )
    expect(sent).toEqual(
      expect.arrayContaining([
        'X-Forwarded-For: 203.0.113.9, 127.0.0.1',
        'X-Forwarded-Host: lookup.example',
        'X-Forwarded-Proto: https',
        'Forwarded: for=203.0.113.9',
        expect.stringMatching(/^Via: 1\.1 front, 1\.1 lookup-/),
      ]),
    )
  })

  test('the headers of CUTOVER_HEADERS instead of those of the client', async () => {
    const own = 'Host: virtual.example\\nX-Api-Key: ours'
    const request = requestFor('/?Event=AppLookup', [...closing, 'x-api-key: theirs', 'Cookie: c'])
    const sent = await exchanged({ CUTOVER_HEADERS: own }, request)
    expect(sent.filter((line) => /^(?:host|x-api-key|cookie):/i.test(line))).toEqual([
      'Cookie: c',
      'Host: virtual.example',
      'X-Api-Key: ours',
    ])
  })

  test('requests at the path of CUTOVER_URL', async () => {
    const request = requestFor('/?Event=AppLookup&Apps=1', closing)
    expect((await exchanged({}, request, 'old/lookup.php'))[0]).toBe(
      'GET /old/lookup.php?Event=AppLookup&Apps=1 HTTP/1.1',
    )
    expect((await exchanged({}, requestFor('http://gateway?Event=AppLookup', closing)))[0]).toBe(
      'GET /?Event=AppLookup HTTP/1.1',
    )
  })

  test('bodies of other methods, up to MAX_BODY', async () => {
    const old = await answering(async (request, response) => {
      const { method, url, headers } = request
      const sent = await text(request)
      response.end(JSON.stringify({ method, url, type: headers['content-encoding'], length: sent.length }))
    })
    const { url } = await cutOver(old.url, { MAX_BODY: '2048' })
    const post = (body: string) =>
      fetch(`${url}/?Event=ProfileLookup`, { method: 'POST', body, headers: { 'Content-Encoding': 'gzip' } })
    expect(await (await post('Users=1'.padEnd(2048))).json()).toEqual({
      method: 'POST',
      url: '/?Event=ProfileLookup',
      type: 'gzip',
      length: 2048,
    })
    const refused = await post('x'.repeat(2049))
    expect(refused.status).toBe(413)
    expect(await refused.json()).toMatchObject({ Error: { Code: 'TooLargeBody' } })
    expect(old.asked).toHaveLength(1)
    const chunked = `POST /?x HTTP/1.1\r\n${closing.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`
    expect(JSON.parse((await bytesOf(url, chunked)).body)).toMatchObject({ length: 3 })
    expect(await (await fetch(`${url}/?x`, { method: 'OPTIONS' })).json()).toMatchObject({
      method: 'OPTIONS',
    })
  })

  test('only requests of the legacy interface', async () => {
    const old = await answering((_, response) => void response.end('{}'))
    const { url } = await cutOver(old.url)
    const graphql = `${url}/graphql?query={__typename}`
    expect(await (await fetch(graphql)).json()).toEqual({ data: { __typename: 'Query' } })
    for (const path of ['/', '/graphql', '/schema/openapi.json', '/explain?Event=AppLookup', '/nothing'])
      await (await fetch(url + path, { headers: { Accept: 'text/html' } })).text()
    expect(old.asked).toEqual([])
    await (await fetch(`${url}/`)).text()
    expect(old.asked).toEqual(['/'])
  })
})

test('headers of the retirement are added, unless the old service sends its own', async () => {
  const old = await answering(({ url }, response) => {
    response.setHeader('Link', '<https://old.example/>; rel="help"')
    if (url?.includes('own')) response.setHeader('Sunset', 'Sat, 01 Jan 2028 00:00:00 GMT')
    response.end('{}')
  })
  const { url } = await cutOver(old.url, {
    LEGACY_DEPRECATION: '2026-01-01',
    LEGACY_SUNSET: '2027-01-01',
    LEGACY_SUNSET_LINK: 'https://new.example/',
  })
  const { headers } = await fetch(`${url}/?Event=AppLookup`)
  expect(headers.get('Deprecation')).toBe('@1767225600')
  expect(headers.get('Sunset')).toBe('Fri, 01 Jan 2027 00:00:00 GMT')
  expect(headers.get('Link')).toContain('rel="help", <https://new.example/>; rel="deprecation"')
  expect((await fetch(`${url}/?own`)).headers.get('Sunset')).toBe('Sat, 01 Jan 2028 00:00:00 GMT')
})

describe('an invalid response of the old service is 503', () => {
  test.for([
    ['no HTTP', 'hello\r\n\r\n'],
    ['a status of 99', 'HTTP/1.1 099 OK\r\nContent-Length: 2\r\n\r\n{}'],
    ['a control character', 'HTTP/1.1 200 OK\r\nX: a\x01b\r\nContent-Length: 2\r\n\r\n{}'],
    ['headers without end', `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(20_000)}`],
    ['interim responses', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
    ['too much', `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(8 * 1024 * 1024 + 1)}`],
  ])('%s', async ([, answer = '']) => {
    const old = await startRaw(answer)
    const gateway = await cutOver(old.url)
    const response = await fetch(`${gateway.url}/?Event=AppLookup&Apps=1`)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ Error: { Code: 'Unavailable' } })
    expect(ofType(gateway, 'unexpected')).toEqual([])
  })
})

test('a gateway that is its own old service does not loop', async () => {
  const first = await startRaw('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
  const gateway = await cutOver(first.url)
  await bytesOf(gateway.url, requestFor('/?x', closing))
  const via = first.requests[0]?.match(/^Via: .*$/m)?.[0] ?? ''
  const { head } = await bytesOf(gateway.url, requestFor('/?x', [...closing, via]))
  expect(head[0]).toBe('HTTP/1.1 503 Service Unavailable')
  expect(first.requests).toHaveLength(1)
})

test('a client that leaves ends its request to the old service', async () => {
  let open = 0
  const old = await answering((_, response) => {
    open++
    response.on('close', () => open--)
  })
  const gateway = await cutOver(old.url)
  await talking(gateway.url, async ({ write }) => {
    write(requestFor('/?Event=AppLookup'))
    await expect.poll(() => open).toBe(1)
  })
  await expect.poll(() => open).toBe(0)
  await expect.poll(() => gateway.inFlight()).toBe(0)
  expect(ofType(gateway, 'cutover-failed')).toEqual([])
})
