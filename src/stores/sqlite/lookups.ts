// The statements that look up rows in one open file.

import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { App } from '../../data/apps.ts'
import { relations } from '../../data/relations.ts'
import type { User } from '../../data/users.ts'
import type { LookupMethod } from '../../model.ts'
import { type RowReaders, selectList } from '../rows.ts'
import type { Item, Slice } from '../store.ts'
import { isOutOfRange } from './database.ts'

/**
 * A row as an array of columns (`setReturnArrays`): cheaper than an object, and never seen outside this file.
 */
type Row = Record<number, SQLOutputValue>

export interface Lookups {
  readonly users: Readonly<Record<LookupMethod, (values: readonly string[]) => Item<User>[]>>
  readonly apps: (ids: readonly string[]) => Item<App>[]
  readonly countAfter: (name: 'users' | 'apps', id: number, most: number) => Slice
  readonly isEmpty: (name: 'users' | 'apps') => boolean
  /** Another number after each commit of another connection: 32 bits. */
  readonly version: () => number
}

/** @throws SQLite's error where a relation, or a column of it, is missing */
export function prepareLookups(database: DatabaseSync, { toUser, toApp }: RowReaders): Lookups {
  const users = selectList(relations.users)
  const apps = selectList(relations.apps)
  const byId = prepareFind(database, users, 'users', 'id', toUser)
  const byUsername = prepareFind(database, users, 'users', 'username_key', toUser)
  const byChat = prepareFind(database, users, 'users', 'chat_id', toUser)
  const appById = prepareFind(database, apps, 'apps', 'id', toApp)
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
function prepareFind<Found>(
  database: DatabaseSync,
  columns: string,
  relation: string,
  key: string,
  read: (row: Row) => Item<Found>,
): (values: readonly string[], jsonValues: string) => Item<Found>[] {
  const place = columns.split(',').length
  const list = columns.replace(/\w+/g, 'found.$&')
  const sql = (more: string) =>
    `SELECT ${list}${more} FROM json_each(?) AS asked LEFT JOIN ${relation} AS found ON found.${key} = asked.value`
  const inOrder = prepareAll(database, sql(''))
  const withPlace = prepareAll(database, sql(', asked.key'))
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
