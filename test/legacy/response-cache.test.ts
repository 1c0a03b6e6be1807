// The gateway keeps responses, and never a moment longer than the data stays the same.

import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fingerprint } from '../../src/fingerprint.ts'
import { createResponseCache, type ResponseCache } from '../../src/legacy/response-cache.ts'
import type { HttpResponse } from '../../src/response.ts'
import { makeCaller } from '../kit/caller.ts'
import { startGateway } from '../kit/gateway.ts'
import { twins } from '../kit/twins.ts'
import { APP, ID } from './support/rows.ts'

test('a gateway sends the store no query for what it keeps, and shows each change at once', async () => {
  const { url, observations, database, close } = await startGateway()
  const writer = new DatabaseSync(database.path)
  onTestFinished(async () => {
    writer.close()
    await close()
  })
  const rankOf = async (id: number) => {
    const body = await (await fetch(`${url}/?${ID}${id}`)).text()
    return Number(/"Rank":(-?\d+)/.exec(body)?.[1])
  }
  const change = writer.prepare('UPDATE users SET rank = ? WHERE id = 1')
  for (let rank = 1; rank <= 50; rank++) {
    change.run(rank)
    // The second request makes it worth keeping, the third has it from the cache.
    for (let use = 0; use < 3; use++) expect(await rankOf(1)).toBe(rank)
  }
  const queries = () => observations.filter(({ type }) => type === 'store-query').length
  const before = queries()
  for (let use = 0; use < 10; use++) await rankOf(1)
  expect(queries()).toBe(before)

  // An error is not kept.
  const statusOf = async () => (await fetch(`${url}/?${APP}1`)).status
  writer.exec('ALTER TABLE apps RENAME TO hidden')
  expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([503, 503, 503])
  writer.exec('ALTER TABLE hidden RENAME TO apps')
  expect(await statusOf()).toBe(200)
})

describe('the cache', () => {
  const answerOf = (body: string, etag: string | null = '"tag"'): HttpResponse => ({
    ...{ status: 200, headers: [], body, etag },
    about: { event: 'ProfileLookup', format: 'JSON', outcome: 'ok', values: 1 },
  })
  const kept = (cache: ResponseCache, query: string) => cache(query, makeCaller(), () => expect.unreachable())
  /** Sends so many requests. @returns how often the response had to be made */
  async function send(cache: ResponseCache, query: string, answer: HttpResponse, times: number) {
    let made = 0
    for (let time = 0; time < times; time++) {
      const given = await cache(query, makeCaller(), async () => {
        made++
        return answer
      })
      expect(given).toBe(answer)
    }
    return made
  }

  test.for<[name: string, query: string, answer: HttpResponse, made: number]>([
    ['what is asked for twice', 'q', answerOf('{}'), 2],
    ['no error', 'q', answerOf('no', null), 5],
    ['no long query', 'q'.repeat(3_000), answerOf('{}'), 5],
    ['no long response', 'q', answerOf('x'.repeat(70_000)), 5],
  ])('keeps %s', async ([, query, answer, made]) => {
    const cache = createResponseCache(() => 1)
    expect(await send(cache, query, answer, 5)).toBe(made)
  })

  test('forgets everything when the data has changed', async () => {
    let version = 1
    const cache = createResponseCache(() => version)
    await send(cache, 'q', answerOf('old'), 3)
    version = 2
    await turn()
    expect(await send(cache, 'q', answerOf('new'), 3)).toBe(1)
  })

  test('has nothing in a turn in which the version cannot be read', async () => {
    let isLocked = false
    const cache = createResponseCache(() => {
      if (isLocked) throw new Error('locked')
      return 1
    })
    await send(cache, 'q', answerOf('old'), 3)
    isLocked = true
    await turn()
    for (let request = 0; request < 3; request++) expect(() => kept(cache, 'q')).toThrow('locked')
  })

  test('takes no response that was made of older data', async () => {
    let version = 1
    const cache = createResponseCache(() => version)
    await send(cache, 'other', answerOf('{}'), 3)
    await send(cache, 'q', answerOf('old'), 1)
    await cache('q', makeCaller(), async () => {
      // Meanwhile the data changes, and another request finds out.
      version = 2
      await turn()
      await send(cache, 'other', answerOf('{}'), 1)
      return answerOf('old')
    })
    expect(await send(cache, 'q', answerOf('new'), 1)).toBe(1)
  })

  test('holds some 16 million characters, and forgets what was not asked for lately', async () => {
    const cache = createResponseCache(() => 1)
    const answer = answerOf('x'.repeat(60_000))
    const names = Array.from({ length: 600 }, (_, index) => `q${index}`)
    for (const name of names) {
      await send(cache, name, answer, 2)
      await send(cache, 'q0', answer, 1)
    }
    const left = names.filter((name) => !(cache(name, makeCaller(), async () => answer) instanceof Promise))
    expect(left).toEqual(expect.arrayContaining(['q0', 'q599']))
    expect(left).not.toContain('q1')
    expect(left.length * answer.body.length).toBeLessThan(17_000_000)
  })

  test('reads the version once a turn, and not for new queries', async () => {
    let reads = 0
    const cache = createResponseCache(() => ++reads && 1)
    for (let query = 0; query < 50; query++) await send(cache, `new ${query}`, answerOf('{}'), 1)
    expect(reads).toBe(0)
    await send(cache, 'q', answerOf('{}'), 3)
    await turn()
    const before = reads
    for (let time = 0; time < 50; time++) kept(cache, 'q')
    expect(reads).toBe(before + 1)
  })

  test('keeps queries with the same fingerprint apart', async () => {
    const cache = createResponseCache(() => 1)
    const [one, other] = twins((index) => `q${index}`)
    expect(fingerprint(one)).toBe(fingerprint(other))
    for (const name of [one, other, one]) await send(cache, name, answerOf(name), 3)
  })
})
