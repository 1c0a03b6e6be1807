// A connection to PostgreSQL for lookups. It works through PgBouncer, too.

import type { Socket } from 'node:net'
import pg from 'pg'
import type {
  ConnectionLimits,
  ServerLogin,
  ServerRow,
  Session,
  Statement,
  StoreValue,
} from '../servers/driver.ts'
import { connectionTo, kindsOfTypes } from './connection.ts'
import { sqlState } from './errors.ts'

type OnRows = (error: unknown, rows: readonly ServerRow[]) => void

/** The table or view has changed since the statement was prepared. */
const CHANGED_TABLE = '0A000'
/** A proxy that shares sessions has lost the prepared statement, or has prepared it already. */
const LOST_STATEMENT = '26000'
const DUPLICATE_STATEMENT = '42P05'
const errorsOfPrepared: readonly (string | null)[] = [CHANGED_TABLE, LOST_STATEMENT, DUPLICATE_STATEMENT]

/** @throws WrongUrl */
export function readLogin(url: string, limits: ConnectionLimits): ServerLogin {
  const config = connectionTo(url, limits)
  /** True once a proxy has refused the parameters of the session. */
  let isPlain = false
  /** False once a prepared statement was lost: PgBouncer may use another session for each query. */
  let isPrepared = true

  async function connect(createSocket: () => Socket, onLost: () => void): Promise<Session> {
    const socket = createSocket()
    const client = new pg.Client({
      ...(isPlain ? connectionTo(url, limits, true) : config),
      stream: () => socket,
    })
    client.on('error', onLost).on('end', onLost)
    try {
      await client.connect()
    } catch (error) {
      socket.destroy()
      if (isPlain || !/unsupported startup parameter/.test(String(error))) throw error
      isPlain = true
      return connect(createSocket, onLost)
    }

    function run(statement: Statement, done: OnRows): void {
      query(client, statement, isPrepared ? statement.name : '', (error, rows) => {
        const state = sqlState(error)
        if (statement.name === '' || !errorsOfPrepared.includes(state)) return done(error, rows)
        // The query is sent again without a name. After a change of the table, the pool then drops the
        // connection.
        if (state === CHANGED_TABLE) onLost()
        else isPrepared = false
        query(client, statement, '', done)
      })
    }

    return { query: run, end: () => void client.end(), destroy: () => socket.destroy() }
  }

  return { key: JSON.stringify(config), connect }
}

/**
 * Takes a callback: with pg's own promises, V8 promotes nearly all rows to the old generation, and stops
 * three times as often to collect it.
 */
function query(client: pg.Client, { text, values, describes }: Statement, name: string, done: OnRows): void {
  const config = { name, text, values, rowMode: 'array' } as const
  client.query<StoreValue[]>(config, (error: Error | null, result) => {
    if (error) done(error, [])
    else done(null, describes ? result.fields.map(describe) : result.rows)
  })
}

const typeNames = new Map(Object.entries(pg.types.builtins).map(([name, oid]) => [oid, name.toLowerCase()]))

function describe({ name, dataTypeID }: pg.FieldDef): ServerRow {
  return [name, typeNames.get(dataTypeID) ?? `number ${dataTypeID}`, kindsOfTypes[dataTypeID] ?? '']
}
