// The texts that each column accepts, and the complaints of an import about any other text.

import { expect, test } from 'vitest'
import { apps } from '../../src/data/apps.ts'
import type { Cell } from '../../src/data/fields.ts'
import { readRecord } from '../../src/data/import/record.ts'
import type { Relation } from '../../src/data/relation.ts'
import { users } from '../../src/data/users.ts'

const good = {
  users: {
    ...{ id: '7', username: 'ada', chatId: 'chat-7', displayName: 'Ada' },
    ...{ rank: '1', joinDate: '2', isConfirmed: 'true', banned: '0' },
  },
  apps: {
    ...{ id: '7', title: 'Almanac', version: '1.2.3', category: '4' },
    ...{ changelogLink: 'https://apps.example/changelog', downloadLink: 'https://apps.example/7/' },
  },
} as const

type Record = Readonly<{ [name: string]: string }>
const read = (relation: Relation, record: Record): Cell[] | string =>
  readRecord(
    relation,
    relation.columns.map(({ name }) => record[name] ?? null),
  )

/**
 * Texts that a column may hold, with the cell that comes of each if it is another, and texts that it cannot.
 */
interface Rule {
  readonly valid: readonly string[] | Readonly<{ [text: string]: Cell }>
  readonly invalid: readonly string[]
}

/** Texts that have no such stroke. */
const list = (texts: string) => texts.split('|')

const MAX = String(Number.MAX_SAFE_INTEGER)
const noInteger = list('|-|+1| 1|1 |1\n|1.0|1e3|0x10|1_000|1,000|NaN|Infinity|١|--1|99999999999999999999')
const long = 'n'.repeat(257)
const broken = list('a\0|\0|\ud800|a\udc00')
const texts = list(`two words| edge |a:b|a,b|"a"|it's|a\nb|a\r\nb|\t|é|花子 🌸|007`)
const int32: Rule = {
  valid: { 0: 0, '-0': 0, '-1': -1, '007': 7, 2147483647: 2147483647, '-2147483648': -2147483648 },
  invalid: [...noInteger, '2147483648', '-2147483649', MAX],
}
const id: Rule = {
  valid: { 7: 7, '007': 7, '00000000000000000000007': 7 },
  invalid: [...noInteger, '0', '000', '-1', '9007199254740992'],
}
const boolean: Rule = {
  valid: {
    ...{ true: 1, 1: 1, TRUE: 1, True: 1, t: 1, T: 1, yes: 1, YES: 1, y: 1 },
    ...{ false: 0, 0: 0, FALSE: 0, False: 0, f: 0, no: 0, No: 0, n: 0 },
  },
  invalid: list('|on|off|tru|2|-1|01|1.0| true|null|NULL|constructor'),
}
const linkOf = (length: number, end: string) =>
  `https://a.example/${'n'.repeat(length - 'https://a.example/'.length - end.length)}${end}`
const noLink = [
  ...list('|/changelog|a.example|//a.example|ftp://a.example/|javascript:alert(1)|https://|https://[::1/'),
  ...list(
    'https://a.example:99999/|https://a b/| https://a.example|https://a/\n|https://a/\0|https://a/\ud800',
  ),
]

