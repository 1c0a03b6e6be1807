// Lines that real servers wrote, of the same requests.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasProgram } from '../../kit/programs.ts'
import { readFiles } from './reading.ts'
import { type LoggingServer, startLogging } from './servers.ts'

const users = 'Event=ProfileLookup&Users=1:2%203&Format=XML'
const agent = 'Desktop/2.1 (the "old" one)'
const head = `Host: old.example\r\nUser-Agent: ${agent}\r\nReferer: https://front.example/?a=b\r\nConnection: close\r\n`
const posted = 'event=AppLookup&Apps=7'

/** A lookup, one by POST, another page, and what is no request. */
async function ask(server: LoggingServer) {
  const before = Date.now()
  await server.send(`GET /?${users} HTTP/1.1\r\n${head}\r\n`)
  await server.send(`POST /?${posted} HTTP/1.1\r\n${head}Content-Length: 0\r\n\r\n`)
  await server.send(`GET /favicon.ico HTTP/1.1\r\n${head}\r\n`)
  return before
}

const lookup = { method: 'GET', query: users, address: '127.0.0.1', userAgent: agent }
const post = { method: 'POST', query: posted, posted: true }
const referer = 'https://front.example/?a=b'

/** Within the second before it was sent, since servers cut off parts of seconds, and now. */
function expectNow(time: number | null | undefined, sent: number) {
  expect(time).toBeGreaterThan(sent - 1001)
  expect(time).toBeLessThanOrEqual(Date.now())
}

describe.skipIf(!hasProgram('nginx'))('nginx', () => {
  let server: LoggingServer
  let sent: number
  beforeAll(async () => {
    server = await startLogging('nginx')
    sent = await ask(server)
    await server.send('\x16\x03\x01\x02\r\n\r\n')
  })
  afterAll(() => server.stop())

  test('combined, where bytes of TLS are not an HTTP request', async () => {
    const { lookups, log, said } = await readFiles([await server.log('combined.log', 4)])
    expect(lookups).toMatchObject([{ ...lookup, referer }, post])
    expectNow(lookups[0]?.time, sent)
    expect(said).toEqual(['Reading combined.log as common or combined format.'])
    expect(log.notCounted).toMatchObject([
      { reason: 'other path', lines: 1, example: 'GET /favicon.ico' },
      { reason: 'no request', lines: 1 },
    ])
  })

  test('JSON', async () => {
    const { lookups, log, said } = await readFiles([await server.log('json.log', 4)])
    expect(lookups).toMatchObject([
      { ...lookup, referer },
      { ...post, userAgent: agent },
    ])
    expectNow(lookups[0]?.time, sent)
    expect(said).toEqual(['Reading json.log as JSON.'])
    expect(log).toMatchObject({ posted: 1, lines: 4 })
  })

  test('formats of its operator, described as its log_format does', async () => {
    const own =
      '$time_iso8601 $remote_addr $request_method $request_uri $status "$http_user_agent" $request_time'
    const { lookups, said } = await readFiles([await server.log('own.log', 4)], { format: own })
    expect(lookups).toMatchObject([lookup, post])
    expectNow(lookups[0]?.time, sent)
    expect(said).toEqual(['Reading own.log as described by --format.'])
    const bars = '$msec|$remote_addr|$request|$http_user_agent'
    const second = await readFiles([await server.log('bars.log', 4)], { format: bars })
    expect(second.lookups).toMatchObject([lookup, post])
    expectNow(second.lookups[0]?.time, sent)
  })
})

describe.skipIf(!hasProgram('apache2'))('Apache', () => {
  let server: LoggingServer
  let sent: number
  beforeAll(async () => {
    server = await startLogging('apache2')
    sent = await ask(server)
  })
  afterAll(() => server.stop())

  test('combined', async () => {
    const { lookups } = await readFiles([await server.log('combined.log', 3)])
    expect(lookups).toMatchObject([{ ...lookup, referer }, post])
    expectNow(lookups[0]?.time, sent)
  })

  test('common, with the name of the host', async () => {
    const { lookups } = await readFiles([await server.log('common.log', 3)])
    expect(lookups).toMatchObject([{ ...lookup, userAgent: '' }, post])
  })

  test('JSON of a LogFormat', async () => {
    const { lookups, said } = await readFiles([await server.log('json.log', 3)])
    expect(lookups).toMatchObject([lookup, post])
    expectNow(lookups[0]?.time, sent)
    expect(said).toEqual(['Reading json.log as JSON.'])
  })
})

test.skipIf(!hasProgram('haproxy'))('HAProxy, as syslog has it, with captured headers', async () => {
  const server = await startLogging('haproxy')
  try {
    const sent = await ask(server)
    await server.send('\x16\x03\x01\x02\r\n\r\n')
    const { lookups, log, said } = await readFiles([await server.log('stdout.log', 4)])
    expect(lookups).toMatchObject([{ ...lookup, referer }, post])
    expectNow(lookups[0]?.time, sent)
    expect(said).toEqual(['Reading stdout.log as HAProxy.'])
    expect(log.notCounted.map(({ reason }) => reason)).toContain('no request')
  } finally {
    await server.stop()
  }
})
