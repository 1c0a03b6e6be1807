// The calls of a query: how many are sent at a time, and what becomes of the others if one fails.

import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { gone, makeCaller } from '../../kit/caller.ts'
import { createClock } from '../../kit/clock.ts'
import {
  ask,
  numbers,
  openOverOld,
  serveAnswers,
  serveHeld,
  share,
  summaryOf,
  usersOf,
  valuesIn,
} from './support.ts'

type Misbehave = (response: ServerResponse) => void
const status =
  (code: number, headers = {}): Misbehave =>
  (response) =>
    void response.writeHead(code, headers).end('<h1>No</h1>')
const body =
  (text: string | Buffer): Misbehave =>
  (response) =>
    void response.end(text)

/** A service that has all users, and misbehaves if a call has one of the guilty values. */
const serveGuilty = (guilty: readonly string[], misbehave: Misbehave) =>
  serveAnswers((values, response) => {
    if (!values.some((value) => guilty.includes(value))) return usersOf(values)
    misbehave(response)
    return null
  })

/** What is found of values, where these fail. */
const allBut = (values: readonly string[], ...failing: readonly string[]) =>
  values.map((value) => (failing.includes(value) ? 'Unavailable' : Number(value)))

describe('a value that makes a call fail', () => {
  test.for<[string, Misbehave]>([
    ['403', status(403)],
    ['500', status(500)],
    ['a redirect', status(302, { Location: '/login' })],
    ['a reset connection', ({ socket }) => socket?.resetAndDestroy()],
    [
      'half a body',
      (response) =>
        response.writeHead(200, { 'Content-Length': 99 }).end('{"1":', () => response.socket?.destroy()),
    ],
    ['no body', body('')],
    ['an error page of status 200', body('<b>Fatal error</b>')],
    ['broken UTF-8', body(Buffer.from('{"13":{"Id":13,"Username":"\xe9"}}', 'latin1'))],
    ['an error as a text', body('{"error":"Nothing found"}')],
    ['a user who was not asked for', body(JSON.stringify(usersOf(['999'])))],
  ])('with %s fails alone', async ([, misbehave]) => {
    const { url, asked } = await serveGuilty(['13'], misbehave)
    const { find, types } = openOverOld(url)
    expect(await find('ID', ...numbers(100))).toEqual(allBut(numbers(100), '13'))
    // 1 for all, 1 health check, and 14 in 4 steps. A kept connection is tried again.
    expect(new Set(asked).size).toBeLessThanOrEqual(16)
    expect(types()).toEqual(['store-split', 'store-failed'])
  })

  test('is not split further than the limit, and the rest of the list is 503', async () => {
    const guilty = numbers(100).filter((id) => Number(id) % 2 === 0)
    const { url, asked } = await serveGuilty(guilty, status(403))
    const found = await openOverOld(url).find('ID', ...numbers(100), '1001', '1003')
    expect(found.slice(-2)).toEqual([1001, 1003])
    expect([...found].filter((item) => item === 'Unavailable').length).toBeGreaterThanOrEqual(50)
    expect(asked.length).toBeLessThanOrEqual(2 + 1 + 16 * 4)
  })

  test('and that cannot be asked for matches nothing, and is not sent', async () => {
    const { url, asked } = await serveAnswers(usersOf)
    const { find } = openOverOld(url)
    const never = ['a:b', ':', '', 'a\0', '\ud800']
    for (const by of ['USERNAME', 'CHAT'] as const)
      expect(await find(by, ...never)).toEqual(never.map(() => null))
    expect(asked).toEqual([])
    expect(await find('USERNAME', '1:2', '1', '2:')).toEqual([null, 1, null])
    expect(asked.map(valuesIn)).toEqual([['1']])
  })
})

describe('a service in trouble', () => {
  test.for<[string, Misbehave, number]>([
    ['503', status(503), 1],
    ['403 with Retry-After', status(403, { 'Retry-After': '9' }), 1],
    ['200 with Retry-After', status(200, { 'Retry-After': '9' }), 1],
    // The second call is a health check, by a value that the service has.
    ['500', status(500), 2],
    ['a maintenance page', body('<h1>Back soon</h1>'), 2],
  ])('that answers everything with %s is not asked again', async ([, misbehave, calls]) => {
    let isDown = false
    const { url, asked } = await serveAnswers((values, response) => {
      if (!isDown) return usersOf(values)
      misbehave(response)
      return null
    })
    const { find, types } = openOverOld(url)
    await find('ID', ...numbers(100))
    isDown = true
    const before = asked.length
    expect(await find('ID', ...numbers(100))).toBe('Unavailable')
    expect(asked.length - before).toBe(calls)
    expect(types()).toEqual(['store-failed'])
    expect(await find('ID', '1')).toBe('Unavailable')
    expect(asked.length - before).toBe(calls + 1)
    isDown = false
    expect(await find('ID', '1')).toEqual([1])
  })

  test('keeps what it has answered before', async () => {
    const { url } = await serveAnswers((values, response) => {
      if (values.includes('1')) return usersOf(values)
      setTimeout(() => response.writeHead(503).end(), 20)
      return null
    })
    const found = await openOverOld(url, { DATABASE_MAX_VALUES: '2' }).find('ID', ...numbers(4))
    expect(found).toEqual(allBut(numbers(4), '3', '4'))
  })
})

