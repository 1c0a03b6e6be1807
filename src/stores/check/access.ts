// One connection to an operator's database, for commands that read tables of any shape.

import { Socket } from 'node:net'
import type { DatabaseSync } from 'node:sqlite'
import type { ConnectionOptions, RowDataPacket } from 'mysql2'
import type { OwnDatabase } from '../../config/database.ts'
import type { ConnectionLimits } from '../servers/driver.ts'

export type RowObject = Readonly<Record<string, unknown>>

/** A fault of the database, a row or plan that shows it, and the statement or expression that fixes it. */
export interface DatabaseFault {
  readonly what: string
  readonly example: string
  readonly mend: string
}

type SqlParameter = string | number | readonly string[]

export interface DatabaseAccess {
  readonly engine: OwnDatabase['kind']
  /** @param values for the placeholders: `?` of SQLite and MySQL, `$1` of PostgreSQL */
  readonly query: (sql: string, values?: readonly SqlParameter[]) => Promise<readonly RowObject[]>
  /** The open file, if the database is one. */
  readonly file: DatabaseSync | null
  readonly close: () => Promise<void>
}

/** For servers. A file is only read, and without a limit. */
interface AccessOptions {
  /** Milliseconds that a statement may take; 0 for no limit. */
  readonly patience: number
  readonly readOnly: boolean
}

const CONNECT_MS = 5_000

/** Connects, works and disconnects. @throws the driver's error */
export async function withAccess<T>(
  database: OwnDatabase,
  { patience, readOnly }: AccessOptions,
  work: (access: DatabaseAccess) => Promise<T>,
): Promise<T> {
  const limits = { connectTimeout: CONNECT_MS, statementTimeout: patience, readOnly }
  const access =
    database.kind === 'sqlite'
      ? await openFile(database.path)
      : await (database.kind === 'postgres' ? openPostgres : openMysql)(database.url, limits)
  try {
    return await work(access)
  } finally {
    await access.close()
  }
}

async function openFile(path: string): Promise<DatabaseAccess> {
  const { openForReading } = await import('../sqlite/database.ts')
  const file = openForReading(path, { lockTimeout: 50 })
  const bind = (value: SqlParameter) => (typeof value === 'object' ? JSON.stringify(value) : value)
  return {
    engine: 'sqlite',
    file,
    query: async (sql, values = []) => {
      const statement = file.prepare(sql)
      statement.setReadBigInts(true)
      return statement.all(...values.map(bind))
    },
    close: async () => file.close(),
  }
}

async function openPostgres(url: string, limits: ConnectionLimits): Promise<DatabaseAccess> {
  const { default: pg } = await import('pg')
  const { connectionTo } = await import('../postgres/connection.ts')
  const client = new pg.Client(connectionTo(url, limits))
  // A lost connection fails the next query.
  client.on('error', () => {})
  await client.connect()
  return {
    engine: 'postgres',
    file: null,
    query: async (sql, values = []) => (await client.query<RowObject>(sql, [...values])).rows,
    close: () => client.end(),
  }
}

async function openMysql(url: string, limits: ConnectionLimits): Promise<DatabaseAccess> {
  const { connectionTo } = await import('../mysql/connection.ts')
  const { logIn } = await import('../mysql/driver.ts')
  const { options, ...config } = connectionTo(url, limits)
  const { queryFormat: _, ...login } = options
  // A key may be stored as bytes.
  const typeCast: ConnectionOptions['typeCast'] = (field, next) => {
    if (field.type === 'BIT') return field.buffer()?.at(-1) ?? null
    const value = next()
    return Buffer.isBuffer(value) ? value.toString('utf8') : value
  }
  const named = { ...config, options: { ...login, rowsAsArray: false, typeCast } }
  const connection = (await logIn(named, new Socket())).promise()
  return {
    engine: 'mysql',
    file: null,
    query: async (sql, values = []) => {
      const [rows] = await connection.query<RowDataPacket[]>(sql, [...values])
      // A statement that changes something has no rows.
      return Array.isArray(rows) ? rows : []
    },
    close: () => connection.end(),
  }
}

/** MySQL merges a view that has subqueries among its columns only if a hint asks for it, as lookups do. */
export const selectOf = (engine: DatabaseAccess['engine'], name: string): string =>
  engine === 'mysql' ? `SELECT /*+ MERGE(\`${name}\`) */` : 'SELECT'
