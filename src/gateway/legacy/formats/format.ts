import type { Dialect } from '../../../settings.ts'
import type { Entry, LegacyEvent } from '../events/event.ts'

/**
 * Writes the answer to a lookup. `entries` has one item per value, in order; `null` where nothing matches.
 * A character comes out for each byte: of ASCII only, unless the dialect says otherwise.
 */
export type WriteAnswer = (values: readonly string[], entries: readonly (Entry | null)[]) => string

export type WriteError = (code: string, message: string) => string

/**
 * A way to write answers. By default, its bytes are PHP 8's; test/gateway/legacy/formats proves it against
 * PHP.
 */
export interface Format {
  readonly contentType: (dialect: Dialect) => string
  /** Prepares the writer of one event's answers. */
  readonly answers: (event: LegacyEvent, dialect: Dialect) => WriteAnswer
  /** Prepares the writer of errors. */
  readonly errors: (dialect: Dialect) => WriteError
}
