import type { DatabaseLocation } from '../settings.ts'
import { CommandError } from './command-error.ts'

/** The complaint that there is no database where one is needed. */
export function missingDatabase({ path }: DatabaseLocation): CommandError {
  return new CommandError(
    `There is no database ${path}. Make an empty one with "lookup migrate", or check DATABASE_URL.`,
  )
}

/** The complaint that a database is there, and cannot be used. */
export function unusableDatabase({ path }: DatabaseLocation, error: unknown): CommandError {
  const reason = error instanceof Error ? error.message : String(error)
  const hint = reason.startsWith('no such table') ? ' "lookup migrate" makes missing tables.' : ''
  return new CommandError(`The database ${path} cannot be used: ${reason}.${hint}`)
}
