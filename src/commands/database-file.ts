import type { DatabaseLocation } from '../settings.ts'
import { CommandError } from './command-error.ts'

/** The complaint that there is no database where one is needed. */
export function missingDatabase({ path }: DatabaseLocation): CommandError {
  return new CommandError(
    `There is no database ${path}. Make an empty one with "lookup migrate", or check DATABASE_URL.`,
  )
}

const hints = [
  ['no such table', ' "lookup migrate" makes missing tables.'],
  ['readonly', ' SQLite keeps two small files beside a database: its folder must be writable.'],
  ['unable to open', ' Is there such a folder, and may we write in it?'],
  ['locked', ' Another import may be under way.'],
] as const

/** The complaint that a database is there, and cannot be used. */
export function unusableDatabase({ path }: DatabaseLocation, error: unknown): CommandError {
  const reason = error instanceof Error ? error.message : String(error)
  const hint = hints.find(([sign]) => reason.includes(sign))?.[1] ?? ''
  return new CommandError(`The database ${path} cannot be used: ${reason}.${hint}`)
}
