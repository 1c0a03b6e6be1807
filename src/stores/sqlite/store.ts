import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { LookupError } from '../../errors.ts'
import type { LookupMethod, User } from '../../model.ts'
import type { Observe } from '../../observe/observation.ts'
import { appColumns, toApp, toUser, userColumns } from '../rows.ts'
import type { Slice, Store } from '../store.ts'
import { isSqliteError, openForReading } from './database.ts'

/** A row as an array of columns (`setReturnArrays`): cheaper than an object, and never seen outside this file. */
type Row = Record<number, SQLOutputValue>

/**
 * The embedded store, over node:sqlite. The relations may be tables or views (schema/sqlite.sql).
 * @throws SQLite's error when the file is not a database with these relations
 */
export function openSqliteStore(path: string, observe: Observe): Store {
  const database = openForReading(path)
  const byId = prepareFind(database, userColumns, 'users', 'id', toUser)
  const byUsername = prepareFind(database, userColumns, 'users', 'username_key', toUser)
  const byChat = prepareFind(database, userColumns, 'users', 'chat_id', toUser)
  const appById = prepareFind(database, appColumns, 'apps', 'id', toApp)
  const slices = { users: prepareSlice(database, 'users'), apps: prepareSlice(database, 'apps') }
  // Another number after each commit of another connection, and this one never writes.
  const dataVersion = database.prepare('PRAGMA data_version')
  const find: Record<LookupMethod, (values: readonly string[]) => (User | null)[]> = {
    ID: (ids) => byId(ids, numbers(ids)),
    USERNAME: (keys) => byUsername(keys, JSON.stringify(keys)),
    CHAT: (chatIds) => byChat(chatIds, JSON.stringify(chatIds)),
  }

  function guard<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (!isSqliteError(error)) throw error
      observe({ type: 'store-failed', error })
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
  read: (row: Row) => Found,
): (values: readonly string[], jsonValues: string) => (Found | null)[] {
  const prepare = (more: string) => {
    const list = columns.replace(/\w+/g, 'found.$&') + more
    const statement = database.prepare(
      `SELECT ${list} FROM json_each(?) AS asked LEFT JOIN ${relation} AS found ON found.${key} = asked.value`,
    )
    statement.setReturnArrays(true)
    return statement
  }
  const statement = prepare('')
  const withPlace = prepare(', asked.key')
  const place = columns.split(',').length
  return (values, jsonValues) => {
    const rows = statement.all(jsonValues)
    if (rows.length === values.length) return rows.map((row) => (row[0] === null ? null : read(row)))
    // A view may have a key twice, which a table cannot: the first one counts, and nobody else's place moves.
    const found: (Found | null)[] = values.map(() => null)
    for (const row of withPlace.all(jsonValues)) if (row[0] !== null) found[Number(row[place])] ??= read(row)
    return found
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
