// Users and apps made up for an import: whatever it lets in.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { text } from '../legacy/support/texts.ts'

export interface UserRow {
  readonly id: number
  readonly username: string
  readonly chatId: string | null
  readonly displayName: string
  readonly rank: number
  readonly joinDate: number
  readonly isConfirmed: boolean
  readonly banned: boolean
}

export interface AppRow {
  readonly id: number
  readonly title: string
  readonly version: string
  readonly category: number
  readonly changelogLink: string
  readonly downloadLink: string
}

export interface Rows {
  readonly users: readonly UserRow[]
  readonly apps: readonly AppRow[]
}

const exactly = { minLength: 120, maxLength: 120 }

/** How usernames are compared (contract, "username lookup"). */
export const keyOf = (username: string) => username.normalize('NFKC').toLowerCase()

// No import lets a NUL in.
const stored = fc
  .oneof(text, fc.string({ unit: 'grapheme', maxLength: 12 }))
  .map((any) => any.replaceAll('\0', ''))
const long = fc
  .tuple(stored, fc.integer({ min: 20, max: 500 }))
  .map(([piece, times]) => piece.repeat(times).slice(0, 1000).toWellFormed())
const anyText = fc.oneof({ weight: 40, arbitrary: stored }, { weight: 1, arbitrary: long })

const famous = fc.constantFrom(
  ...'ada Zoë ﬀ İstanbul ı Straße ẞ \u212a ſ ΣΑΣ ας ǅ Ⅷ ① ﷺ ｗｉｄｅ e\u0301 \u202egnol \u200f'.split(' '),
  ...'1 007 -0 __proto__ constructor null true Error &amp; %41 + 👩‍🚀 \u{10ffff} \ufffe 𝔄𝔡𝔞'.split(' '),
  ...['\ufeffmark', '\u00a0', ' ', "'; DROP TABLE users; --"],
)
const username = fc
  .oneof(
    famous,
    stored,
    fc.tuple(famous, stored).map(([name, more]) => name + more),
  )
  .map((name) => name.replace(/[:\p{Cc}]/gu, ''))
  .filter((name) => name !== '')
const chatId = fc
  .oneof(stored, famous, fc.constantFrom('A:b', ':', 'chat-1', 'CHAT-1'))
  .filter((id) => id !== '')

const id = fc.oneof(
  fc.integer({ min: 1, max: 300 }),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  fc.maxSafeNat().map((number) => number || 1),
)
const int32 = fc.oneof(fc.integer(), fc.constantFrom(0, 2 ** 31 - 1, -(2 ** 31)))
const int53 = fc.oneof(
  fc.maxSafeInteger(),
  fc.constantFrom(0, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
)
const version = fc
  .tuple(fc.nat(), fc.constantFrom('0', '007', '9'.repeat(40)), fc.nat())
  .map((parts) => parts.join('.'))
const link = fc
  .tuple(fc.constantFrom('http://apps.example', 'HTTPS://[::1]:8443', 'https://u:p@x.example'), stored)
  .map(([origin, path]) => `${origin}/${path.replace(/[\s\p{Cc}]/gu, '')}`)
  .filter((url) => URL.canParse(url))

/** Rows without two of one id, username or chat id. */
const users: fc.Arbitrary<UserRow[]> = fc.uniqueArray(
  fc.record({
    id,
    username,
    chatId: fc.option(chatId, { freq: 2 }),
    displayName: anyText,
    rank: int32,
    joinDate: int53,
    isConfirmed: fc.boolean(),
    banned: fc.boolean(),
  }),
  {
    ...exactly,
    comparator: (one, other) =>
      one.id === other.id ||
      keyOf(one.username) === keyOf(other.username) ||
      (one.chatId !== null && one.chatId === other.chatId),
  },
)

const apps = fc
  .uniqueArray(
    fc.record({
      id,
      title: anyText,
      version,
      category: int32,
      changelogLink: link,
      page: link,
      tail: fc.constantFrom('', '', '?a=1&b', '#/7/'),
    }),
    { ...exactly, selector: ({ id }) => id },
  )
  .map((all) =>
    all.map(({ page, tail, ...app }): AppRow => {
      return { ...app, downloadLink: `${page.replace(/[?#].*/s, '')}/${app.id}/${tail}` }
    }),
  )

export const rows: fc.Arbitrary<Rows> = fc.record({ users, apps })

/** Writes rows down as an import reads them. */
export function writeRows(folder: string, made: Rows): Readonly<Record<keyof Rows, string>> {
  const write = (name: keyof Rows) => {
    const file = join(folder, `${name}.jsonl`)
    writeFileSync(file, made[name].map((row) => `${JSON.stringify(row)}\n`).join(''))
    return file
  }
  return { users: write('users'), apps: write('apps') }
}
