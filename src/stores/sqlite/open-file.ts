// Opens an SQLite file for lookups: with its WAL and locks, or alone if its folder is read-only.

import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Observe } from '../../observe/events.ts'
import type { RowReaders } from '../rows.ts'
import { UnusableDatabase } from '../store.ts'
import { checkRelations } from './check.ts'
import { openForReading } from './database.ts'
import { explain, hasHotJournal, identityOf, isFilled, journalError } from './files.ts'
import { prepareLookups } from './lookups.ts'

/** Milliseconds that a query waits for another program's lock, while nothing else is answered. */
const LOCK_TIMEOUT_MS = 50

export type OpenFile = ReturnType<typeof open>

export interface FileReader {
  readonly readers: RowReaders
  readonly allowScans: boolean
}

/** @throws SQLite's error, or one that names columns or says what to do, if the file cannot be used */
export function openFile(path: string, reader: FileReader, observe: Observe): OpenFile {
  try {
    return open(path, false, reader, observe)
  } catch (error) {
    // SQLite keeps two files beside a database in WAL mode, and cannot create them in a read-only folder.
    if (isWritable(dirname(path))) throw explain(path, error)
  }
  if (hasHotJournal(path)) throw journalError(path)
  if (isFilled(`${path}-wal`)) throw new UnusableDatabase(unreadable(path))
  const file = open(path, true, reader, observe)
  observe({ type: 'database-warning', path, reason: readOnlyFolder })
  return file
}

/** Opens the file alone, without its WAL and without locks: the caller has to check `isChanged`. */
export function openImmutable(path: string, reader: FileReader): OpenFile {
  return open(path, true, reader, () => {})
}

function open(path: string, immutable: boolean, { readers, allowScans }: FileReader, observe: Observe) {
  // Read before the file is opened, so that a file that replaces it meanwhile is another one.
  const identity = identityOf(path)
  // SQLite would wait for a writer of a FIFO, and call a folder, such as Docker mounts, a disk error.
  if (identity !== null && !statSync(path).isFile())
    throw new UnusableDatabase(`${path} is not a regular file. Put a database in its place`)
  const before = contentOf(path)
  const database = openForReading(path, { lockTimeout: LOCK_TIMEOUT_MS, immutable })
  const warn = (reason: string) => observe({ type: 'database-warning', path, reason })
  try {
    checkRelations(database)
    const mode = database.prepare('PRAGMA journal_mode').get()?.journal_mode
    if (!immutable && mode !== 'wal') warn(rollbackMode)
    return {
      lookups: prepareLookups(database, readers, allowScans ? null : warn),
      /** The device and the inode of the file. */
      identity,
      /** Whether the file has changed without SQLite noticing. */
      isChanged: () => immutable && contentOf(path) !== before,
      close: () => database.close(),
    }
  } catch (error) {
    database.close()
    throw error
  }
}

const rollbackMode =
  'it is not in WAL mode: lookups fail while another program writes to it. ' +
  "Run 'PRAGMA journal_mode = WAL' once with sqlite3"

const readOnlyFolder =
  'its folder is read-only, so that SQLite cannot detect changes: the gateway checks the file once a second'

const unreadable = (path: string) =>
  `The database ${path} cannot be used: its folder is read-only, and ${path}-wal has changes that are not in ` +
  `the database yet. Where the folder is writable, run: sqlite3 ${path} 'PRAGMA wal_checkpoint(TRUNCATE)'`

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Changes when another program writes to the file, or to its WAL. */
function contentOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return `${found?.size}:${found?.mtimeNs}:${isFilled(`${path}-wal`)}`
}
