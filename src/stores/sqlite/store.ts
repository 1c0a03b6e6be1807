import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import { LookupError } from '../../errors.ts'
import type { LookupMethod, User } from '../../model.ts'
import type { Observe } from '../../observe/observation.ts'
import { appColumns, createRowReaders, userColumns } from '../rows.ts'
import type { Item, Slice, Store } from '../store.ts'
import { isOutOfRange, isSqliteError, openForReading } from './database.ts'

/** A row as an array of columns (`setReturnArrays`): cheaper than an object, and never seen outside this file. */
type Row = Record<number, SQLOutputValue>

/**
 * The embedded store, over node:sqlite. The relations may be tables or views (schema/sqlite.sql).
 * @throws SQLite's error when the file is not a database with these relations
 */
export function openSqliteStore(path: string, observe: Observe): Store {
  const database = openForReading(path)
  const { toUser, toApp } = createRowReaders(observe)
  const byId = prepareFind(database, userColumns, 'users', 'id', toUser)
  const byUsername = prepareFind(database, userColumns, 'users', 'username_key', toUser)
  const byChat = prepareFind(database, userColumns, 'users', 'chat_id', toUser)
  const appById = prepareFind(database, appColumns, 'apps', 'id', toApp)
  const slices = { users: prepareSlice(database, 'users'), apps: prepareSlice(database, 'apps') }
  // Another number after each commit of another connection, and this one never writes.
  const dataVersion = database.prepare('PRAGMA data_version')
  const find: Record<LookupMethod, (values: readonly string[]) => Item<User>[]> = {
    ID: (ids) => byId(ids, numbers(ids)),
    USERNAME: (keys) => byUsername(keys, JSON.stringify(keys)),
    CHAT: (chatIds) => byChat(chatIds, JSON.stringify(chatIds)),
  }

  function guard<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (!isSqliteError(error)) throw error
      observe({ type: 'store-failed', error, count: 1 })
      throw new LookupError('Unavailable', [], error)
    }
  }

  return {
    findUsers: (by, values) => guard(() => find[by](values)),
    findApps: (ids) => guard(() => appById(ids, numbers(ids))),
    countAfter: (name, id, most) => guard(() => slices[name](id, most)),
    version: () => guard(() => Number(dataVersion.get()?.data_version)),
    ready: () => {
      guard(() => [find.ID(['0']), appById(['0'], '[0]')])
    },
    close: () => database.close(),
  }
}

// One array parameter makes one prepared statement serve lists of any length. In a LEFT JOIN SQLite goes through
// the left side in its own order, so rows come in the order of the values, and misses as rows of NULLs.
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
    // A view may have a key twice, which a table cannot: the first one counts, and nobody else's place moves.
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
