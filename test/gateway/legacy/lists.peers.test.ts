// Settings of lists in any combination: a gateway reads values and arranges entries as loops and arrays of PHP.

import fc from 'fast-check'
import { expect } from 'vitest'
import { sample } from '../../kit/gateway.ts'
import { runs, seedOf } from '../../kit/generate.ts'
import { test } from '../../kit/test.ts'
import { ask } from './support/ask.ts'
import { readLines } from './support/lines.ts'
import { runPhp } from './support/programs.ts'
import { APP, ID, NAME } from './support/rows.ts'

const namings = [
  ...['asked', 'lower', 'read', 'stored', 'id', 'stored,id=asked', 'lower,id=read', 'username'],
  ...['id,id=asked,username=stored', 'username,id=read'],
]
const orders = [
  'asked',
  'id',
  'id desc',
  'name',
  'ksort',
  'Username',
  'Username nocase desc',
  'JoinDate desc',
]
const appOrders = ['asked', 'id desc', 'Title', 'Title nocase desc', 'Category', 'Version']

const dialect = fc.record({
  LEGACY_LIST: fc.constantFrom('colon', 'colon-trimmed', 'colon-comma', 'colon-comma-trimmed'),
  LEGACY_EMPTY_VALUES: fc.constantFrom('drop', 'keep'),
  LEGACY_LOOSE_IDS: fc.constantFrom('digits', 'exact', 'canonical', 'php', 'numeric'),
  LEGACY_MALFORMED: fc.constantFrom('reject', 'unknown', 'drop'),
  LEGACY_USERNAMES: fc.constantFrom('fold', 'exact', 'trailing-blanks'),
  LEGACY_DUPLICATES: fc.constantFrom('once', 'each'),
  LEGACY_MAX_VALUES: fc.constantFrom('5', '1000'),
  LEGACY_TOO_MANY: fc.constantFrom('refuse', 'cut'),
  LEGACY_KEYS: fc.constantFrom(...namings),
  LEGACY_KEYS_XML: fc.constantFrom(...namings),
  LEGACY_ORDER: fc.constantFrom(...orders, 'DisplayName nocase', 'Rank'),
  LEGACY_APPS_ORDER: fc.constantFrom(...appOrders),
  LEGACY_UNKNOWN: fc.constantFrom('omit', 'null'),
})

const usualIds = ['1', '2', '3', '007', '02', '1', '4', '70000', '99', '0']
const ids = [
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
    list: fc.oneof(listOf(usualIds), listOf(ids)),
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
  const dialects = fc.sample(dialect, { seed, numRuns: runs(24, 240) })
  const asked = dialects.flatMap((settings, at) =>
    fc
      .sample(question, { seed: seed + at, numRuns: 40 })
      .filter(({ method, list }) => settings.LEGACY_ORDER !== 'ksort' || isOrdered(method, list))
      .flatMap((one) => ['JSON', 'XML'].map((format) => ({ ...one, format, settings }))),
  )
  const input = { users: readLines(sample.users), apps: readLines(sample.apps), questions: asked }
  const bodies: (string | null)[] = JSON.parse(runPhp('lists.php', [], JSON.stringify(input)))
  expect(bodies.filter((body) => body !== null).length).toBeGreaterThan(asked.length / 4)
  for (const [settings, group] of Map.groupBy(asked.entries(), ([, one]) => one.settings)) {
    const { url } = await withSettings(settings)
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
