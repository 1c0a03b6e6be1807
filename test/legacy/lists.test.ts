// How lists are read: separators, identifiers, usernames, empty values, duplicates, limits.
// dialects.peers.test.ts compares every combination with PHP.

import { describe, expect } from 'vitest'
import { test } from '../kit/test.ts'
import { ask, inFormat } from './support/ask.ts'
import { refusalIn } from './support/reply.ts'
import { APP, bodyOf, CHAT, ID, NAME, type Row, type Settings, shown, testRows } from './support/rows.ts'

const zeros = '0'.repeat(40)
const largest = '9007199254740991'
const unknown = { ...shown, 'read.malformed': 'unknown' }
const both = { 'read.commas': true, 'read.trim': true }
const looseIds = (value: string, beside: Settings = unknown) => ({ ...beside, 'read.ids': value })
const kept = { ...unknown, 'read.emptyValues': 'keep' }
const atTheEnd = { ...unknown, 'read.emptyValues': 'drop at the end' }
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at).join(':')
/** The users of the sample data with ids of at most two digits. */
const thirteen = numbers(1, 13).replaceAll(/\d+/g, '$& → $&').replaceAll(':', ', ')

/** Rows of the default dialect. test/cases has the other rows. */
const byDefault: readonly (readonly [query: string, expected: Row[2]])[] = [
  [`${NAME}nobody:two%2Bwords`, ''],
  [`${CHAT}chat%3A13:1:007`, ''],
  [`${ID}${numbers(1, 1000)}:${numbers(1, 300)}::`, thirteen],
  // As long as a target may be.
  [`${ID}${`${numbers(1, 1000)}:`.repeat(16)}`, thirteen],
  [`${NAME}${'x'.repeat(64_000)}:Ada`, 'Ada → 1'],
  [`${NAME}${':'.repeat(64_000)}`, '400 MissingParameter'],
  [`${ID}${numbers(1, 1001)}`, '400 TooManyValues'],
  [`${APP}${numbers(1, 1001)}`, '400 TooManyValues'],
]

