// What lookups find, computed from the rows that were imported and from nothing else.

import type { Given } from '../kit/dialect.ts'
import type { Fact } from '../legacy/support/facts.ts'
import { type AppRow, keyOf, type Rows, type UserRow } from './rows.ts'

export type Kind = 'ID' | 'USERNAME' | 'CHAT' | 'APP'

export interface Question {
  readonly kind: Kind
  readonly values: readonly string[]
}

/** What the legacy interface sends: facts in order, or an error. */
export type Expected = { readonly facts: readonly Fact[] } | { readonly code: string }

export interface Model {
  readonly legacy: (question: Question) => Expected
  /** The items of a GraphQL field, one for each value. */
  readonly graphql: (question: Question) => readonly (Readonly<Record<string, unknown>> | null)[]
}

/** @param settings of a gateway over these rows */
export function createModel({ users, apps }: Rows, settings: Given): Model {
  const isLenient = settings['read.malformed'] === 'unknown'
  const showsUnknown = 'missing.json' in settings
  const serviceName = String(settings.serviceName ?? 'Service')
  const index = {
    ID: new Map<unknown, UserRow>(users.map((user) => [BigInt(user.id), user])),
    USERNAME: new Map<unknown, UserRow>(users.map((user) => [keyOf(user.username), user])),
    CHAT: new Map<unknown, UserRow>(
      users.flatMap((user) => (user.chatId === null ? [] : [[user.chatId, user]])),
    ),
    APP: new Map<unknown, AppRow>(apps.map((app) => [BigInt(app.id), app])),
  }
  const find = (kind: Kind, value: string): UserRow | AppRow | null => {
    if (isNumeric(kind) && !isId(value)) return null
    const key = isNumeric(kind) ? BigInt(value) : kind === 'USERNAME' ? keyOf(value) : value
    return index[kind].get(key) ?? null
  }
  return {
    legacy: ({ kind, values }) => {
      const list = values.join(':')
      const asked = [...new Set(list.split(':'))].filter((value) => value !== '')
      if (list.includes('\0')) return { code: 'MalformedQuery' }
      if (asked.length === 0) return { code: 'MissingParameter' }
      if (isNumeric(kind) && !isLenient && !asked.every(isId)) return { code: 'MalformedIdentifier' }
      const facts = asked.map((value): Fact => [value, fieldsOf(find(kind, value), serviceName)])
      return { facts: showsUnknown ? facts : facts.filter(([, fields]) => fields !== null) }
    },
    graphql: ({ kind, values }) =>
      values.map((value) => {
        const row = find(kind, value)
        if (row === null) return null
        const { chatId: _neverShown, ...shown } = { chatId: null, ...row }
        return { ...shown, id: String(row.id) }
      }),
  }
}

const isNumeric = (kind: Kind) => kind === 'ID' || kind === 'APP'
const isId = (value: string) => /^[0-9]+$/.test(value) && BigInt(value) <= 2n ** 53n - 1n

/** The fields of an entry in their order. */
function fieldsOf(row: UserRow | AppRow | null, serviceName: string): Fact[1] {
  if (row === null) return null
  if ('title' in row) {
    return [
      ['Title', row.title],
      ['Version', row.version],
      ['Category', row.category],
      ['ChangelogLink', row.changelogLink],
      [`${serviceName}DownloadLink`, row.downloadLink],
    ]
  }
  return [
    ['Id', row.id],
    ['Username', row.username],
    ['DisplayName', row.displayName],
    ['Rank', row.rank],
    ['JoinDate', row.joinDate],
    ['IsConfirmed', row.isConfirmed],
    ['Banned', row.banned],
  ]
}
