// Habits of lists in any combination, over real sockets, against loops and arrays of PHP.

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sample, startGateway } from '../../../kit/gateway.ts'
import { seedOf } from '../../../kit/generate.ts'
import { hasProgram } from '../../../kit/programs.ts'
import { ask } from '../support/ask.ts'
import { runPhp } from '../support/programs.ts'

/** Gateways, and questions to each. */
const [DIALECTS, QUESTIONS] = [24, 40]

/** What names an entry. */
const namings = [
  'asked',
  'lower',
  'read',
  'stored',
  'id',
  'stored,id=asked',
  'lower,id=read',
  'id,id=asked,username=stored',
  'username',
  'username,id=read',
]

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
  LEGACY_ORDER: fc.constantFrom(
    'asked',
    'id',
    'id desc',
    'name',
    'ksort',
    'Username',
    'Username nocase desc',
    'DisplayName nocase',
    'JoinDate desc',
    'Rank',
  ),
  LEGACY_APPS_ORDER: fc.constantFrom('asked', 'id desc', 'Title', 'Title nocase desc', 'Category', 'Version'),
  LEGACY_UNKNOWN: fc.constantFrom('omit', 'null'),
})

const ids = [
  '1',
  '2',
  '3',
  '007',
  '02',
  '1',
  '4',
  '70000',
  '99',
  '0',
  ' 1',
  '2 ',
  '3.9',
  '+4',
  '1e0',
  '-5',
  'abc',
]
const more = [
  '5abc',
  '0x1A',
  '.5',
  '1.',
  '9007199254740991',
  '6e',
  '7e+',
  '\t8',
  '2,3',
  '1,',
  ' ,4',
  '１',
  '٣',
]
const names = [
  'Ada',
  'ADA',
  'ada',
  'Ada ',
  ' Ada',
  'søren',
  'SØREN',
  'mallory',
  '1234',
  'nobody',
  'Nobody',
  'two words',
]
const blanks = ['two words  ', ' ', '  ', 'mallory\t', 'Ada,mallory', ', Ada', '__proto__', '花子', '']

const listOf = (values: readonly string[]) =>
  fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 9 }).map((parts) => parts.join(':'))
const question = fc.oneof(
  fc.record({
    event: fc.constantFrom('ProfileLookup', 'AppLookup'),
    method: fc.constant('id'),
    // One malformed id refuses a whole list: half of them have usual ones only.
    list: fc.oneof(listOf(ids.slice(0, 10)), listOf([...ids, ...more])),
  }),
  fc.record({
    event: fc.constant('ProfileLookup'),
    method: fc.constant('username'),
    list: listOf([...names, ...blanks]),
  }),
)

/** To ksort(), 0x1A is before 2, 2 before 007, and 007 before 0x1A: such lists have no order. */
const isOrdered = (method: string, list: string) => method !== 'id' || /^[\d:]*$/.test(list)

const rowsOf = (file: string): unknown[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

test.skipIf(!hasProgram('php'))(
  'lists are read and entries arranged as PHP does',
  async () => {
    const seed = seedOf('habits/lists-php.test.ts')
    const dialects = fc.sample(dialect, { seed, numRuns: DIALECTS })
    const asked = dialects.flatMap((settings, at) =>
      fc
        .sample(question, { seed: seed + at, numRuns: QUESTIONS })
        .filter(({ method, list }) => settings.LEGACY_ORDER !== 'ksort' || isOrdered(method, list))
        .flatMap((one) => ['JSON', 'XML'].map((format) => ({ ...one, format, settings }))),
    )
    const input = { users: rowsOf(sample.users), apps: rowsOf(sample.apps), questions: asked }
    const bodies: (string | null)[] = JSON.parse(runPhp('lists.php', [], JSON.stringify(input)))
    expect(bodies.filter((body) => body !== null).length).toBeGreaterThan(asked.length / 4)

    for (const settings of dialects) {
      const gateway = await startGateway(settings)
      for (const [at, { event, method, list, format, settings: own }] of asked.entries()) {
        if (own !== settings) continue
        const users = `MethodOfAccessingUserInformation=${method}&Users`
        const parameter = event === 'AppLookup' ? 'Apps' : users
        const query = `Event=${event}&${parameter}=${encodeURIComponent(list)}&Format=${format}`
        const { status, body } = await ask(gateway.url, `/?${query}`)
        const said = `${JSON.stringify(settings)} ${query} of SEED=${seed}`
        expect([status, status === 200 ? body : null], said).toEqual([
          bodies[at] == null ? 400 : 200,
          bodies[at],
        ])
      }
      await gateway.close()
    }
  },
  60_000,
)