describe('a timeout', () => {
  async function start(guiltyOnes: readonly string[] = ['13']) {
    const clock = createClock()
    const service = await serveGuilty(guiltyOnes, () => {})
    const over = openOverOld(service.url, { DATABASE_TIMEOUT: '200' }, { clock })
    const guilty = () => service.asked.filter((target) => valuesIn(target).includes('13'))
    const until = (calls: number) => expect.poll(() => guilty().length, { interval: 2 }).toBe(calls)
    return { ...service, ...over, clock, guilty, until }
  }

  test('is an outage if the service answers nothing meanwhile', async () => {
    const { find, clock, asked, until } = await start(numbers(20))
    const found = find('ID', ...numbers(20))
    await until(1)
    await clock.advance(100)
    await expect.poll(() => asked.length).toBe(2)
    await clock.advance(100)
    expect(await found).toBe('Unavailable')
    // The second call is a health check.
    expect(asked).toHaveLength(2)
  })

  test('is split if the service answers others, in few steps', async () => {
    const { find, clock, guilty, until } = await start()
    const found = find('ID', ...numbers(100))
    // Five calls take too long: for 100 values, 25, 7, 2 and 1.
    for (const calls of [1, 2, 3, 4, 5]) {
      await until(calls)
      await clock.advance(100)
      expect(await find('ID', '999')).toEqual([999])
      await clock.advance(100)
    }
    expect(await found).toEqual(allBut(numbers(100), '13'))
    expect(guilty()).toHaveLength(5)
  })
})

describe('connections', () => {
  test.for([
    ['1', 1],
    ['4', 2],
    ['9', 4],
  ] as const)('of %s one query uses %i', async ([connections, most]) => {
    const service = await serveHeld()
    const settings = { DATABASE_CONNECTIONS: connections, DATABASE_MAX_VALUES: '2' }
    const found = openOverOld(service.url, settings).find('ID', ...numbers(30))
    for (let left = 15; left > 0; left -= most) {
      await service.until(Math.min(most, left))
      service.letGo()
    }
    expect(await found).toEqual(numbers(30).map(Number))
    expect(service.asked).toHaveLength(15)
    expect(service.most()).toBe(most)
  })

  test('that are busy for too long make a query Overloaded, and no other one', async () => {
    const service = await serveHeld()
    const clock = createClock()
    const { store, find, observations } = openOverOld(service.url, { DATABASE_CONNECTIONS: '2' }, { clock })
    const busy = [find('ID', '1'), find('ID', '2')]
    await service.until(2)
    const overloaded = { code: 'Overloaded', status: 503, retryAfter: 1 }
    const refused = expect(store.findUsers('ID', ['3'])).rejects.toMatchObject(overloaded)
    await clock.advance(200)
    await refused
    service.letGo()
    expect(await Promise.all(busy)).toEqual([[1], [2]])
    expect(service.asked).toHaveLength(2)
    expect(observations).toEqual([])
  })

  test('are used for repeated calls for the timeout and 5 seconds, no longer', async () => {
    const service = await serveHeld((values) => values.length > 1, refuseNines)
    const clock = createClock()
    const { find } = openOverOld(service.url, { DATABASE_TIMEOUT: '10000' }, { clock })
    const found = find('ID', ...numbers(31), '999')
    await service.until(1)
    await clock.advance(9_000)
    service.letGo()
    await service.until(2)
    await clock.advance(9_000)
    service.open()
    expect(await found).toContain('Overloaded')
  })

  test('are used by repeated calls to the half, whatever queries they are for', async () => {
    const isRepeated = (values: readonly string[]) => values.length < 10 && values.join() !== '1'
    const service = await serveHeld(isRepeated, refuseNines)
    const { find } = openOverOld(service.url)
    const found = numbers(6).map((at) => find('ID', ...numbers(20), `90${at}`))
    await service.until(2)
    service.open()
    for (const items of await Promise.all(found)) expect(items.at(-1)).toBe('Unavailable')
    expect(service.most()).toBe(2)
  })

  test('carry lists no longer than old servers read', async () => {
    const { url, asked } = await serveAnswers(() => ({}))
    await openOverOld(url).find('CHAT', ...numbers(250).map((at) => `${'é'.repeat(50)}${at}`))
    expect(asked.length).toBeGreaterThan(10)
    for (const target of asked) expect(target.length).toBeLessThan(8000)
  })
})

