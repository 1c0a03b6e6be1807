// Why a row cannot go in, by the server's error.

import type { Connection } from 'mysql2'
import type { Relation } from '../../data/relation.ts'
import { anyOf, errorNumber } from './errors.ts'
import { query } from './login.ts'

const DUPLICATE = '1062'

/** Too large, cut off, no value for a column, no text of its character set, a trigger's, a CHECK's. */
const ofRows = anyOf(1118, 1265, 1364, 1366, 1644, 1713, 3819, 3854)

/** Whether a row breaks a rule of the table (SQLSTATE 23), or a column cannot hold it (22, as above). */
export function isAboutRow(error: unknown): error is Error {
  const number = errorNumber(error)
  if (number === null || !(error instanceof Error) || !('sqlState' in error)) return false
  return /^2[23]/.test(String(error.sqlState)) || ofRows.test(number)
}

/** @returns the complaint about a row, by the error that it makes */
export async function createReasons(
  connection: Connection,
  { name, taken }: Relation,
): Promise<(error: Error) => string> {
  // Errors name an index, which may be one of the operator's own.
  const columns = new Map(
    (
      await query(
        connection,
        `SELECT index_name, column_name FROM information_schema.statistics
          WHERE table_schema = database() AND table_name = '${name}' AND non_unique = 0`,
      )
    ).map(([index, column]) => [String(index), String(column).toLowerCase()]),
  )
  return (error) => {
    const [, index = ''] = /for key '([^']*)'$/.exec(error.message) ?? []
    // MySQL names the table before it.
    const column = columns.get(index) ?? columns.get(index.replace(/^[^.]*\./, '')) ?? ''
    return (errorNumber(error) === DUPLICATE ? taken[column] : undefined) ?? error.message
  }
}
