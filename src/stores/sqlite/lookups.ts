// The statements that look up rows in one open file.

import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { App } from '../../data/apps.ts'
import { answeredColumns, type Relation } from '../../data/relation.ts'
import { relations } from '../../data/relations.ts'
import type { User } from '../../data/users.ts'
import type { LookupMethod } from '../../model.ts'
import { type RowReaders, selectList } from '../rows.ts'
import { type Item, type Slice, UnusableDatabase } from '../store.ts'
import { isOutOfRange } from './database.ts'
import { findScan, measureSlowness } from './scans.ts'

/**
 * A row as an array of columns (`setReturnArrays`): cheaper than an object, and never seen outside this file.
 */
type Row = Record<number, SQLOutputValue>

type Find<Found> = (values: readonly string[], jsonValues: string) => Item<Found>[]

export interface Lookups {
  readonly users: Readonly<Record<LookupMethod, (values: readonly string[]) => Item<User>[]>>
  readonly apps: (ids: readonly string[]) => Item<App>[]
  readonly countAfter: (name: 'users' | 'apps', id: number, most: number) => Slice
  readonly isEmpty: (name: 'users' | 'apps') => boolean
  /** Another number after each commit of another connection: 32 bits. */
  readonly version: () => number
}

/**
 * @param warn is called for a lookup that reads too many rows, and such a lookup is refused; null allows it
 * @throws SQLite's error if a relation or a column is missing
 */
export function prepareLookups(
  database: DatabaseSync,
  { toUser, toApp }: RowReaders,
  warn: ((reason: string) => void) | null,
): Lookups {
  const prepare = <Found>(relation: Relation, key: string, read: (row: Row) => Item<Found>): Find<Found> => {
    const reason = warn === null ? null : slownessOf(database, relation, key)
    if (reason === null) return prepareFind(database, relation, key, read)
    warn?.(reason)
    return () => {
      throw new UnusableDatabase(reason)
    }
  }
  const byId = prepare(relations.users, 'id', toUser)
  const byUsername = prepare(relations.users, 'username_key', toUser)
  const byChat = prepare(relations.users, 'chat_id', toUser)
  const appById = prepare(relations.apps, 'id', toApp)
  const slices = { users: prepareSlice(database, 'users'), apps: prepareSlice(database, 'apps') }
  const firsts = {
    users: database.prepare('SELECT 1 FROM users LIMIT 1'),
    apps: database.prepare('SELECT 1 FROM apps LIMIT 1'),
  }
  // It tells nothing of this connection's own commits, and this one never writes.
  const dataVersion = database.prepare('PRAGMA data_version')
  return {
    users: {
      ID: (ids) => byId(ids, numbers(ids)),
      USERNAME: (keys) => byUsername(keys, JSON.stringify(keys)),
      CHAT: (chatIds) => byChat(chatIds, JSON.stringify(chatIds)),
    },
    apps: (ids) => appById(ids, numbers(ids)),
    countAfter: (name, id, most) => slices[name](id, most),
    isEmpty: (name) => firsts[name].get() === undefined,
    version: () => Number(dataVersion.get()?.data_version),
  }
}

// One array parameter makes one prepared statement serve lists of any length. In a LEFT JOIN SQLite goes
// through the left side in its own order, so rows come in the order of the values, and misses as rows of
// NULLs.
export function findSql(relation: Relation, key: string, more = ''): string {
  const columns = selectList(relation).replace(/\w+/g, 'found.$&')
  return `SELECT ${columns}${more} FROM json_each(?) AS asked LEFT JOIN ${relation.name} AS found ON found.${key} = asked.value`
}

function prepareFind<Found>(
  database: DatabaseSync,
  relation: Relation,
  key: string,
  read: (row: Row) => Item<Found>,
): Find<Found> {
  const place = answeredColumns(relation).length
  const inOrder = prepareAll(database, findSql(relation, key))
  const withPlace = prepareAll(database, findSql(relation, key, ', asked.key'))
  return (values, jsonValues) => {
    const rows = inOrder(jsonValues)
    if (rows.length === values.length) return rows.map((row) => (row[0] === null ? null : read(row)))
    // A view may have a key twice, which a table cannot: the first one counts, and the other values keep
    // their places.
    const found: Item<Found>[] = values.map(() => null)
    for (const row of withPlace(jsonValues)) if (row[0] !== null) found[Number(row[place])] ??= read(row)
    return found
  }
}

/**
 * Where a row has an integer that JavaScript does not have, Node's driver throws: all are read again, as
 * `bigint`.
 */
function prepareAll(database: DatabaseSync, sql: string): (jsonValues: string) => Row[] {
  const prepare = () => {
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    return statement
  }
  const statement = prepare()
  let exact: StatementSync | null = null
  return (jsonValues) => {
    try {
      return statement.all(jsonValues)
    } catch (error) {
      if (!isOutOfRange(error)) throw error
      if (exact === null) {
        exact = prepare()
        exact.setReadBigInts(true)
      }
      return exact.all(jsonValues)
    }
  }
}

/** Why lookups are refused: everybody would wait. Null if they are fast. */
function slownessOf(database: DatabaseSync, relation: Relation, key: string): string | null {
  const { name } = relation
  const sql = findSql(relation, key)
  const table = findScan(database, sql)
  const milliseconds = table === null ? measureSlowness(database, sql, relation, key) : null
  const what =
    table !== null
      ? `each reads all rows of ${table}`
      : milliseconds !== null && `each takes ${Math.round(milliseconds)} ms`
  if (what === false) return null
  const where = table ?? 'the tables that it reads'
  return `Lookups of ${name} by ${key} are refused: ${what}, and everybody would wait. Add an index to ${where} for what the view compares, or set DATABASE_ALLOW_SCANS=on`
}

function prepareSlice(database: DatabaseSync, relation: string): (id: number, most: number) => Slice {
  const statement = database.prepare(
    `SELECT count(*), max(id) FROM (SELECT id FROM ${relation} WHERE id > ? ORDER BY id LIMIT ?)`,
  )
  statement.setReturnArrays(true)
  return (id, most) => {
    const [row] = statement.all(id, most)
    return { count: Number(row?.[0]), last: Number(row?.[1] ?? id) }
  }
}

function numbers(canonicalIds: readonly string[]): string {
  return `[${canonicalIds.join(',')}]`
}
