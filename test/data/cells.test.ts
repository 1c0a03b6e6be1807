// The texts that each column accepts, and the complaints of an import about any other text.

import { expect, test } from 'vitest'
import { apps } from '../../src/data/apps.ts'
import type { Cell } from '../../src/data/fields.ts'
import { readRecord } from '../../src/data/import/record.ts'
import type { Relation } from '../../src/data/relation.ts'
import { users } from '../../src/data/users.ts'

const good: Readonly<Record<string, string>> = {
  ...{ id: '7', username: 'ada', chatId: 'chat-7', displayName: 'Ada' },
  ...{ rank: '1', joinDate: '2', isConfirmed: 'true', banned: '0' },
  ...{ title: 'Almanac', version: '1.2.3', category: '4' },
  ...{ changelogLink: 'https://apps.example/changelog', downloadLink: 'https://apps.example/7/' },
}

/** Reads a good row in which one cell is another one, or is missing. */
const read = (relation: Relation, name: string, text: string | null): Cell[] | string =>
  readRecord(
    relation,
    relation.columns.map((column) => (column.name === name ? text : (good[column.name] ?? null))),
  )

/** Texts that have no such stroke. */
const list = (texts: string) => texts.split('|')

const MAX = String(Number.MAX_SAFE_INTEGER)
const noInteger = list('|-|+1| 1|1 |1\n|1.0|1e3|0x10|1_000|1,000|NaN|Infinity|١|--1|99999999999999999999')
const long = 'n'.repeat(257)
const broken = list('a\0|\0|\ud800|a\udc00')
const texts = list(`two words| edge |a:b|a,b|"a"|it's|a\nb|a\r\nb|\t|é|花子 🌸|007`)
const noLink = [
  ...list('|/changelog|a.example|//a.example|ftp://a.example/|javascript:alert(1)|https://|https://[::1/'),
  ...list(
    'https://a.example:99999/|https://a b/| https://a.example|https://a/\n|https://a/\0|https://a/\ud800',
  ),
]
const linkOf = (length: number, end: string) =>
  `https://a.example/${'n'.repeat(length - 'https://a.example/'.length - end.length)}${end}`
const booleans: [valid: Readonly<Record<string, Cell>>, invalid: string[]] = [
  {
    ...{ true: 1, 1: 1, TRUE: 1, True: 1, t: 1, T: 1, yes: 1, YES: 1, y: 1 },
    ...{ false: 0, 0: 0, FALSE: 0, False: 0, f: 0, no: 0, No: 0, n: 0 },
  },
  list('|on|off|tru|2|-1|01|1.0| true|null|NULL|constructor'),
]
const int32: typeof booleans = [
  { 0: 0, '-0': 0, '-1': -1, '007': 7, 2147483647: 2147483647, '-2147483648': -2147483648 },
  [...noInteger, '2147483648', '-2147483649', MAX],
]

test.for<
  [Relation, name: string, valid: readonly string[] | Readonly<Record<string, Cell>>, invalid: string[]]
>([
  [users, 'id', { 1: 1, [MAX]: Number(MAX) }, [...noInteger, '0', '000', '-1', '9007199254740992']],
  [
    users,
    'username',
    [
      ...list(`a|two words|salt&pepper|1234|o'neil|"q"|a,b|花子|🌸|ﬀ|__proto__`),
      ...[long.slice(1), '🌸'.repeat(128)],
    ],
    [...list('|:|a:b|a\nb|a\tb|a\0|\u007f|\u0085|\u009b|\ud800|\udc00a'), long, '🌸'.repeat(129)],
  ],
  [users, 'chatId', [...texts, 'é'.repeat(256)], [long, '🌸'.repeat(129), ...broken]],
  [users, 'displayName', [...texts, '', 'n'.repeat(1_000)], [...broken, 'n'.repeat(1_001)]],
  [users, 'rank', ...int32],
  [
    users,
    'joinDate',
    { 0: 0, '-0': 0, 1199145600: 1199145600, [MAX]: Number(MAX), [`-${MAX}`]: -Number(MAX) },
    [...noInteger, '9007199254740992', '-9007199254740992'],
  ],
  [users, 'isConfirmed', ...booleans],
  [users, 'banned', ...booleans],
  [apps, 'id', { 7: 7, '007': 7, '00000000000000000000007': 7 }, ['0']],
  [apps, 'title', [...texts, '', 'é'.repeat(1_000)], [...broken, 'é'.repeat(1_001)]],
  [
    apps,
    'version',
    list('0.0.0|1.2.3|2026.11.3'),
    [
      ...list('|1|1.2|1.2.3.4|v1.2.3|1.2.3-beta|1..3|.1.2|1.2.| 1.2.3|1.2.3\n|1.2.٣|-1.2.3'),
      `1.2.${'3'.repeat(997)}`,
    ],
  ],
  [apps, 'category', ...int32],
  [
    apps,
    'changelogLink',
    [
      ...list('http://a.example|HTTPS://A.example/x?y=1&z=2#w|https://[::1]:8443/|https://星.example/é'),
      linkOf(2_048, ''),
    ],
    [...noLink, linkOf(2_049, '')],
  ],
  [
    apps,
    'downloadLink',
    [
      ...list('https://a.example/7/|http://a.example/download/7/|https://a.example/7/?from=list'),
      linkOf(2_048, '/7/'),
    ],
    [
      ...[...noLink, linkOf(2_049, '/7/')],
      ...list('7|77/|x7/|8/|#/7/|?/7/|7\\|7/.').map((end) => `https://a.example/${end}`),
    ],
  ],
])('the cells of $0.name.$1', ([relation, name, valid, invalid]) => {
  const at = relation.columns.findIndex((column) => column.name === name)
  const pairs = Array.isArray(valid) ? valid.map((text: string) => [text, text]) : Object.entries(valid)
  for (const [text, cell] of pairs) expect(read(relation, name, text)[at], text).toBe(cell)
  for (const text of invalid) {
    const complaint = read(relation, name, text)
    expect(complaint, text).toBeTypeOf('string')
    // The rule of the column, or its length, or the end of the link.
    const length = `has ${text.length.toLocaleString('en')} characters: shorten it to `
    const rules = [relation.columns[at]?.allowed ?? '', length, '/7/']
    expect(
      rules.some((rule) => complaint.includes(rule) && String(complaint).startsWith(name)),
      text,
    ).toBe(true)
  }
  expect(read(relation, name, null)).toEqual(name === 'chatId' ? expect.any(Array) : `${name} is missing`)
})

test('an empty chatId is none', () => {
  expect([read(users, 'chatId', '')[2], read(users, 'chatId', null)[2]]).toEqual([null, null])
})

test('a complaint shows the start of a long text, and cuts no character in two', () => {
  const complaint = read(users, 'rank', '9'.repeat(5000))
  expect(complaint).toBe(`rank cannot be "${'9'.repeat(60)}…": it must be a 32-bit integer`)
  expect(String(read(users, 'rank', `${'x'.repeat(59)}🌸🌸`)).isWellFormed()).toBe(true)
})
