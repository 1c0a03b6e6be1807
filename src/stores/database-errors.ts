// Names of databases, and errors about them, for commands. The messages tell the operator what to do.

import { existsSync } from 'node:fs'
import type { DatabaseLocation, OwnDatabase, ServerKind, SqliteLocation } from '../config/database.ts'
import { CommandError, UsageError } from '../terminal/command-error.ts'
import { messageOf } from '../text.ts'
import { errors as mysql } from './mysql/errors.ts'
import { errors as postgres } from './postgres/errors.ts'
import type { ErrorKinds } from './servers/errors.ts'

const servers: Readonly<Record<ServerKind, ErrorKinds>> = { postgres, mysql }

/** The name of a database in messages, without secrets. */
export function nameOf(database: DatabaseLocation): string {
  if (database.kind === 'sqlite') return database.path
  if (database.kind === 'old-service') return `the old service at ${database.url}`
  const { peers, replicas } = database
  const count = ({ length }: readonly string[], one: string, several: string) =>
    length === 0 ? '' : `, and ${length} ${length === 1 ? one : several}`
  const others = count(peers, 'other node', 'other nodes') + count(replicas, 'replica', 'replicas')
  return servers[database.kind].addressOf(database.url) + others
}

/** The same database, if commands can fill it and read it whole. @throws UsageError for an old service */
export function ours(database: DatabaseLocation): OwnDatabase {
  if (database.kind !== 'old-service') return database
  throw new UsageError(
    `This command needs a database (sqlite:PATH, postgres://… or mysql://…), but DATABASE_URL names an old service: ${database.url}`,
  )
}

/** Whether the database is a file that is missing. */
export function isMissing(database: DatabaseLocation): database is SqliteLocation {
  return database.kind === 'sqlite' && !existsSync(database.path)
}

/** The error for a missing file. */
export function missingDatabase(database: DatabaseLocation): CommandError {
  return new CommandError(
    `There is no database ${nameOf(database)}. Create an empty one with "lookup migrate", or correct DATABASE_URL.`,
  )
}

const sqliteHints = [
  ['is broken', ' Fix the view, or create the tables that it reads.'],
  ['no such table', ' Run "lookup migrate" to create missing tables.'],
  ['readonly', ' Make its folder writable: SQLite keeps two small files beside a database.'],
  ['unable to open', ' Does the folder exist, and is it writable?'],
  ['disk is full', ' Free space on its disk, or on the disk of temporary files (TMPDIR), and try again.'],
  ['locked', ' Another import may be running.'],
] as const

/** The error for a database that cannot be used. */
export function unusableDatabase(database: DatabaseLocation, error: unknown): CommandError {
  if (error instanceof CommandError) return error
  const reason = messageOf(error)
  if (database.kind === 'old-service')
    return new CommandError(`${nameOf(database)} cannot be used: ${reason}.`)
  if (database.kind !== 'sqlite') return servers[database.kind].unusable('DATABASE_URL', database.url, error)
  const hint = sqliteHints.find(([sign]) => reason.includes(sign))?.[1] ?? ''
  return new CommandError(`The database ${database.path} cannot be used: ${reason}.${hint}`)
}
