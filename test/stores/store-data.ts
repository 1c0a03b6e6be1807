import type { App } from '../../src/data/apps.ts'
import type { User } from '../../src/data/users.ts'

/** A user with what only a store sees. */
export interface FullUser extends User {
  readonly chatId: string | null
}

const user = (id: number, username: string, chatId: string | null, rest: Partial<User> = {}): FullUser => ({
  id,
  username,
  displayName: `Name of ${id}`,
  rank: id % 7,
  joinDate: 1_000_000 + id,
  isConfirmed: true,
  banned: false,
  chatId,
  ...rest,
})

export const users = [
  user(1, 'Ada', 'chat-1', { displayName: 'Ada 🌸 "of" the <Hill> & more', rank: 9 }),
  user(2, 'søren', 'chat-2', { isConfirmed: false, displayName: '' }),
  user(3, 'mallory', null, { banned: true }),
  user(4, 'lowest', null, { rank: -(2 ** 31), joinDate: Number.MIN_SAFE_INTEGER, banned: true }),
  user(Number.MAX_SAFE_INTEGER, 'highest', null, { rank: 2 ** 31 - 1, joinDate: Number.MAX_SAFE_INTEGER }),
  user(10, 'ﬀ', 'a:b'),
  user(11, 'İ', 'ﬀ'),
  user(12, 'Straße', `"'\\`),
  user(13, '\u212a', '007'),
  user(14, 'Zoe\u0308', '🌸'),
  user(15, 'WIDE', null, { displayName: 'line one\nline two\t\r\n' }),
  user(16, '1', null),
  user(17, `"O'Neil\\"`, null),
] as const satisfies readonly FullUser[]

/** As many as one request may have. */
export const manyUsers = Array.from({ length: 1000 }, (_, index) =>
  user(1001 + index, `User ${1001 + index}`, `many:${1001 + index}`),
)

const app = (id: number, title: string, category = 3): App => ({
  id,
  title,
  version: '1.20.300',
  category,
  changelogLink: `https://apps.example/changelog?of=${id}&lang=en`,
  downloadLink: `https://apps.example/download/${id}/`,
})

export const apps: readonly App[] = [
  app(1, 'Pocket Almanac'),
  app(2, '', -(2 ** 31)),
  app(3, 'Star <Chart> & "more" 🌌\n', 2 ** 31 - 1),
  app(Number.MAX_SAFE_INTEGER, 'Largest identifier', 0),
]

/** The spelling of a username in a lookup, and the id of the user above that it finds. */
export const usernameCases = [
  ['case', 'aDA', 1],
  ['a ligature by its letters', 'FF', 10],
  ['letters by the ligature', 'ﬀ', 10],
  ['dotted capital I', 'i\u0307', 11],
  ['plain i is not dotted capital I', 'i', null],
  ['sharp s', 'STRAßE', 12],
  ['sharp s is not ss', 'STRASSE', null],
  ['capital sharp s', 'STRAẞE', 12],
  ['the Kelvin sign by k', 'k', 13],
  ['the Kelvin sign by K', 'K', 13],
  ['decomposed by composed', 'ZOË', 14],
  ['decomposed by decomposed', 'Zoe\u0308', 14],
  ['without the accent', 'zoe', null],
  ['full width', 'ｗｉｄｅ', 15],
  ['a number is a name here', '1', 16],
  ['quotes and backslashes', `"o'neil\\"`, 17],
  ['wildcards mean themselves', '%', null],
  ['white space counts', ' ada', null],
] as const

/** The same for identifiers on the chat platform. */
export const chatCases = [
  ['in exact case', 'CHAT-1', null],
  ['whole', 'chat', null],
  ['with its spaces', 'chat-1 ', null],
  ['with colons', 'a:b', 10],
  ['never normalized', 'ﬀ', 11],
  ['never normalized, the other way', 'ff', null],
  ['quotes and backslashes', `"'\\`, 12],
  ['a number with zeros', '007', 13],
  ['not by the value of a number', '7', null],
  ['astral characters', '🌸', 14],
  ['a lone half of a character', '\ud83c', null],
  ['cut off at NUL', 'chat-1\0', null],
  ['cut off at NUL, with more', 'chat-1\0x', null],
] as const
