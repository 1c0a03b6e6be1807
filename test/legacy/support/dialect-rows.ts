// Rows and queries in which the choices of the dialect show.

import fc from 'fast-check'
import { METHOD } from '../../../src/legacy/events.ts'
import { type AppRow, type Rows, rows, type UserRow } from '../../differential/rows.ts'
import { APP, CHAT, ID, NAME } from './rows.ts'

/** Few, so that a list may have more. */
export const MAX_VALUES = 7

type Names = readonly [id: number, username: string, chatId: string | null, displayName: string]
const users: readonly Names[] = [
  [1, 'Ada', 'c-1', `<b>"Ada" & 'co'</b> / \\ &amp; &#39;`],
  [2, 'søren', 'C-2', 'Søren Ærlig ÿĀ € \u0081\u0085\u00a0\u2028\u2029 🌸'],
  [3, 'Éva_b', null, ''],
  [7, '1234', '7', '007'],
  [10, '"quo\'te"<&>', 'x', ' ]]> <![CDATA[ ]]>'],
  [12, 'two words', 'Ø', 'tab\tline\nreturn\rboth\r\n bell\x07 esc\x1b del\x7f \ufffe\uffff'],
  [20, 'bob', '0', '1e3'],
  [21, 'Bob_', 'c-21', '-0'],
  [30, 'zoé', 'c-30', '\u201cquotes\u201d \u0152\u0178 \u0160 \ufb01 \ud7ff\ue000\u{10ffff}'],
]
const titles = [
  ...[`Tom & 'Jerry' <"/>`, '', 'ärger', 'Zebra', 'apple', 'Apple', 'été ]]> & Œuvre 🌸', '0', '.5', '1.50'],
  ...['9223372036854775808', '1e400', '+7', '\n8 ', '0x1A', '١', '-1.5E-7', 'a=b+c`d'],
]

/** No store has all of them, but sections of CDATA show in them. */
const versions = ['1.10.0', '1.9.0', '2.0.0', '007.1.0', '', '<é>&']

/** Rows by hand, and generated rows behind them. */
export function rowsWith(seed: number): Rows {
  const [made = { users: [], apps: [] }] = fc.sample(rows, { seed, numRuns: 1 })
  const some = 3 * MAX_VALUES
  return {
    users: [
      ...users.map(
        ([id, username, chatId, displayName], at): UserRow => ({
          ...{ id, username, chatId, displayName },
          ...{ rank: (at * 7) % 5, joinDate: [1_199_145_600, 0, -5, 9_007_199_254_740_991][at % 4] ?? 0 },
          ...{ isConfirmed: at % 2 === 0, banned: at % 3 === 0 },
        }),
      ),
      // PHP folds the case, but no compatibility forms.
      ...made.users
        .filter(({ username }) => username.normalize('NFKC') === username)
        .slice(0, some)
        .map((row, at) => ({ ...row, id: 1000 + at })),
    ],
    apps: [
      ...titles.map(
        (title, at): AppRow => ({
          ...{ id: at === 3 ? 70_000 : at + 1, title },
          ...{ version: versions[at % versions.length] ?? '', category: at % 3 },
          changelogLink: at % 4 === 1 ? '' : `https://a.example/${at}?a=1&b='é€"#<>`,
          downloadLink: at % 3 === 0 ? '' : `https://a.example/é?<]]>&/${at + 1}/`,
        }),
      ),
      ...made.apps.slice(0, some).map((row, at) => ({ ...row, id: 1000 + at })),
    ],
  }
}

