// Generated services and lists: a client that shares a query gets what it would get alone.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/clock.ts'
import { readConfig } from '../../../src/config/config.ts'
import { LookupError } from '../../../src/errors.ts'
import { openOldServiceStore } from '../../../src/stores/old-service/store.ts'
import { userOf } from '../../kit/answering.ts'
import { runs, seedOf } from '../../kit/generate.ts'
import { summaryOf, valuesIn } from './support.ts'

/** What a service takes for the same username. */
const same = fc.constantFrom<(username: string) => string>(
  (username) => username,
  (username) => username.trim(),
  (username) => username.toLowerCase(),
  (username) => username.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  (username) => username.normalize('NFKC').toLowerCase(),
  (username) => username.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim(),
)

/** What it names an entry by. */
type Naming = (asked: string, user: { readonly Username: string; readonly Id: number }) => string
const byId: Naming = (_, { Id }) => String(Id)
const inLowerCase: Naming = (_, { Username }) => Username.toLowerCase()
const naming = fc.constantFrom<Naming>(
  (asked) => asked,
  (_, { Username }) => Username,
  inLowerCase,
  byId,
)

const name = fc.constantFrom(
  ...['ada', 'Ada', 'aDA', ' ada', 'ádá', 'ＡＤＡ', 'zoë', 'Zoë', 'ZOË', 'zoe', 'Zoe', 'bob', 'BOB'],
  ...['1', '2', '3', '12', '<x', 'x<', '<y', 'a:b'],
)
const listOf = <Item>(item: fc.Arbitrary<Item>, maxLength: number) =>
  fc.array(item, { minLength: 1, maxLength })
const service = fc
  .record({
    ...{ same, naming, usernames: listOf(name, 4), hasFirewall: fc.boolean(), hasNull: fc.boolean() },
    /** Whether it finds a user for the first of several spellings only. */
    once: fc.boolean(),
  })
  // A service that heeds case, and names entries in lower case, contradicts itself.
  .filter(({ same, naming }) => naming !== inLowerCase || same('Ë') === same('ë'))
const limits = fc.record({
  connections: fc.integer({ min: 1, max: 4 }),
  maxValues: fc.integer({ min: 1, max: 12 }),
})
const lists = listOf(listOf(name, 4), 6)

export function togetherSuite(): void {
  test('generated lists find together what each value finds alone', async () => {
    const { database } = readConfig({ flags: { DATABASE_URL: 'http://old.example/' } })
    if (database.kind !== 'old-service') throw new Error('not an old service')
    const property = fc.asyncProperty(
      service,
      limits,
      lists,
      async (habits, { connections, maxValues }, asked) => {
        const { same, naming } = habits
        const names = new Map(habits.usernames.map((username) => [same(username), username])).values()
        const users = [...names].map((Username, at) => ({ ...userOf(String(at + 1)), Username }))
        const respond = async (query: string) => {
          const values = valuesIn(`?${query}`)
          if (habits.hasFirewall && values.some((value) => value.includes('<')))
            return { status: 403, headers: {}, body: Buffer.alloc(0) }
          const seen = new Set<object>()
          const entries = values.flatMap((value): [string, object | null][] => {
            const user = users.find(({ Username }) => same(Username) === same(value))
            // If names are numbers, entries by id and unknown ones by what was asked for contradict each
            // other.
            if (user === undefined) return habits.hasNull && naming !== byId ? [[value, null]] : []
            if (habits.once && !habits.hasNull && seen.has(user)) return []
            seen.add(user)
            return [[naming(value, user), user]]
          })
          const body = Buffer.from(JSON.stringify(Object.fromEntries(entries)))
          return { status: 200, headers: {}, body }
        }
        const location = { ...database, connections, maxValues }
        const store = openOldServiceStore(location, () => {}, systemClock, respond)
        const find = async (lists: readonly (readonly string[])[]) => {
          const lookups = lists.map((values) => ({ values, caller: null }))
          const values = lists.flat()
          try {
            return summaryOf(await store.findUsers('USERNAME', values, { lookups, nextRound: () => {} }))
          } catch (error) {
            if (error instanceof LookupError) return values.map(() => error.code)
            throw error
          }
        }
        const alone = await Promise.all(asked.flat().map((name) => find([[name]])))
        expect(await find(asked)).toEqual(alone.flat())
      },
    )
    await fc.assert(property, { numRuns: runs(400, 20_000), seed: seedOf('generated lists') })
  })
}
