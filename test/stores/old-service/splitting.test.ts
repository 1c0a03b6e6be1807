// A call that one of its values makes fail: it is split, the value fails, and the others are answered.

import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startAnswering, userOf } from '../../kit/answering.ts'
import { hasProgram } from '../../kit/programs.ts'
import { type OldService, startOldService } from '../../old-service/start.ts'
import { openOverOld, summaryOf, valuesIn } from './support.ts'

const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, at) => String(from + at))
const answerAll = (values: readonly string[]) =>
  JSON.stringify(Object.fromEntries(values.map((value) => [value, userOf(value)])))

/** A service that has all users, and does something else when it is asked for one of the guilty. */
async function startService(guilty: readonly string[], misbehave: (response: ServerResponse) => void) {
  const service = await startAnswering(({ url = '' }, response) => {
    const values = valuesIn(url)
    if (values.some((value) => guilty.includes(value))) misbehave(response)
    else response.end(answerAll(values))
  })
  onTestFinished(service.close)
  return service
}

type Misbehave = (response: ServerResponse) => void
const status =
  (code: number, headers = {}): Misbehave =>
  (response) =>
    void response.writeHead(code, headers).end('<h1>No</h1>')
const body =
  (text: string | Buffer): Misbehave =>
  (response) =>
    void response.end(text)

describe('a value that makes a call fail', () => {
  test.each<[string, Misbehave]>([
    ['403', status(403)],
    ['406', status(406)],
    ['404', status(404)],
    ['414', status(414)],
    ['500', status(500)],
    ['502', status(502)],
    ['a redirect', status(302, { Location: '/login' })],
    ['a reset connection', ({ socket }) => socket?.resetAndDestroy()],
    ['a closed connection', ({ socket }) => socket?.destroy()],
    ['something else than HTTP', ({ socket }) => socket?.end('SSH-2.0\r\n\r\n')],
    [
      'half a body',
      (response) =>
        response.writeHead(200, { 'Content-Length': 99 }).end('{"1":', () => response.socket?.destroy()),
    ],
    ['no body', body('')],
    ['an error page of status 200', body('<b>Fatal error</b>')],
    ['broken UTF-8', body(Buffer.from('{"13":{"Id":13,"Username":"\xe9"}}', 'latin1'))],
    ['an error as a text', body('{"error":"Nothing found"}')],
    ['an error as an object', body('{"error":{"code":7}}')],
    ['a user who was not asked for', body(answerAll(['999']))],
  ])('with %s fails alone', async (_, misbehave) => {
    const { url, asked } = await startService(['13'], misbehave)
    const { store, observations } = openOverOld(url)
    const found = summaryOf(await store.findUsers('ID', numbers(100)))
    expect(found).toEqual(numbers(100).map((id) => (id === '13' ? 'Unavailable' : Number(id))))
    // 1 for all, 1 to see whether the service is well, and 14 in 4 steps. A connection that was kept is tried
    // again.
    expect(new Set(asked).size).toBeLessThanOrEqual(16)
    expect(observations.map(({ type }) => type)).toEqual(['store-split', 'store-failed'])
  })

  test('fails alone among apps and usernames', async () => {
    const app = { Title: '', Version: '1.0.0', Category: 1, ChangelogLink: '', ServiceDownloadLink: '' }
    const { url, close } = await startAnswering(({ url = '' }, response) => {
      const values = valuesIn(url)
      if (values.includes('13')) return void response.writeHead(403).end()
      const one = url.includes('Apps=') ? app : userOf('7')
      response.end(JSON.stringify(Object.fromEntries(values.map((value) => [value, one]))))
    })
    onTestFinished(close)
    const { store } = openOverOld(url)
    expect(summaryOf(await store.findApps(['12', '13', '14']))).toEqual([12, 'Unavailable', 14])
    expect(summaryOf(await store.findUsers('USERNAME', ['12', '13', 'x']))).toEqual([7, 'Unavailable', 7])
    expect(summaryOf(await store.findUsers('CHAT', ['12', '13', 'x']))).toEqual([7, 'Unavailable', 7])
  })

  test('fails at each of its places, and so does each of several', async () => {
    const { url } = await startService(['2', '5'], status(403))
    const { store } = openOverOld(url)
    expect(summaryOf(await store.findUsers('ID', ['1', '2', '3', '2', '4', '5', '1']))).toEqual([
      1,
      'Unavailable',
      3,
      'Unavailable',
      4,
      'Unavailable',
      1,
    ])
  })

  test('does not stop another call of the same query', async () => {
    const { url } = await startService(['1'], status(403))
    const { store } = openOverOld(url, { DATABASE_MAX_VALUES: '1' })
    expect(summaryOf(await store.findUsers('ID', ['1', '2', '3']))).toEqual(['Unavailable', 2, 3])
  })

  test('is not split further than the limit, and the rest of the list is 503', async () => {
    const guilty = numbers(100).filter((id) => Number(id) % 2 === 0)
    const { url, asked } = await startService(guilty, status(403))
    const { store } = openOverOld(url)
    const found = summaryOf(await store.findUsers('ID', [...numbers(100), '1001', '1003']))
    expect(found.slice(-2)).toEqual([1001, 1003])
    expect(found.filter((item) => item === 'Unavailable').length).toBeGreaterThanOrEqual(50)
    expect(asked.length).toBeLessThanOrEqual(2 + 1 + 16 * 4)
  })

  test('for one entry of a wrong type takes no call more', async () => {
    const { url, asked, close } = await startAnswering((_, response) => {
      response.end(JSON.stringify({ 1: userOf('1'), 2: { ...userOf('2'), Rank: 'high' }, 3: userOf('4') }))
    })
    onTestFinished(close)
    const { store, observations } = openOverOld(url)
    const found = summaryOf(await store.findUsers('ID', ['1', '2', '3', '5']))
    expect(found).toEqual([1, 'Unavailable', 'Unavailable', null])
    expect(asked).toHaveLength(1)
    expect(observations.map(({ type }) => type)).toEqual(['store-failed'])
  })

  test('a username that is a word of an error does not make an error an answer', async () => {
    const { url, close } = await startAnswering(({ url = '' }, response) => {
      if (valuesIn(url).includes('1')) response.end('{}')
      else response.end('{"error":{"message":"out of order"}}')
    })
    onTestFinished(close)
    const { store } = openOverOld(url)
    const found = store.findUsers('USERNAME', ['error', 'message', 'ada'])
    await expect(found).rejects.toMatchObject({ code: 'Unavailable' })
  })
})

