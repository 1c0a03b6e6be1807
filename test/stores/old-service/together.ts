// Generated services and lists: a client that shares a query gets what it would get alone.

import { expect, test } from 'vitest'
import { systemClock } from '../../../src/clock.ts'
import { readConfig } from '../../../src/config.ts'
import { createConnections } from '../../../src/stores/old-service/connections.ts'
import { OldServiceError } from '../../../src/stores/old-service/failure.ts'
import { MAX_SPLIT_CALLS } from '../../../src/stores/old-service/limits.ts'
import { createLookups } from '../../../src/stores/old-service/lookup.ts'
import { runQuery } from '../../../src/stores/old-service/query.ts'
import { openValues } from '../../../src/stores/old-service/values.ts'
import { userOf } from '../../kit/answering.ts'
import { runs, seedOf } from '../../kit/generate.ts'
import { summaryOf, valuesIn } from './support.ts'

/** Mulberry32: the same numbers each time. */
function createRandom(seed: number) {
  let state = seed
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
  const pick = <Item>(list: readonly [Item, ...Item[]]) => list[below(list.length)] ?? list[0]
  const listOf = <Item>(most: number, make: () => Item) => Array.from({ length: 1 + below(most) }, make)
  return { below, pick, listOf }
}

/** What a service takes for the same username. */
const sames = [
  (username: string) => username,
  (username: string) => username.trim(),
  (username: string) => username.toLowerCase(),
  (username: string) => username.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  (username: string) => username.normalize('NFKC').toLowerCase(),
  (username: string) => username.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim(),
] as const

/** What it names an entry by. */
const namings = [
  (asked: string) => asked,
  (_: string, user: { Username: string }) => user.Username,
  (_: string, user: { Id: number }) => String(user.Id),
] as const

const names = [
  ...([
    'ada',
    'Ada',
    'aDA',
    ' ada',
    'ádá',
    'ＡＤＡ',
    'zoë',
    'Zoë',
    'ZOË',
    'zoe',
    'Zoe',
    'bob',
    'BOB',
  ] as const),
  ...(['1', '2', '3', '12', '<x', 'x<', '<y', 'a:b'] as const),
] as const

export function togetherSuite(): void {
  test('generated lists find together what each value finds alone', async () => {
    const { below, pick, listOf } = createRandom(seedOf('generated lists'))
    const { database } = readConfig({ flags: { DATABASE_URL: 'http://old.example/' } })
    if (database.kind !== 'old-service') throw new Error('not an old service')
    for (let round = 0; round < runs(300, 20_000); round++) {
      const [same, naming, hasFirewall] = [pick(sames), pick(namings), below(2) === 1]
      // A service that names entries by id, and unknown ones by what was asked for, contradicts itself if names
      // are numbers.
      const unknownIsNull = naming !== namings[2] && below(2) === 1
      const usernames = new Map(listOf(4, () => pick(names)).map((name) => [same(name), name])).values()
      const users = [...usernames].map((Username, at) => ({ ...userOf(String(at + 1)), Username }))
      const lookups = createLookups(database, async (query) => {
        const values = valuesIn(`?${query}`)
        if (hasFirewall && values.some((value) => value.includes('<')))
          throw new OldServiceError('status 403')
        const entries = values.flatMap((value): [string, object | null][] => {
          const user = users.find(({ Username }) => same(Username) === same(value))
          if (user === undefined) return unknownIsNull ? [[value, null]] : []
          return [[naming(value, user), user]]
        })
        return JSON.stringify(Object.fromEntries(entries))
      })
      const find = async (lists: readonly (readonly string[])[]) => {
        const questions = lists.map((values) => ({ values, caller: null }))
        const { items } = await runQuery(lookups.users.USERNAME, openValues(lists.flat(), questions), {
          connections: createConnections(1 + below(4)),
          maxValues: 1 + below(12),
          ...{ timeout: 1_000, maxSplitCalls: MAX_SPLIT_CALLS, clock: systemClock, nextRound: () => {} },
        })
        return summaryOf(items)
      }
      const lists = listOf(6, () => listOf(4, () => pick(names)))
      const together = await find(lists)
      const alone = await Promise.all(lists.flat().map((name) => find([[name]])))
      expect(together, JSON.stringify({ round, users, lists })).toEqual(alone.flat())
    }
  })
}