const rules: { readonly [relation in Relation['name']]: Readonly<{ [column: string]: Rule }> } = {
  users: {
    id: { ...id, valid: { 1: 1, [MAX]: Number(MAX) } },
    username: {
      valid: [
        ...list(`a|two words|salt&pepper|1234|o'neil|"q"|a,b|花子|🌸|ﬀ|__proto__`),
        long.slice(1),
        '🌸'.repeat(128),
      ],
      invalid: [...list('|:|a:b|a\nb|a\tb|a\0|\u007f|\u0085|\u009b|\ud800|\udc00a'), long, '🌸'.repeat(129)],
    },
    chatId: { valid: [...texts, 'é'.repeat(256)], invalid: [long, '🌸'.repeat(129), ...broken] },
    displayName: { valid: [...texts, '', 'n'.repeat(1_000)], invalid: [...broken, 'n'.repeat(1_001)] },
    rank: int32,
    joinDate: {
      valid: { 0: 0, '-0': 0, 1199145600: 1199145600, [MAX]: Number(MAX), [`-${MAX}`]: -Number(MAX) },
      invalid: [...noInteger, '9007199254740992', '-9007199254740992'],
    },
    isConfirmed: boolean,
    banned: boolean,
  },
  apps: {
    id,
    title: { valid: [...texts, '', 'é'.repeat(1_000)], invalid: [...broken, 'é'.repeat(1_001)] },
    version: {
      valid: list('0.0.0|1.2.3|2026.11.3'),
      invalid: [
        ...list('|1|1.2|1.2.3.4|v1.2.3|1.2.3-beta|1..3|.1.2|1.2.| 1.2.3|1.2.3\n|1.2.٣|-1.2.3'),
        `1.2.${'3'.repeat(997)}`,
      ],
    },
    category: int32,
    changelogLink: {
      valid: [
        ...list('http://a.example|HTTPS://A.example/x?y=1&z=2#w|https://[::1]:8443/|https://星.example/é'),
        linkOf(2_048, ''),
      ],
      invalid: [...noLink, linkOf(2_049, '')],
    },
    downloadLink: {
      valid: [
        ...list('https://a.example/7/|http://a.example/download/7/|https://a.example/7/?from=list'),
        linkOf(2_048, '/7/'),
      ],
      invalid: [
        ...noLink,
        linkOf(2_049, '/7/'),
        ...list('7|77/|x7/|8/|#/7/|?/7/|7\\|7/.').map((end) => `https://a.example/${end}`),
      ],
    },
  },
}

const columns = [users, apps].flatMap((relation) =>
  relation.columns.map((column, at) => ({
    ...{ relation, column, at, of: `${relation.name}.${column.name}` },
    rule: rules[relation.name][column.name] ?? { valid: [], invalid: [] },
  })),
)

test.for(
  columns.flatMap(({ of, rule: { valid }, ...rest }) => {
    const pairs = Array.isArray(valid)
      ? valid.map((text: string) => [text, text] as const)
      : Object.entries(valid)
    return pairs.map(([text, cell]) => [of, text, cell, rest] as const)
  }),
)('%s may be %j', ([, text, cell, { relation, column, at }]) => {
  const cells = read(relation, { ...good[relation.name], [column.name]: text })
  expect(cells[at]).toBe(cell)
  expect(cells).toHaveLength(relation.columns.length)
})

test.for(columns.flatMap(({ of, rule, ...rest }) => rule.invalid.map((text) => [of, text, rest] as const)))(
  '%s cannot be %j',
  ([, text, { relation, column }]) => {
    const complaint = read(relation, { ...good[relation.name], [column.name]: text })
    expect(complaint).toBeTypeOf('string')
    expect(complaint).toContain(column.name)
    // The rule of the column, or its length, or the end of the link.
    const length = `has ${text.length.toLocaleString('en')} characters: shorten it to `
    expect([column.allowed, length, '/7/'].some((rule) => complaint.includes(rule))).toBe(true)
  },
)

test.for(columns)(
  '$of has rules here, and is missing if a row has it not',
  ({ relation, column, at, rule }) => {
    expect(rule.invalid).not.toEqual([])
    const { [column.name]: _gone, ...rest }: Record = good[relation.name]
    const result = read(relation, rest)
    if (column.name === 'chatId') expect(result[at]).toBeNull()
    else expect(result).toBe(`${column.name} is missing`)
  },
)

test('an empty chatId is none', () => {
  expect(read(users, { ...good.users, chatId: '' })[2]).toBeNull()
})

test('a complaint shows the start of a long text, and cuts no character in two', () => {
  const complaint = (rank: string) => read(users, { ...good.users, rank })
  expect(complaint('9'.repeat(5000))).toBe(`rank cannot be "${'9'.repeat(60)}…": it must be a 32-bit integer`)
  expect(String(complaint(`${'x'.repeat(59)}🌸🌸`)).isWellFormed()).toBe(true)
})