describe('a service in trouble', () => {
  test.each<[string, Misbehave, number]>([
    ['503', status(503), 1],
    ['429', status(429), 1],
    ['408', status(408), 1],
    ['425', status(425), 1],
    ['403 with Retry-After', status(403, { 'Retry-After': '9' }), 1],
    ['200 with Retry-After', status(200, { 'Retry-After': '9' }), 1],
    // The second one asks for a value that the service is known to have.
    ['500', status(500), 2],
    ['403', status(403), 2],
    ['a maintenance page', body('<h1>Back soon</h1>'), 2],
  ])('that says %s to everything is not asked again: %#', async (_, misbehave, calls) => {
    let isDown = false
    const service = await startAnswering(({ url = '' }, response) => {
      if (isDown) misbehave(response)
      else response.end(answerAll(valuesIn(url)))
    })
    onTestFinished(service.close)
    const { store, observations } = openOverOld(service.url)
    await store.findUsers('ID', numbers(100))
    isDown = true
    const before = service.asked.length
    await expect(store.findUsers('ID', numbers(100))).rejects.toMatchObject({ code: 'Unavailable' })
    expect(service.asked.length - before).toBe(calls)
    expect(observations.map(({ type }) => type)).toEqual(['store-failed'])
    await expect(store.findUsers('ID', ['1'])).rejects.toMatchObject({ code: 'Unavailable' })
    expect(service.asked.length - before).toBe(calls + 1)
    isDown = false
    expect(summaryOf(await store.findUsers('ID', ['1']))).toEqual([1])
  })

  test('that resets every connection is asked for one value more', async () => {
    const { url, asked } = await startService(numbers(100), ({ socket }) => socket?.resetAndDestroy())
    const { store } = openOverOld(url)
    await expect(store.findUsers('ID', numbers(100))).rejects.toMatchObject({ code: 'Unavailable' })
    expect(asked.length).toBe(2)
  })

  test('keeps what it has answered before', async () => {
    const { url, close } = await startAnswering(({ url = '' }, response) => {
      if (valuesIn(url).includes('1')) response.end(answerAll(valuesIn(url)))
      else setTimeout(() => response.writeHead(503).end(), 50)
    })
    onTestFinished(close)
    const { store } = openOverOld(url, { DATABASE_MAX_VALUES: '2' })
    expect(summaryOf(await store.findUsers('ID', ['1', '2', '3', '4']))).toEqual([
      1,
      2,
      'Unavailable',
      'Unavailable',
    ])
  })
})

