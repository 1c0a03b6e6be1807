import { setTimeout as pause } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { errorNumber } from '../../../src/stores/mysql/errors.ts'
import type { Client } from '../database-server.ts'

/** The list of processes cannot show every statement that another test runs at the time. */
const CANNOT_CONVERT = '3854'

/** Connects to a MariaDB or MySQL server of this machine. Integers beyond 2^53 come as texts. */
export async function connect(port: number, database: string, user: string): Promise<Client> {
  const client = await createConnection({
    ...{ host: '127.0.0.1', port, user, database },
    ...{ multipleStatements: true, rowsAsArray: true, supportBigNumbers: true },
  })
  client.on('error', () => {})
  // Whatever the server's own settings are.
  await client.query(
    `SET NAMES utf8mb4, autocommit = 1, sql_big_selects = 1, sql_mode = 'STRICT_TRANS_TABLES'`,
  )
  return {
    run: async (sql, values = []) => {
      for (;;) {
        try {
          const [results] = await client.query<never[]>(sql, [...values])
          return lastRows(results)
        } catch (error) {
          if (!sql.includes('processlist') || errorNumber(error) !== CANNOT_CONVERT) throw error
          await pause(20)
        }
      }
    },
    end: () => client.end(),
  }
}

/** Of several statements, the driver has the results of each. */
function lastRows(results: unknown): unknown[][] {
  if (!Array.isArray(results)) return []
  const last: unknown = results.at(-1)
  const isOfSeveral =
    results.some((result) => !Array.isArray(result)) || (Array.isArray(last) && Array.isArray(last[0]))
  const rows: unknown = isOfSeveral ? last : results
  return Array.isArray(rows) ? rows : []
}
