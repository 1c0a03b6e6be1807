// What stands in front of an old service: a login, or a firewall that wants a header.

import type { IncomingMessage } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { startAnswering } from '../../kit/answering.ts'
import { hasProgram } from '../../kit/programs.ts'
import { startOldService } from '../../old-service/start.ts'
import { openOverOld } from './support.ts'

/** The headers of the first request, in lower case as Node has them. */
async function headersOf(settings: Readonly<Record<string, string>>, login = '') {
  const requests: IncomingMessage[] = []
  const { url, close } = await startAnswering((request, response) => {
    requests.push(request)
    response.end('{}')
  })
  onTestFinished(close)
  await openOverOld(url.replace('//', `//${login}`), settings).store.findUsers('ID', ['1'])
  return { headers: requests[0]?.headers, raw: requests[0]?.rawHeaders, host: new URL(url).host }
}

test('a request carries a User-Agent, and nothing else of its own', async () => {
  const { headers, host } = await headersOf({})
  expect(headers).toEqual({
    host,
    connection: 'keep-alive',
    'user-agent': expect.stringMatching(/^lookup-service\//),
  })
})

test('and what DATABASE_HEADERS has, as it is spelled there, in the place of its own', async () => {
  const text = 'X-API-key: a, b; "c":d\nuser-agent: Desktop/2.1\nHost: old.example\nCookie: caf\u00e9=1'
  const { headers, raw } = await headersOf({ DATABASE_HEADERS: text })
  expect(headers).toEqual({
    host: 'old.example',
    connection: 'keep-alive',
    'x-api-key': 'a, b; "c":d',
    'user-agent': 'Desktop/2.1',
    cookie: 'caf\u00e9=1',
  })
  expect(raw).toContain('X-API-key')
})

test('and the login of its address', async () => {
  const { headers } = await headersOf({ DATABASE_HEADERS: 'X-Key: abc' }, 'j%C3%BCrgen:p%40ss:w%2Frd@')
  const credentials = Buffer.from('jürgen:p@ss:w/rd').toString('base64')
  expect(headers).toMatchObject({ authorization: `Basic ${credentials}`, 'x-key': 'abc' })
})

test('a login and an Authorization header are too much', () => {
  const headers = 'authorization: Bearer secret'
  const old = 'https://me:secret@old.example/'
  for (const [environment, problem] of [
    [{ DATABASE_URL: old, DATABASE_HEADERS: headers }, 'DATABASE_URL has a login, and DATABASE_HEADERS'],
    [{ SHADOW_URL: old, SHADOW_HEADERS: headers }, 'SHADOW_URL has a login, and SHADOW_HEADERS'],
    [{ CUTOVER_URL: old, CUTOVER_HEADERS: headers }, 'CUTOVER_URL has a login, and CUTOVER_HEADERS'],
  ] as const)
    expect(() => readConfig({ environment })).toThrow(
      `${problem} has an Authorization header. Remove one of them.`,
    )
})

test('headers for no service are a mistake, unless a flag has chosen another database', () => {
  const headers = 'X-Key: abc'
  expect(() => readConfig({ environment: { SHADOW_HEADERS: headers } })).toThrow(
    'SHADOW_HEADERS needs a SHADOW_URL',
  )
  const environment = { DATABASE_HEADERS: headers }
  for (const url of ['sqlite:x.db', 'postgres://a/x'])
    expect(() => readConfig({ environment: { ...environment, DATABASE_URL: url } })).toThrow(
      'DATABASE_HEADERS needs a DATABASE_URL of an old service',
    )
  expect(readConfig({ environment, flags: { DATABASE_URL: 'sqlite:x.db' } }).database.kind).toBe('sqlite')
})

describe.skipIf(!hasProgram('php'))('an old service in PHP', () => {
  test('behind a login and a firewall', async () => {
    const old = await startOldService({ login: 'jürgen:p@ss:w/rd', wants: 'X-Api-Key: a"b' })
    onTestFinished(old.close)
    const url = old.url.replace('//', '//j%C3%BCrgen:p%40ss:w%2Frd@')
    const right = { DATABASE_HEADERS: 'X-Api-Key: a"b' }
    const open = openOverOld(url, right)
    expect(await open.store.findUsers('ID', ['3', '99'])).toMatchObject([{ id: 3 }, null])
    await open.store.ready()
    for (const [wrong, settings, status] of [
      [url, {}, 403],
      [old.url, right, 401],
      [url.replace('w%2Frd', 'word'), right, 401],
    ] as const) {
      const { store, observations } = openOverOld(wrong, settings)
      await expect(store.findUsers('ID', ['3'])).rejects.toMatchObject({ code: 'Unavailable' })
      const message = `the old service answers with status ${status}`
      expect(observations).toMatchObject([{ type: 'store-failed', error: { message } }])
    }
  })
})
