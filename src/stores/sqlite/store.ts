// The store over an SQLite file. It answers a lookup within the call.

import { type Clock, systemClock } from '../../clock.ts'
import type { SqliteLocation } from '../../config/database.ts'
import { LookupError } from '../../errors.ts'
import type { Observe } from '../../observe/events.ts'
import { createRowReaders } from '../rows.ts'
import type { Store } from '../store.ts'
import { UnusableDatabase } from '../store.ts'
import { hasCode, isSqliteError } from './database.ts'
import { explain, resolveLinks } from './files.ts'
import type { SqliteLookups } from './lookups.ts'
import { serveFile } from './served-file.ts'

/** Milliseconds after a query has waited in vain for a lock, in which queries fail at once. */
const BUSY_MS = 1_000
/** Versions of one file are numbers of 32 bits. */
const FILE_STEP = 2 ** 32

/**
 * The relations may be tables or views (schema/sqlite.sql).
 * @throws SQLite's error, or one that says what to do, if the file is not a database with these relations
 */
export function openSqliteStore(
  { path, allowScans = false }: SqliteLocation,
  observe: Observe,
  clock: Clock = systemClock,
): Store {
  const readers = createRowReaders(observe)
  const file = serveFile(path, { readers, allowScans }, observe, clock)
  let busy: Error | null = null
  let busyUntil = 0

  function guard<T>(work: (lookups: SqliteLookups) => T): T {
    if (busy !== null && clock.now() < busyUntil) throw unavailable(busy)
    try {
      return work(file.lookups())
    } catch (error) {
      if (error instanceof UnusableDatabase) throw unavailable(error)
      if (!isSqliteError(error)) throw error
      const explained = explain(resolveLinks(path), error)
      if (hasCode(error, 'BUSY')) {
        busy = explained
        busyUntil = clock.now() + BUSY_MS
      } else if (file.check()) return guard(work)
      throw unavailable(explained)
    }
  }

  function unavailable(error: Error): LookupError {
    observe({ type: 'store-failed', error, count: 1 })
    return new LookupError('Unavailable', [], error)
  }

  return {
    findUsers: (by, values) => guard(({ users }) => users[by](values)),
    findApps: (ids) => guard(({ apps }) => apps(ids)),
    countAfter: (name, id, most) => guard(({ countAfter }) => countAfter(name, id, most)),
    isEmpty: (name) => guard(({ isEmpty }) => isEmpty(name)),
    version: () => guard(({ version }) => file.number() * FILE_STEP + version()),
    ready: () => {
      const problem = file.problem()
      if (problem !== null) throw new LookupError('Unavailable', [], new UnusableDatabase(problem))
      guard(({ users, apps }) => [users.ID(['0']), apps(['0'])])
    },
    look: () => void file.check(),
    close: file.close,
  }
}
