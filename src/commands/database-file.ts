import type { DatabaseLocation } from '../settings.ts'
import { CommandError } from './command-error.ts'

/** The complaint that there is no database where one is needed. */
export function missingDatabase({ path }: DatabaseLocation): CommandError {
  return new CommandError(
    `There is no database ${path}. Make an empty one with "lookup migrate", or check DATABASE_URL.`,
  )
}
