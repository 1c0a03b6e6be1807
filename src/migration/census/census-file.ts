// The file in which gateways keep their census: SQLite, so that several processes may write to it, whatever
// kills them, and no more is lost than what they have not written yet.

import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { CommandError, UsageError } from '../../terminal/command-error.ts'

export type CensusDatabase = DatabaseSync

/** The file cannot be used. */
export class CensusFileError extends CommandError {}

/** In the header of a database that is a census: nothing else is ever written to. */
const APPLICATION_ID = 0x6c6b_6365
const VERSION = 1
/** Where SQLite has it, and how long that header is. */
const APPLICATION_ID_AT = 68
const HEADER_LENGTH = 100
/** Milliseconds to wait for another process that writes. */
const LOCK_TIMEOUT_MS = 5_000

/**
 * Times are milliseconds since 1970, days those since 1970. A row of `client` without a hash is what those of
 * its family have asked that are not told apart. `forgotten` says how many of these there were on a day, and
 * in a week by its Monday.
 */
const tables = `
  CREATE TABLE client (id INTEGER PRIMARY KEY, key TEXT NOT NULL, hash TEXT NOT NULL, family TEXT NOT NULL,
    origin TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, UNIQUE (key, hash, family, origin));
  CREATE INDEX client_last ON client (last) WHERE hash <> '';
  CREATE TABLE version (client INTEGER, version TEXT, PRIMARY KEY (client, version)) WITHOUT ROWID;
  CREATE TABLE day (client INTEGER, day INTEGER, requests INTEGER NOT NULL, PRIMARY KEY (client, day)) WITHOUT ROWID;
  CREATE TABLE asked (client INTEGER, event TEXT, method TEXT, format TEXT, problem TEXT, requests INTEGER NOT NULL,
    PRIMARY KEY (client, event, method, format, problem)) WITHOUT ROWID;
  CREATE TABLE forgotten (unit TEXT, day INTEGER, clients INTEGER NOT NULL, PRIMARY KEY (unit, day)) WITHOUT ROWID;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${VERSION};`

/**
 * What a name stands for. What cannot be looked into is `unknown`, as what is not there: those who open it
 * say why.
 */
export function kindOf(path: string): 'census' | 'another database' | 'another file' | 'unknown' {
  try {
    const stats = statSync(path)
    // A pipe is not read twice.
    if (!stats.isFile()) return 'another file'
    if (stats.size === 0) return 'unknown'
    const header = headerOf(path)
    if (!header.toString('latin1').startsWith('SQLite format 3\0')) return 'another file'
    return header.readUInt32BE(APPLICATION_ID_AT) === APPLICATION_ID ? 'census' : 'another database'
  } catch {
    return 'unknown'
  }
}

function headerOf(path: string): Buffer {
  const header = Buffer.alloc(HEADER_LENGTH)
  const file = openSync(path, 'r')
  try {
    readSync(file, header)
  } finally {
    closeSync(file)
  }
  return header
}

/** @throws UsageError where a file has the name that is no census: the setting is wrong */
export function refuseStrangers(path: string): void {
  const kind = kindOf(path)
  if (kind !== 'unknown' && kind !== 'census')
    throw new UsageError(`${path} is not a census file. Set CENSUS_FILE to another path.`)
}

/**
 * Works on a census file, in one transaction; makes the file where there is none. It is opened each time: it
 * may be moved away between two of them.
 * @throws UsageError, CensusFileError and what node:sqlite throws: then nothing is changed
 */
export function changeCensusFile(path: string, work: (database: DatabaseSync) => void): void {
  refuseStrangers(path)
  const database = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS })
  try {
    database.exec('BEGIN IMMEDIATE')
    const version = versionOf(database)
    if (version === 0) database.exec(tables)
    else refuseOtherVersions(path, version)
    work(database)
    database.exec('COMMIT')
  } finally {
    // Undoes what is not committed.
    database.close()
  }
}

/** Reads one, as it is at one moment. @throws CensusFileError */
export function readCensusFile(path: string, read: (database: DatabaseSync) => void): void {
  try {
    // Not read-only: what a killed process has left half done is undone first.
    const database = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS })
    try {
      database.exec('BEGIN')
      refuseOtherVersions(path, versionOf(database))
      read(database)
    } finally {
      database.close()
    }
  } catch (error) {
    if (error instanceof CensusFileError) throw error
    throw new CensusFileError(
      `Cannot read the census file ${path}: ${error instanceof Error ? error.message : error}.`,
    )
  }
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version)
}

function refuseOtherVersions(path: string, version: number): void {
  if (version !== VERSION)
    throw new CensusFileError(
      `${path} was written by another version of this program. Set CENSUS_FILE to another path.`,
    )
}
