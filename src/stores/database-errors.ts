import { existsSync } from 'node:fs'
import type { DatabaseLocation, DatabaseOfOurs, SqliteLocation } from '../settings.ts'
import { CommandError } from '../terminal/command-error.ts'
import { addressOf, unusable } from './postgres/errors.ts'
import { UnusableDatabase } from './store.ts'

/** What people call it; without secrets. */
export function nameOf(database: DatabaseLocation): string {
  if (database.kind === 'sqlite') return database.path
  if (database.kind === 'old-service') return `the old service at ${database.url}`
  const { length } = database.replicas
  const replicas = length === 0 ? '' : `, and ${length} ${length === 1 ? 'replica' : 'replicas'}`
  return addressOf(database.url) + replicas
}

/** A database that can be filled, and read whole. @throws CommandError for an old service */
export function ours(database: DatabaseLocation): DatabaseOfOurs {
  if (database.kind !== 'old-service') return database
  throw new CommandError(
    `This needs a database, sqlite:PATH or postgres://…, and DATABASE_URL names an old service: ${database.url}`,
  )
}

/** Whether it is a file that is not there. Of a server, only asking it tells. */
export function isMissing(database: DatabaseLocation): database is SqliteLocation {
  return database.kind === 'sqlite' && !existsSync(database.path)
}

/** The complaint that there is no database where one is needed. */
export function missingDatabase(database: DatabaseLocation): CommandError {
  return new CommandError(
    `There is no database ${nameOf(database)}. Make an empty one with "lookup migrate", or check DATABASE_URL.`,
  )
}

const hints = [
  ['no such table', ' "lookup migrate" makes missing tables.'],
  ['readonly', ' SQLite keeps two small files beside a database: its folder must be writable.'],
  ['unable to open', ' Does the folder exist, and is it writable?'],
  ['disk is full', ' Free space there, or where temporary files are (TMPDIR), and try again.'],
  ['locked', ' Another import may be under way.'],
] as const

/** The complaint that a database is there, and cannot be used. */
export function unusableDatabase(database: DatabaseLocation, error: unknown): CommandError {
  if (error instanceof UnusableDatabase) return new CommandError(error.message)
  if (database.kind === 'postgres')
    return new CommandError(unusable('DATABASE_URL', database.url, error).message)
  const reason = error instanceof Error ? error.message : String(error)
  if (database.kind === 'old-service')
    return new CommandError(`${nameOf(database)} cannot be used: ${reason}.`)
  const hint = hints.find(([sign]) => reason.includes(sign))?.[1] ?? ''
  return new CommandError(`The database ${database.path} cannot be used: ${reason}.${hint}`)
}
