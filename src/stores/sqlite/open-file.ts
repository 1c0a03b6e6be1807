import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Observe } from '../../observe/observation.ts'
import type { RowReaders } from '../rows.ts'
import { UnusableDatabase } from '../unusable.ts'
import { checkRelations } from './check.ts'
import { openForReading, primaryCode } from './database.ts'
import { identityOf, isFilled } from './foreign-wal.ts'
import { type Lookups, prepareLookups } from './lookups.ts'

/** Milliseconds that a query waits for another program's lock, while nothing else is answered. */
const LOCK_TIMEOUT_MS = 50

/** A file that lookups are read from. */
export interface OpenFile {
  readonly lookups: Lookups
  /** The file that the path led to. */
  readonly identity: string | null
  /** Whether it has been changed, where SQLite does not look. */
  readonly isChanged: () => boolean
  readonly close: () => void
}

interface OpenOptions {
  readonly readers: RowReaders
  readonly observe: Observe
  /** Whether the WAL beside it belongs to another file, and has to stay there. */
  readonly hasForeignWal: boolean
}

/** @throws SQLite's error, or one that names columns or says what to do, where the file cannot be used */
export function openFile(path: string, options: OpenOptions): OpenFile {
  if (!options.hasForeignWal)
    try {
      return open(path, false, options)
    } catch (error) {
      if (!isForWantOfFolder(error) || identityOf(path) === null) throw error
      if (isFilled(path)) throw new UnusableDatabase(unreadableWal(path))
    }
  const file = open(path, true, options)
  const reason = options.hasForeignWal
    ? `${path}-wal belongs to another file, which was replaced: remove it`
    : 'its folder cannot be written, so that SQLite cannot watch for changes: the file is looked at once a second'
  options.observe({ type: 'database-warning', path, reason })
  return file
}

function open(path: string, immutable: boolean, { readers, observe }: OpenOptions): OpenFile {
  // Before it is opened: what is put there meanwhile is another file.
  const identity = identityOf(path)
  const before = contentOf(path)
  const database = openForReading(path, { lockTimeout: LOCK_TIMEOUT_MS, immutable })
  try {
    checkRelations(database)
    if (!immutable && !isInWalMode(database))
      observe({ type: 'database-warning', path, reason: rollbackMode })
    return {
      lookups: prepareLookups(database, readers),
      identity,
      isChanged: () => immutable && contentOf(path) !== before,
      close: () => database.close(),
    }
  } catch (error) {
    database.close()
    throw error
  }
}

const rollbackMode =
  'it is not in WAL mode: while another program writes to it, lookups fail. ' +
  "Have its program switch it once, by 'PRAGMA journal_mode = WAL'"

function isInWalMode(database: DatabaseSync): boolean {
  return database.prepare('PRAGMA journal_mode').get()?.journal_mode === 'wal'
}

/** Whether SQLite lacks the two files that it keeps beside a database in WAL mode, and may not make them. */
function isForWantOfFolder(error: unknown): boolean {
  // SQLITE_READONLY, SQLITE_IOERR, SQLITE_CANTOPEN
  return [8, 10, 14].includes(primaryCode(error))
}

function unreadableWal(path: string): string {
  return (
    `The database ${path} cannot be used: its folder is read-only, and ${path}-wal holds changes that are not in ` +
    `the database yet. Where it can be written, run: sqlite3 ${path} 'PRAGMA wal_checkpoint(TRUNCATE)'`
  )
}

/** What changes when another program writes to the file, or to its WAL. */
function contentOf(path: string): string {
  const { size, mtimeNs } = statSync(path, { bigint: true, throwIfNoEntry: false }) ?? {
    size: 0n,
    mtimeNs: 0n,
  }
  return `${size}:${mtimeNs}:${isFilled(path)}`
}
