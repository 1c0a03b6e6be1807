// Answers are kept, and never a moment longer than the data stays the same.

import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '../../src/answer.ts'
import { createAnswerCache } from '../../src/legacy/answer-cache.ts'
import { type Gateway, startGateway } from '../support/gateway.ts'

describe('a gateway', () => {
  let gateway: Gateway
  let writer: DatabaseSync
  beforeAll(async () => {
    gateway = await startGateway()
    writer = new DatabaseSync(gateway.database.path)
  })
  afterAll(async () => {
    writer.close()
    await gateway.close()
  })
  const queriesSoFar = () => gateway.observations.filter(({ type }) => type === 'store-query').length
  const rankOf = async (query: string): Promise<number> => {
    const answer: unknown = await (await fetch(`${gateway.url}/?${query}`)).text()
    return Number(/"Rank":(-?\d+)/.exec(String(answer))?.[1])
  }

  test('asks the store no more for what it is asked again and again', async () => {
    for (let use = 0; use < 3; use++) await rankOf('Event=ProfileLookup&Users=2')
    const before = queriesSoFar()
    for (let use = 0; use < 10; use++) await rankOf('Event=ProfileLookup&Users=2')
    expect(queriesSoFar()).toBe(before)
  })

  test('shows a change in the next answer, every time', async () => {
    const change = writer.prepare('UPDATE users SET rank = ? WHERE id = 1')
    for (let rank = 1; rank <= 200; rank++) {
      change.run(rank)
      // The second time makes it worth keeping, the third is from the cache.
      for (let use = 0; use < 3; use++) expect(await rankOf('Event=ProfileLookup&Users=1')).toBe(rank)
    }
  })

  test('keeps no refusal', async () => {
    writer.exec('ALTER TABLE apps RENAME TO hidden')
    const ask = async () => (await fetch(`${gateway.url}/?Event=AppLookup&Apps=1`)).status
    expect([await ask(), await ask(), await ask()]).toEqual([503, 503, 503])
    writer.exec('ALTER TABLE hidden RENAME TO apps')
    expect(await ask()).toBe(200)
  })
})

describe('the cache', () => {
  const answerOf = (body: string): Answer => ({ status: 200, headers: [], body, etag: null })

  test('keeps what is offered twice', () => {
    const cache = createAnswerCache(() => 1)
    const answer = answerOf('{}')
    cache.get('q')
    cache.offer('q', answer, cache.state())
    expect(cache.get('q')).toBeUndefined()
    cache.offer('q', answer, cache.state())
    expect(cache.get('q')).toBe(answer)
  })

  test('takes no answer that was made of older data', async () => {
    let version = 1
    const cache = createAnswerCache(() => version)
    cache.get('q')
    const state = cache.state()
    version = 2
    await turn()
    cache.get('q')
    cache.offer('q', answerOf('old'), state)
    cache.offer('q', answerOf('old'), state)
    expect(cache.get('q')).toBeUndefined()
  })

  test('holds some 16 million characters, and forgets what was not asked for lately', () => {
    const cache = createAnswerCache(() => 1)
    cache.get('')
    const body = 'x'.repeat(60_000)
    const names = Array.from({ length: 600 }, (_, index) => `q${index}`)
    for (const name of names) {
      for (let use = 0; use < 2; use++) cache.offer(name, answerOf(body), cache.state())
      cache.get('q0')
    }
    const kept = names.filter((name) => cache.get(name) !== undefined)
    expect(kept).toContain('q0')
    expect(kept).toContain('q599')
    expect(kept).not.toContain('q1')
    expect(kept.length * body.length).toBeLessThan(17_000_000)
  })

  test('takes neither long queries nor long answers', () => {
    const cache = createAnswerCache(() => 1)
    cache.get('')
    const long = 'q'.repeat(3000)
    for (const [query, body] of [
      [long, '{}'],
      ['q', 'x'.repeat(70_000)],
    ] as const) {
      for (let use = 0; use < 3; use++) cache.offer(query, answerOf(body), cache.state())
      expect(cache.get(query)).toBeUndefined()
    }
  })
})