describe('in both formats', () => {
  testRows([
    ...byDefault.map(([query, expected]): Row => [{}, query, expected]),
    [{ 'read.trim': true }, `${NAME}+Ada:%09mallory%0d%0a:+:%0b`, 'Ada → 1, mallory → 3'],
    [{ 'read.commas': true }, `${NAME}Ada,mallory:newcomer,,`, 'Ada → 1, mallory → 3, newcomer → 4'],
    [both, `${NAME}Ada,+mallory+,Ada`, 'Ada → 1, mallory → 3'],
    [looseIds('exact'), `${ID}007:7:2abc`, '007 → null, 7 → 7, 2abc → null'],
    [looseIds('no leading zeros', {}), `${ID}007`, '400 MalformedIdentifier'],
    [looseIds('cast', {}), `${ID}1:abc`, '400 MalformedIdentifier'],
    [looseIds('from 1', {}), `${ID}0`, '400 MalformedIdentifier'],
    [looseIds('no leading zeros'), `${ID}007:7`, '007 → null, 7 → 7'],
    [
      looseIds('cast'),
      `${ID}007:2abc:+3:4.9:%2b5:6e0:abc:0x1:-1`,
      '007 → 7, 2abc → 2,  3 → 3, 4.9 → 4, +5 → 5, 6e0 → 6, abc → null, 0x1 → null, -1 → null',
    ],
    [
      looseIds('numeric', shown),
      `${ID}007:+3:4.9:5+:0:-1`,
      '007 → 7,  3 → 3, 4.9 → 4, 5  → 5, 0 → null, -1 → null',
    ],
    [
      looseIds('signed', { ...shown, 'read.largestId': 'none' }),
      `${ID}007:%2b03:-1:-0:${zeros}:${'9'.repeat(30)}`,
      `007 → 7, +03 → 3, -1 → null, -0 → null, ${zeros} → null, ${'9'.repeat(30)} → null`,
    ],
    [looseIds('signed, with blanks', shown), `${ID}+1:2+:%2b3%0a`, ' 1 → 1, 2  → 2, +3\n → 3'],
    [{ 'read.largestId': '2147483647' }, `${ID}2147483648`, '400 MalformedIdentifier'],
    [{ ...shown, 'read.largestId': 'none' }, `${ID}${largest}${zeros}:1`, `${largest}${zeros} → null, 1 → 1`],
    [
      { ...shown, 'read.usernames': 'exact' },
      `${NAME}ada:Ada:SØREN:søren`,
      'ada → null, Ada → 1, SØREN → null, søren → 2',
    ],
    [
      { ...shown, 'read.usernames': 'A to Z folded' },
      `${NAME}ada:SØREN:SøREN:Ａｄａ`,
      'ada → 1, SØREN → null, SøREN → 2, Ａｄａ → null',
    ],
    [
      { ...shown, 'read.usernames': 'without blanks at the end' },
      `${NAME}ada+:Ada++:+Ada:+`,
      'ada  → 1, Ada   → 1,  Ada → null,   → null',
    ],
    [kept, `${ID}1::2`, '1 → 1,  → null, 2 → 2'],
    [kept, ID, '400 MissingParameter'],
    // One colon separates two empty values, which are one.
    [kept, `${ID}:`, ' → null'],
    [atTheEnd, `${ID}1::2::`, '1 → 1,  → null, 2 → 2'],
    [{ ...atTheEnd, 'read.trim': true }, `${ID}1:+::`, '1 → 1,  → null'],
    [{ 'read.zero': 'empty list' }, `${ID}0`, '400 MissingParameter'],
    [{ ...shown, 'read.zero': 'empty list' }, `${ID}0:1`, '0 → null, 1 → 1'],
    [shown, `${ID}999:1:007:998:2`, '999 → null, 1 → 1, 007 → 7, 998 → null, 2 → 2'],
    [shown, `${NAME}__proto__:%22%3C%09/`, '__proto__ → null, "<\t/ → null'],
    [{ 'read.malformed': 'unknown' }, `${ID}x:1:-1:9007199254740992:%F0%9F%8C%B8:2`, '1 → 1, 2 → 2'],
    ...(
      [
        [`${ID}x:1:y:99:-1`, '1 → 1, 99 → null'],
        // Usernames are never malformed.
        [`${NAME}x:Ada`, 'x → null, Ada → 1'],
        [`${APP}x:1.5`, '400 MissingParameter'],
        [`${ID}1:2:3`, '400 TooManyValues'],
      ] as const
    ).map(
      ([query, expected]): Row => [
        { ...shown, 'read.malformed': 'drop', LEGACY_MAX_VALUES: '2' },
        query,
        expected,
      ],
    ),
    [{ LEGACY_MAX_VALUES: '2' }, `${APP}1:2:3`, '400 TooManyValues'],
    [{ LEGACY_MAX_VALUES: '3000' }, `${ID}${numbers(1, 3000)}`, thirteen],
    [{ ...shown, 'read.tooMany': 'cut', LEGACY_MAX_VALUES: '2' }, `${ID}3:3:99:1`, '3 → 3, 99 → null'],
    [
      { ...shown, 'read.repeatedValues': 'each', 'entries.usernames': 'stored' },
      `${NAME}ADA:Nobody:ADA:ada:Nobody`,
      ['Ada → 1, Nobody → null', 'Ada → 1, Nobody → null, Ada → 1, Ada → 1, Nobody → null'],
    ],
    [{ 'read.repeatedValues': 'each', LEGACY_MAX_VALUES: '2' }, `${ID}1:1:1`, '400 TooManyValues'],
  ])
})

test.for<Settings>([{ 'read.trim': true }, { 'read.usernames': 'without blanks at the end' }])(
  '60,000 blanks in a value take no time: %j',
  async (settings, { withSettings }) => {
    const { url } = await withSettings(settings)
    const { user } = process.cpuUsage()
    expect((await ask(url, `/?${NAME}x${'+'.repeat(60_000)}x`)).body).toBe('{}')
    // A regex took 3,000 ms.
    expect(process.cpuUsage({ user, system: 0 }).user / 1000).toBeLessThan(500)
  },
)

describe('a list of 32,000 duplicates', () => {
  const list = Array(32_000).fill('1').join(':')

  test('is too long, if each duplicate has an entry', async ({ withSettings }) => {
    const { url } = await withSettings({ 'read.repeatedValues': 'each' })
    expect(refusalIn(await ask(url, inFormat(ID + list, 'XML')), 'XML').code).toBe('TooManyValues')
  })

  test('has as many entries as the limit, if longer lists are cut', async ({ withSettings }) => {
    const settings = { 'read.repeatedValues': 'each', 'read.tooMany': 'cut', LEGACY_MAX_VALUES: '10000' }
    const { url } = await withSettings(settings)
    const xml = await ask(url, inFormat(ID + list, 'XML'))
    expect(xml.body.match(/<Data Value="1">/g)).toHaveLength(10_000)
    expect((await ask(url, inFormat(ID + list, 'JSON'))).body).toBe(bodyOf(ID, '1 → 1', 'JSON'))
  })
})
