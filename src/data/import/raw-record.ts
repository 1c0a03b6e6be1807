/** A record as a file has it, before its cells are read. */
export interface RawRecord {
  /** Number of the line it starts on, from 1. */
  readonly line: number
  /** One text for each column of the relation, in order; `null` where the record has none. */
  readonly texts: readonly (string | null)[]
  /** Why it cannot be read at all; then `texts` says nothing. */
  readonly problem?: string
  /** What the file has there, for the list of rejects. */
  readonly source: unknown
}
