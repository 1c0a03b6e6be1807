// Choices of lists in any combination: a gateway reads values and arranges entries as loops and arrays of PHP.

import fc from 'fast-check'
import { expect } from 'vitest'
import type { Given } from '../kit/dialect.ts'
import { sample } from '../kit/gateway.ts'
import { runs, seedOf } from '../kit/generate.ts'
import { test } from '../kit/test.ts'
import { ask } from './support/ask.ts'
import { readLines } from './support/lines.ts'
import { runPhp } from './support/programs.ts'
import { APP, ID, NAME } from './support/rows.ts'

/** How PHP names entries, one word for all methods and others for single ones, and the same in the dialect. */
const namings: Readonly<Record<string, Given>> = {
  asked: {},
  'asked,username=lower': { usernames: 'lower' },
  read: { ids: 'read' },
  'read,username=stored': { ids: 'read', usernames: 'stored' },
  'read,username=id': { ids: 'read', usernames: 'id' },
  'asked,username=stored': { usernames: 'stored' },
  'lower,id=read': { ids: 'read', usernames: 'lower' },
  'asked,username=id': { usernames: 'id' },
  'username,username=stored': { ids: 'username', usernames: 'stored' },
  'username,username=asked': { ids: 'username' },
}
const orders = {
  asked: 'asked',
  id: 'id',
  'id desc': 'id desc',
  name: 'name',
  ksort: 'name as number',
  Username: 'username',
  'Username nocase desc': 'username, no case desc',
  'JoinDate desc': 'joinDate desc',
  'DisplayName nocase': 'displayName, no case',
  Rank: 'rank',
} as const
const appOrders = {
  asked: 'asked',
  'id desc': 'id desc',
  Title: 'title',
  'Title nocase desc': 'title, no case desc',
  Category: 'category',
  Version: 'version',
} as const
/** Words of lists.php, and the choices they stand for. */
const ids = {
  digits: 'digits',
  exact: 'exact',
  canonical: 'no leading zeros',
  php: 'cast',
  numeric: 'numeric',
}
const usernames = { fold: 'folded', exact: 'exact', 'trailing-blanks': 'without blanks at the end' }
const keysOf = <Name extends string>(words: Readonly<Record<Name, unknown>>) => Object.keys(words) as Name[]
const switches = fc.record({
  commas: fc.boolean(),
  trim: fc.boolean(),
  emptyValues: fc.constantFrom('drop', 'keep'),
  ids: fc.constantFrom(...keysOf(ids)),
  malformed: fc.constantFrom('refuse', 'unknown', 'drop'),
  usernames: fc.constantFrom(...keysOf(usernames)),
  repeatedValues: fc.constantFrom('once', 'each', 'once by entry'),
  maxValues: fc.constantFrom(5, 1000),
  tooMany: fc.constantFrom('refuse', 'cut'),
  keys: fc.constantFrom(...keysOf(namings)),
  users: fc.constantFrom(...keysOf(orders)),
  apps: fc.constantFrom(...keysOf(appOrders)),
  isMissingShown: fc.boolean(),
})
type Switches = typeof switches extends fc.Arbitrary<infer S> ? S : never

function dialectOf(given: Switches): Given {
  const { commas, trim, emptyValues, malformed, repeatedValues, tooMany } = given
  return {
    LEGACY_MAX_VALUES: given.maxValues,
    read: {
      ...{ commas, trim, emptyValues, malformed, repeatedValues, tooMany },
      ids: ids[given.ids],
      usernames: usernames[given.usernames],
    },
    entries: { ...namings[given.keys], users: orders[given.users], apps: appOrders[given.apps] },
    ...(given.isMissingShown && { missing: { json: 'null', xml: '<Data Value="{value}"/>' } }),
  }
}

const usualIds = ['1', '2', '3', '007', '02', '1', '4', '70000', '99', '0']
const strangeIds = [
  ...usualIds,
  ...[' 1', '2 ', '3.9', '+4', '1e0', '-5', 'abc', '5abc', '0x1A', '.5', '1.', '9007199254740991'],
  ...['6e', '7e+', '\t8', '2,3', '1,', ' ,4', '１', '٣'],
]
const names = [
  ...['Ada', 'ADA', 'ada', 'Ada ', ' Ada', 'søren', 'SØREN', 'mallory', '1234', 'nobody', 'Nobody'],
  ...['two words', 'two words  ', ' ', '  ', 'mallory\t', 'Ada,mallory', ', Ada', '__proto__', '花子', ''],
]
/** Names as numbers and as texts, for ksort(). */
const keys = ['10', '2', '20', '99999999999', 'Ada', 'a', 'B', '_', 'mallory', 'søren', '1234']

const listOf = (values: readonly string[]) =>
  fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 9 }).map((parts) => parts.join(':'))
const question = fc.oneof(
  fc.record({
    event: fc.constantFrom('ProfileLookup', 'AppLookup'),
    method: fc.constant('id'),
    // One malformed id refuses a whole list: half of the lists have usual ones only.
    list: fc.oneof(listOf(usualIds), listOf(strangeIds)),
  }),
  fc.record({
    event: fc.constant('ProfileLookup'),
    method: fc.constant('username'),
    list: fc.oneof(listOf(names), listOf(keys)),
  }),
)

/** To ksort(), 0x1A is before 2, 2 before 007, and 007 before 0x1A: such lists have no order. */
const isOrdered = (method: string, list: string) => method !== 'id' || /^[\d:]*$/.test(list)

test('lists are read and entries arranged as PHP does', async ({ withSettings }) => {
  const seed = seedOf('legacy/lists')
  const dialects = fc.sample(switches, { seed, numRuns: runs(24, 240) })
  const asked = dialects.flatMap((settings, at) =>
    fc
      .sample(question, { seed: seed + at, numRuns: 40 })
      .filter(({ method, list }) => settings.users !== 'ksort' || isOrdered(method, list))
      .flatMap((one) => ['JSON', 'XML'].map((format) => ({ ...one, format, settings }))),
  )
  const input = { users: readLines(sample.users), apps: readLines(sample.apps), questions: asked }
  const bodies: (string | null)[] = JSON.parse(runPhp('lists.php', [], JSON.stringify(input)))
  expect(bodies.filter((body) => body !== null).length).toBeGreaterThan(asked.length / 4)
  for (const [settings, group] of Map.groupBy(asked.entries(), ([, one]) => one.settings)) {
    const { url } = await withSettings(dialectOf(settings))
    for (const [at, { event, method, list, format }] of group) {
      const start = event === 'AppLookup' ? APP : method === 'id' ? ID : NAME
      const query = `${start}${encodeURIComponent(list)}&Format=${format}`
      const { status, body } = await ask(url, `/?${query}`)
      const expected = bodies[at] ?? null
      const about = `SEED=${seed} ${JSON.stringify(settings)} ${query}`
      expect([status, status === 200 ? body : null], about).toEqual([expected === null ? 400 : 200, expected])
    }
  }
})
