// Rows → the entries of a response: their names, their order, and which of them come once.

import type { Dialect, Format } from './dialect.ts'
import type { ResponseEntries } from './entries.ts'
import type { SchemaRow, SchemaRows } from './events.ts'
import { idReader, type ReadId } from './ids.ts'
import { entriesOf, type SortEntry, sorterOf } from './orders.ts'
import type { LegacyRequest } from './request.ts'
import { lowerAscii } from './text.ts'

type Arrange = (request: LegacyRequest, rows: SchemaRows) => ResponseEntries

export function arrangerOf({ read, entries, missing }: Dialect, format: Format): Arrange {
  const areNamesAsked = entries.ids === 'asked' && entries.usernames === 'asked' && entries.chats === 'asked'
  const isOnceByEntry = read.repeatedValues === 'once by entry'
  // Two values have one name only if values are repeated, or named by something else: 7 and 007 by 7.
  const areNamesUnique = read.repeatedValues === 'once' && areNamesAsked
  const sorters = { users: sorterOf(entries.users), apps: sorterOf(entries.apps) }
  const nameOf = namerOf(entries, idReader(read))

  return (request, rows) => {
    const { values, keys, event } = request
    const sort = sorters[event.subject]
    if (sort === null && areNamesUnique) return { names: values, rows }
    const found = values.map((value, at): SortEntry => {
      const [row, key] = [rows[at] ?? null, keys[at] ?? null]
      return { name: nameOf(request, value, key, row), row, key }
    })
    // Entries without a row go before entries are sorted: one could stand for another entry of its name, or
    // change the order of ksort(), which is not transitive.
    const listed = missing[event.subject][format] === null ? found.filter(({ row }) => row !== null) : found
    const all = sort === null ? listed : sort(listed)
    if (isOnceByEntry) return entriesOf(firstOfEach(all))
    // Elements of XML may have the same name. Members of an array of PHP may not.
    return entriesOf(areNamesUnique || format === 'xml' ? all : lastOfEach(all))
  }
}

type NameOf = (request: LegacyRequest, value: string, key: string | null, row: SchemaRow | null) => string

function namerOf({ ids, usernames, chats }: Dialect['entries'], readId: ReadId): NameOf {
  return ({ method, event }, value, key, row) => {
    if (method === 'USERNAME') return namers[usernames](value, row)
    if (method === 'CHAT') return namers[chats](value, row)
    if (ids === 'asked' || method === null) return value
    // Apps have no usernames.
    if (ids === 'username' && event.subject === 'apps') return value
    return ids === 'username' && row !== null ? String(row.username) : (key ?? readId(value) ?? value)
  }
}

const namers: Readonly<
  Record<Dialect['entries']['chats' | 'usernames'], (value: string, row: SchemaRow | null) => string>
> = {
  asked: (value) => value,
  stored: (value, row) => String(row?.username ?? value),
  lower: (value) => lowerAscii(value),
  id: (value, row) => String(row?.id ?? value),
  username: (value, row) => String(row?.username ?? value),
}

function firstOfEach(entries: readonly SortEntry[]): SortEntry[] {
  const names = new Set<string>()
  return entries.filter(({ name }) => !names.has(name) && names.add(name))
}

/** As an array of PHP: a name stays at its first place, with the value that was assigned last. */
function lastOfEach(entries: readonly SortEntry[]): SortEntry[] {
  const byName = new Map<string, SortEntry>()
  for (const entry of entries) byName.set(entry.name, entry)
  return [...byName.values()]
}
