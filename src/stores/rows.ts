// What rows mean, in the order in which every store selects their columns. Views may have NULLs.

import { LookupError } from '../errors.ts'
import type { App, User } from '../model.ts'
import type { Observe } from '../observation.ts'

export const userColumns = 'id, username, display_name, rank, join_date, is_confirmed, banned'
export const appColumns = 'id, title, version, category, changelog_link, download_link'

/**
 * A row as an array of columns; booleans may be 0 and 1, integers may be `bigint`, and NaN where they are too
 * large.
 */
type Row = Readonly<Record<number, unknown>>

/** What a refused row is answered with. Made once: a list may have a thousand. */
const refusal = new LookupError('Internal')

/** Milliseconds between two reports of refused rows: they may be asked for again and again. */
const REPORT_MS = 1_000

export interface RowReaders {
  readonly toUser: (row: Row) => User | LookupError
  readonly toApp: (row: Row) => App | LookupError
}

/**
 * Readers of rows. A row with a number that GraphQL cannot carry is refused: its item is an error `Internal`,
 * and its id is reported, once a second at most.
 */
export function createRowReaders(observe: Observe): RowReaders {
  let refused: { relation: 'users' | 'apps'; id: string; column: string; count: number } | null = null

  function report(): void {
    if (refused !== null) observe({ type: 'rows-refused', ...refused })
    refused = null
  }

  function refuse(relation: 'users' | 'apps', id: unknown, column: string): LookupError {
    if (refused === null) {
      refused = { relation, id: String(id), column, count: 0 }
      setTimeout(report, REPORT_MS).unref()
    }
    refused.count++
    return refusal
  }

  return {
    toUser: (row) => {
      const id = Number(row[0])
      const rank = Number(row[3])
      const joinDate = Number(row[4])
      if (!Number.isSafeInteger(id)) return refuse('users', row[0], 'id')
      if (!isInt32(rank)) return refuse('users', id, 'rank')
      if (!Number.isSafeInteger(joinDate)) return refuse('users', id, 'join_date')
      // SQLite keeps any text in any column: 'false' would be true.
      if (typeof row[5] === 'string') return refuse('users', id, 'is_confirmed')
      if (typeof row[6] === 'string') return refuse('users', id, 'banned')
      return {
        id,
        username: String(row[1] ?? ''),
        displayName: String(row[2] ?? ''),
        rank,
        joinDate,
        isConfirmed: Boolean(row[5]),
        banned: Boolean(row[6]),
      }
    },
    toApp: (row) => {
      const id = Number(row[0])
      const category = Number(row[3])
      if (!Number.isSafeInteger(id)) return refuse('apps', row[0], 'id')
      if (!isInt32(category)) return refuse('apps', id, 'category')
      return {
        id,
        title: String(row[1] ?? ''),
        version: String(row[2] ?? ''),
        category,
        changelogLink: String(row[4] ?? ''),
        downloadLink: String(row[5] ?? ''),
      }
    },
  }
}

function isInt32(value: number): boolean {
  return (value | 0) === value
}