describe('a timeout', () => {
  const settings = { DATABASE_TIMEOUT: '200' }

  test('is an outage where the service answers nothing meanwhile', async () => {
    const { url, asked } = await startService(['13'], () => {})
    const { store } = openOverOld(url, settings)
    await expect(store.findUsers('ID', numbers(20))).rejects.toMatchObject({ code: 'Unavailable' })
    expect(asked).toHaveLength(1)
  })

  test('is split where it answers others, in few steps', async () => {
    const { url, asked } = await startService(['13'], () => {})
    const { store } = openOverOld(url, settings)
    const others = new AbortController()
    const busy = (async () => {
      while (!others.signal.aborted) {
        await store.findUsers('ID', ['999'])
        await sleep(20)
      }
    })()
    const found = summaryOf(await store.findUsers('ID', numbers(100)))
    others.abort()
    await busy
    expect(found).toEqual(numbers(100).map((id) => (id === '13' ? 'Unavailable' : Number(id))))
    // Three calls take too long: for 100 values, for 7, for 1.
    expect(asked.filter((target) => valuesIn(target).includes('13'))).toHaveLength(3)
  })
})

describe('values that cannot be asked for', () => {
  test('match nothing, and are not sent', async () => {
    const { url, asked } = await startService([], status(500))
    const { store } = openOverOld(url)
    const never = ['a:b', ':', '', 'a\0', '\ud800']
    expect(await store.findUsers('USERNAME', never)).toEqual(never.map(() => null))
    expect(await store.findUsers('CHAT', never)).toEqual(never.map(() => null))
    expect(asked).toEqual([])
    expect(summaryOf(await store.findUsers('USERNAME', ['1:2', '1', '2:']))).toEqual([null, 1, null])
    expect(asked.map(valuesIn)).toEqual([['1']])
  })
})

describe.skipIf(!hasProgram('php'))('an old service in PHP', () => {
  let old: OldService
  beforeAll(async () => {
    old = await startOldService()
  })
  afterAll(() => old.close())

  test('behind a firewall', async () => {
    old.switchTo({ blocked: '<' })
    const { store } = openOverOld(old.url)
    const found = await store.findUsers('USERNAME', ['ada', '<script>', 'mallory', 'nobody'])
    expect(summaryOf(found)).toEqual([1, 'Unavailable', 3, null])
  })

  test('with a row that is not UTF-8', async () => {
    old.switchTo({ broken: 2 })
    const { store } = openOverOld(old.url)
    expect(summaryOf(await store.findUsers('ID', ['1', '2', '3']))).toEqual([1, 'Unavailable', 3])
  })

  test('that says an error where one identifier is unknown', async () => {
    for (const errorStatus of ['http', '200'] as const) {
      old.switchTo({ unknown: 'error', errorStatus })
      const { store } = openOverOld(old.url)
      expect(summaryOf(await store.findUsers('ID', ['1', '99', '3']))).toEqual([1, 'Unavailable', 3])
    }
  })

  test('that takes shorter lists than it is sent', async () => {
    old.switchTo({ maxValues: 3 })
    const { store, observations } = openOverOld(old.url)
    expect(summaryOf(await store.findUsers('ID', numbers(8)))).toEqual(numbers(8).map(Number))
    expect(observations).toMatchObject([{ type: 'store-split', reason: /status 400/ }])
  })
})