/** Has all users, and refuses lists with a number from 900 to 999. */
const refuseNines: Parameters<typeof serveHeld>[1] = (values, response) => {
  if (!values.some((value) => /^9\d\d$/.test(value))) return usersOf(values)
  response.writeHead(403).end()
  return null
}

describe('clients that share a query', () => {
  test('are answered as soon as their own values are settled', async () => {
    const bad = numbers(30, 900)
    const isPart = (values: readonly string[]) => values.every((value) => value.length === 3)
    const service = await serveHeld(isPart, refuseNines)
    const questions = [ask('1', '2'), ask(...bad), ask('3'), ask('4', '5')]
    const { early, found } = share(openOverOld(service.url, { DATABASE_TIMEOUT: '60000' }).store, questions)
    await expect.poll(() => early.size).toBe(3)
    expect([...early.values()].map(summaryOf)).toEqual([[1, 2], [3], [4, 5]])
    service.open()
    expect(summaryOf(await found).slice(2, 32)).toEqual(bad.map(() => 'Unavailable'))
  })

  test('do not fail another one by any number of failing values', async () => {
    const service = await serveAnswers(refuseNines)
    // Each list shares values with others.
    const questions = numbers(64).map((at) => {
      const bad = numbers(30, 900 + Number(at))
      return Number(at) % 8 === 0 ? ask(at, '1') : ask(...bad, '1', String(Number(at) + 1))
    })
    const items = summaryOf(await share(openOverOld(service.url).store, questions).found)
    let next = 0
    for (const { values } of questions) {
      const own = items.slice(next, next + values.length)
      if (values.length === 2) expect(own).toEqual(values.map(Number))
      next += values.length
    }
    // 21 lists of 100 values, twice 64 clients and as many lists, 16 times 4 parts of the lists of clients.
    expect(service.asked.length).toBeLessThanOrEqual(21 + 1 + 2 * (64 + 21) + 16 * 4)
  })

  test('do not fail the good values of a client by failing values that need many calls', async () => {
    const service = await serveAnswers(refuseNines)
    const questions = [ask(...numbers(60, 900)), ask('1', '999', '2'), ask(...numbers(30, 960))]
    const items = summaryOf(await share(openOverOld(service.url).store, questions).found)
    expect(items.slice(60, 63)).toEqual([1, 'Unavailable', 2])
  })

  test('and have the same failing list are one', async () => {
    const service = await serveAnswers(refuseNines)
    const questions = [...numbers(40).map(() => ask('999')), ...numbers(10).map((id) => ask(id))]
    const items = summaryOf(await share(openOverOld(service.url).store, questions).found)
    expect(items).toEqual([...numbers(40).map(() => 'Unavailable'), ...numbers(10).map(Number)])
    // All together, a health check, and once for each list.
    expect(service.asked).toHaveLength(13)
  })

  test('and have left do not have their values sent again', async () => {
    const leaving = makeCaller()
    const service = await serveHeld(() => true, refuseNines)
    const settings = { DATABASE_CONNECTIONS: '1', DATABASE_MAX_VALUES: '4' }
    const { found } = share(openOverOld(service.url, settings).store, [
      ask('1', '2', '3', '999'),
      { values: numbers(8, 4), caller: leaving },
      ask('12'),
    ])
    await service.until(1)
    leaving.leave()
    service.open()
    expect(summaryOf(await found)).toEqual([...[1, 2, 3, 'Unavailable'], ...Array(8).fill('CallerLeft'), 12])
    const sent = service.asked.flatMap(valuesIn).map(Number)
    expect(sent.filter((id) => id > 3 && id < 12)).toEqual([])
  })

  test.for([
    ['one has left, which is not said to the other', [ask('999')], 'Unavailable'],
    ['all have left: no call is made', [], 'CallerLeft'],
  ] as const)('and of whom %s', async ([, others, code]) => {
    const service = await serveAnswers(refuseNines)
    const { found } = share(openOverOld(service.url).store, [{ values: ['1'], caller: gone }, ...others])
    await expect(found).rejects.toMatchObject({ code })
    if (code === 'CallerLeft') expect(service.asked).toEqual([])
  })
})
