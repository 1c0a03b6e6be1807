// Prepares the lookups over one open SQLite file, and refuses lookups that read a whole table.

import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { App } from '../../data/apps.ts'
import { type Relation, responseColumns } from '../../data/relation.ts'
import { relations } from '../../data/relations.ts'
import type { User } from '../../data/users.ts'
import type { LookupMethod } from '../../model.ts'
import { type RowReaders, selectList } from '../rows.ts'
import { type Item, type RowSlice, UnusableDatabase } from '../store.ts'
import { describeSlowness } from './scans.ts'

/** A row as an array of columns (`setReturnArrays`), which is cheaper than an object. */
type SqliteRow = Record<number, SQLOutputValue>

type FindInFile<Found> = (values: readonly string[]) => Item<Found>[]

export type SqliteLookups = ReturnType<typeof prepareLookups>

/**
 * @param warn is called with the reason if a lookup reads too many rows and is refused; null allows all
 * lookups
 * @throws SQLite's error if a relation or a column is missing
 */
export function prepareLookups(
  database: DatabaseSync,
  { toUser, toApp }: RowReaders,
  warn: ((reason: string) => void) | null,
) {
  function prepare<Found>(
    relation: Relation,
    key: string,
    read: (row: SqliteRow) => Item<Found>,
  ): FindInFile<Found> {
    const sql = findSql(relation, key)
    const reason = warn === null ? null : describeSlowness(database, sql, relation, key)
    if (reason === null) return prepareFind(database, relation, key, read)
    warn?.(reason)
    return () => {
      throw new UnusableDatabase(reason)
    }
  }
  const users: Record<LookupMethod, FindInFile<User>> = {
    ID: prepare<User>(relations.users, 'id', toUser),
    USERNAME: prepare<User>(relations.users, 'username_key', toUser),
    CHAT: prepare<User>(relations.users, 'chat_id', toUser),
  }
  const slices = { users: prepareSlice(database, 'users'), apps: prepareSlice(database, 'apps') }
  const first = (name: Relation['name']) => database.prepare(`SELECT 1 FROM ${name} LIMIT 1`)
  const firsts = { users: first('users'), apps: first('apps') }
  // SQLite does not count commits of this connection, which never writes.
  const dataVersion = database.prepare('PRAGMA data_version')
  return {
    users,
    apps: prepare<App>(relations.apps, 'id', toApp),
    /** Counts the rows after an id, up to `most`, and returns the last id of these. */
    countAfter: (name: Relation['name'], id: number, most: number) => slices[name](id, most),
    isEmpty: (name: Relation['name']) => firsts[name].get() === undefined,
    /** A number that changes after each commit of another connection. It has 32 bits. */
    version: () => Number(dataVersion.get()?.data_version),
  }
}

/**
 * The statement of a lookup. Its parameter is a JSON array, so that one prepared statement serves lists of
 * any length. SQLite reads the left side of a LEFT JOIN in order: rows come in the order of the values, and a
 * value without a row yields NULLs.
 */
export function findSql(relation: Relation, key: string, more = ''): string {
  const columns = selectList(relation).replace(/\w+/g, 'found.$&')
  return `SELECT ${columns}${more} FROM json_each(?) AS list LEFT JOIN ${relation.name} AS found ON found.${key} = list.value`
}

function prepareFind<Found>(
  database: DatabaseSync,
  relation: Relation,
  key: string,
  read: (row: SqliteRow) => Item<Found>,
): FindInFile<Found> {
  /** The column of `list.key`, the index of the value in the list. */
  const indexColumn = responseColumns(relation).length
  const find = prepareAll(database, findSql(relation, key))
  const findWithIndex = prepareAll(database, findSql(relation, key, ', list.key'))
  // SQLite compares ids as numbers, so that they need no quotes in JSON.
  const toJson = key === 'id' ? (ids: readonly string[]) => `[${ids.join()}]` : JSON.stringify
  return (values) => {
    const json = toJson(values)
    const rows = find(json)
    if (rows.length === values.length) return rows.map((row) => (row[0] === null ? null : read(row)))
    // A view may have several rows with one key: the first row counts.
    const items: Item<Found>[] = values.map(() => null)
    for (const row of findWithIndex(json)) if (row[0] !== null) items[Number(row[indexColumn])] ??= read(row)
    return items
  }
}

/** Whether a row has an integer beyond 2^53. */
function isOutOfRange(error: unknown): boolean {
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE'
}

/**
 * Reads rows. If a row has an integer beyond 2^53, Node's driver throws, and all are read again as `bigint`.
 */
function prepareAll(database: DatabaseSync, sql: string): (json: string) => SqliteRow[] {
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

function prepareSlice(
  database: DatabaseSync,
  name: Relation['name'],
): (id: number, most: number) => RowSlice {
  const statement = database.prepare(
    `SELECT count(*), max(id) FROM (SELECT id FROM ${name} WHERE id > ? ORDER BY id LIMIT ?)`,
  )
  statement.setReturnArrays(true)
  return (id, most) => {
    const [row] = statement.all(id, most)
    return { count: Number(row?.[0]), last: Number(row?.[1] ?? id) }
  }
}
