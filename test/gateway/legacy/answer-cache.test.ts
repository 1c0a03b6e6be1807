// Answers are kept, and never a moment longer than the data stays the same.

import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fingerprint } from '../../../src/fingerprint.ts'
import type { Answer } from '../../../src/gateway/answer.ts'
import { type AnswerCache, createAnswerCache } from '../../../src/gateway/legacy/answer-cache.ts'
import { makeCaller } from '../../kit/caller.ts'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { twins } from '../../kit/twins.ts'

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
  const answerOf = (body: string, etag: string | null = '"tag"'): Answer => ({
    status: 200,
    headers: [],
    body,
    etag,
    about: { event: 'ProfileLookup', format: 'JSON', outcome: 'ok', values: 1 },
  })
  /** Asks so many times, and says how often an answer had to be made. */
  async function ask(cache: AnswerCache, query: string, answer: Answer, times: number): Promise<number> {
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

  test('keeps what is asked for twice, and has it at once', async () => {
    const cache = createAnswerCache(() => 1)
    const answer = answerOf('{}')
    expect(await ask(cache, 'q', answer, 5)).toBe(2)
    expect(cache('q', makeCaller(), () => expect.unreachable())).toBe(answer)
  })

  test('forgets everything when the data has changed', async () => {
    let version = 1
    const cache = createAnswerCache(() => version)
    await ask(cache, 'q', answerOf('old'), 3)
    version = 2
    await turn()
    expect(await ask(cache, 'q', answerOf('new'), 3)).toBe(1)
  })

  test('answers no request of a turn in which the version cannot be read', async () => {
    let isLocked = false
    const cache = createAnswerCache(() => {
      if (isLocked) throw new Error('locked')
      return 1
    })
    await ask(cache, 'q', answerOf('old'), 3)
    isLocked = true
    await turn()
    for (let request = 0; request < 3; request++)
      expect(() => cache('q', makeCaller(), () => expect.unreachable())).toThrow('locked')
  })

  test('takes no answer that was made of older data', async () => {
    let version = 1
    const cache = createAnswerCache(() => version)
    await ask(cache, 'other', answerOf('{}'), 3)
    await ask(cache, 'q', answerOf('old'), 1)
    await cache('q', makeCaller(), async () => {
      // While this one is made, the data changes, and another request finds out.
      version = 2
      await turn()
      await ask(cache, 'other', answerOf('{}'), 1)
      return answerOf('old')
    })
    expect(await ask(cache, 'q', answerOf('new'), 1)).toBe(1)
  })

  test('takes no refusal', async () => {
    const cache = createAnswerCache(() => 1)
    expect(await ask(cache, 'q', answerOf('no', null), 4)).toBe(4)
  })

  test('holds some 16 million characters, and forgets what was not asked for lately', async () => {
    const cache = createAnswerCache(() => 1)
    const answer = answerOf('x'.repeat(60_000))
    const names = Array.from({ length: 600 }, (_, index) => `q${index}`)
    for (const name of names) {
      await ask(cache, name, answer, 2)
      await ask(cache, 'q0', answer, 1)
    }
    const isKept = (name: string) => !(cache(name, makeCaller(), async () => answer) instanceof Promise)
    const kept = names.filter(isKept)
    expect(kept).toContain('q0')
    expect(kept).toContain('q599')
    expect(kept).not.toContain('q1')
    expect(kept.length * answer.body.length).toBeLessThan(17_000_000)
  })

  test('asks for the version once a turn, and not for what is new', async () => {
    let asked = 0
    const cache = createAnswerCache(() => ++asked && 1)
    const answer = answerOf('{}')
    for (let query = 0; query < 50; query++) await ask(cache, `new ${query}`, answer, 1)
    expect(asked).toBe(0)
    await ask(cache, 'q', answer, 3)
    await turn()
    const before = asked
    for (let time = 0; time < 50; time++)
      expect(cache('q', makeCaller(), () => expect.unreachable())).toBe(answer)
    expect(asked).toBe(before + 1)
  })

  test('takes neither long queries nor long answers', async () => {
    const cache = createAnswerCache(() => 1)
    expect(await ask(cache, 'q'.repeat(3000), answerOf('{}'), 3)).toBe(3)
    expect(await ask(cache, 'q', answerOf('x'.repeat(70_000)), 3)).toBe(3)
  })

  test('keeps queries apart that have the same fingerprint', async () => {
    const cache = createAnswerCache(() => 1)
    const [one, other] = twins((index) => `q${index}`)
    expect(fingerprint(one)).toBe(fingerprint(other))
    await ask(cache, one, answerOf('one'), 3)
    await ask(cache, other, answerOf('other'), 3)
    await ask(cache, one, answerOf('one'), 3)
  })
})