const encoded = encodeURIComponent
const idLists = [
  ...['2:007:2:1::4:7', '10:2:1:20:30', ':', '', '999', '1:999:998:2', '1:2:3:7:10:12:20:21', '1,2 : 3:'],
  ...[' 1:2 :+3:1e0:07.0', '7abc:7.9:-1:0', '0x1A:5', '0:00:1', ':1:', ' 7 ,\t2:\v3', '9007199254740992:1'],
  ...['9007199254740991', '1: :2', '2147483648:1', '4294967296:01', '9223372036854775808', '12:12:012'],
  ...['1:+99999999999999999999', `<&>"'é\u2028/:1`, '٣:１', '01:1:001', '0:1:2', '30\n:\r2'],
  // empty() of PHP, integers with a sign, and blanks before and behind an empty end.
  ...['0', '00', '+1:-0:+:-:+-2:+007', '2: : ::'],
  // Dropped values do not count.
  'x:y:z:1:2:3:7:10:12:20:21',
]
const nameLists = [
  ...['Ada:ADA:ada', 'ada :Ada  : Ada', 'SØREN:Søren:søren', '1234:bob:Bob_:BOB_', 'nobody:Nobody', ' : ::'],
  ...['two words:TWO WORDS ', `"quo'te"<&>:"QUO'TE"<&>`, 'zoé:ÉVA_B:éva_b:Éva_b', 'Ada,bob', 'x\ty:x'],
  ...['0', '=+`:Ada', '10:9:1234:\u{10000}:\uffee', '__proto__:Ada:0:1'],
]
const chatLists = ['c-1:C-1:c-2:C-2', 'Ø:ø:7:0:x', 'X:c-21', ': ', 'c-30,x']
const otherQueries = `
Users=1&Apps=1
Event=&Users=1&Apps=1
Event=profileLOOKUP&Users=1&Apps=1
Event=applookup&Apps=1
Event=Other%27%22%3C%26%C3%A9&Users=1&Apps=1
Event=ProfileLoo%E2%84%AAup&Users=1
Event=ProfileLookup
event=ProfileLookup&users=1
EVENT=AppLookup&apps=2&Apps=1
Event=AppLookup&event=ProfileLookup&Users=1&Apps=2
Event=ProfileLookup&Users=1&Users=2
Event=ProfileLookup&Users=&users=2
Event=AppLookup&Apps=1&Apps=2&Users=3
Event=ProfileLookup&Event=AppLookup&Users=1&Apps=2
Event=ProfileLookup&Users=1&Format=XML&Format=JSON
Event=ProfileLookup&Users=1&Format=JSON&format=XML
Event=AppLookup
Event=AppLookup&Apps=&Users=1`

/** Queries by hand, and those for all these rows, each in JSON and in XML. */
export function queriesFor({ users, apps }: Rows): readonly string[] {
  const listsOf = (values: readonly (string | number)[]) =>
    values
      .flatMap((_, at) => (at % MAX_VALUES === 0 ? [values.slice(at, at + MAX_VALUES)] : []))
      .map((some) => some.join(':'))
  const ids = [...idLists, ...listsOf(users.map(({ id }) => id))]
  const appIds = [...idLists, ...listsOf(apps.map(({ id }) => id))]
  const names = [...nameLists, ...listsOf(users.map(({ username }) => username))]
  return [
    ...ids.map((list) => ID + encoded(list)),
    ...appIds.map((list) => APP + encoded(list)),
    ...names.map((list) => NAME + encoded(list)),
    ...chatLists.map((list) => CHAT + encoded(list)),
    ...otherQueries.split('\n'),
  ].flatMap((query) => [query, `${query}&Format=XML`])
}

const anyCase = (word: string) => fc.constantFrom(word, word, word.toLowerCase(), word.toUpperCase())
const words = (...all: readonly string[]) => fc.oneof(...all.map(anyCase))
const values = fc.oneof(
  fc.constantFrom('1', '2', '7', '10', '12', '30', '70000'),
  fc.constantFrom('', ' ', '007', ' 2', '7 ', '1.0', '3x', '0', '-1', '999', '\t7', '1e0'),
  fc.constantFrom(...`Ada bob BOB_ SØREN Éva_b nobody 1234 C-1 c-1 x <"&'é`.split(' '), 'ada '),
)
const list = fc
  .array(fc.tuple(values, fc.constantFrom(':', ':', ':', ',', '::')), { maxLength: 9 })
  .map((parts) => parts.flat().slice(0, -1).join(''))

/** A parameter: mostly once, or never, or twice. */
function parameter(name: string, value: fc.Arbitrary<string>): fc.Arbitrary<readonly string[]> {
  const one = fc.tuple(anyCase(name), value).map(([given, text]) => `${given}=${encoded(text)}`)
  const all = (length: number) => fc.array(one, { minLength: length, maxLength: length })
  return fc.oneof(
    { weight: 6, arbitrary: all(1) },
    { weight: 1, arbitrary: all(0) },
    { weight: 1, arbitrary: all(2) },
  )
}

/** Queries with several habits at once. */
export const anyQuery = fc
  .tuple(
    parameter('Event', words('ProfileLookup', 'ProfileLookup', 'AppLookup', '', 'Other')),
    parameter('Format', words('XML', 'JSON', 'YAML', '')),
    parameter(METHOD, words('id', 'username', 'chat', '', 'nick')),
    parameter('Users', list),
    parameter('Apps', list),
  )
  .map((parts) => parts.flat().join('&'))
