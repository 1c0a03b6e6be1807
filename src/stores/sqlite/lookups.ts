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
import { describeSlowness } from './scans.ts'

/** A row as an array of columns (`setReturnArrays`), which is cheaper than an object. */
type Row = Record<number, SQLOutputValue>

type Find<Found> = (values: readonly string[]) => Item<Found>[]

export interface Lookups {
  readonly users: Readonly<Record<LookupMethod, Find<User>>>
  readonly apps: Find<App>
  readonly countAfter: (name: Relation['name'], id: number, most: number) => Slice
  readonly isEmpty: (name: Relation['name']) => boolean
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
  function prepare<Found>(relation: Relation, key: string, read: (row: Row) => Item<Found>): Find<Found> {
    const sql = findSql(relation, key)
    const reason = warn === null ? null : describeSlowness(database, sql, relation, key)
    if (reason === null) return prepareFind(database, relation, key, read)
    warn?.(reason)
    return () => {
      throw new UnusableDatabase(reason)
    }
  }
  const slices = { users: prepareSlice(database, 'users'), apps: prepareSlice(database, 'apps') }
  const firsts = {
    users: database.prepare('SELECT 1 FROM users LIMIT 1'),
    apps: database.prepare('SELECT 1 FROM apps LIMIT 1'),
  }
  // It does not count commits of its own connection, which never writes.
  const dataVersion = database.prepare('PRAGMA data_version')
  return {
    users: {
      ID: prepare<User>(relations.users, 'id', toUser),
      USERNAME: prepare<User>(relations.users, 'username_key', toUser),
      CHAT: prepare<User>(relations.users, 'chat_id', toUser),
    },
    apps: prepare<App>(relations.apps, 'id', toApp),
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
  // Ids are digits, and become numbers.
  const toJson = key === 'id' ? (ids: readonly string[]) => `[${ids.join()}]` : JSON.stringify
  return (values) => {
    const json = toJson(values)
    const rows = inOrder(json)
    if (rows.length === values.length) return rows.map((row) => (row[0] === null ? null : read(row)))
    // A view may have several rows with one key, which a table cannot: the first row counts, and the other
    // values keep their places.
    const found: Item<Found>[] = values.map(() => null)
    for (const row of withPlace(json)) if (row[0] !== null) found[Number(row[place])] ??= read(row)
    return found
  }
}

/** If a row has an integer beyond 2^53, Node's driver throws: all rows are read again as `bigint`. */
function prepareAll(database: DatabaseSync, sql: string): (json: string) => Row[] {
  function prepare(): StatementSync {
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    return statement
  }
  const statement = prepare()
  let exact: StatementSync | null = null
  return (json) => {
    try {
      return statement.all(json)
    } catch (error) {
      if (!isOutOfRange(error)) throw error
      exact ??= prepare()
      exact.setReadBigInts(true)
      return exact.all(json)
    }
  }
}

function prepareSlice(database: DatabaseSync, name: Relation['name']): (id: number, most: number) => Slice {
  const statement = database.prepare(
    `SELECT count(*), max(id) FROM (SELECT id FROM ${name} WHERE id > ? ORDER BY id LIMIT ?)`,
  )
  statement.setReturnArrays(true)
  return (id, most) => {
    const [row] = statement.all(id, most)
    return { count: Number(row?.[0]), last: Number(row?.[1] ?? id) }
  }
}
