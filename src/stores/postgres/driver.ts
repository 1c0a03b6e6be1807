// Connections for lookups.

import type { Socket } from 'node:net'
import pg from 'pg'
import type { Access, ConnectionLimits, Question, Row, Session, Value } from '../servers/driver.ts'
import { connectionTo, kindsOfTypes } from './connection.ts'
import { sqlState } from './errors.ts'

type Done = (error: unknown, rows: readonly Row[]) => void

/** A prepared statement no longer fits its table or view. */
const CHANGED_TABLE = '0A000'
/** Or it is not there, or there already: behind a proxy that shares sessions. */
const stalePlans: readonly (string | null)[] = [CHANGED_TABLE, '26000', '42P05']

/** @throws Error if the URL, or a file that it names, cannot be read */
export function readAccess(url: string, limits: ConnectionLimits): Access {
  const config = connectionTo(url, limits)
  /** Whether a proxy refuses the parameters of the session. */
  let isPlain = false
  /** Whether each session keeps what it prepares. Behind PgBouncer, it may be another session each time. */
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

    function ask(question: Question, done: Done): void {
      query(client, question, isPrepared ? question.name : '', (error, rows) => {
        const state = sqlState(error)
        if (question.name === '' || !stalePlans.includes(state)) return done(error, rows)
        // The connection is used once more, so that this query has its response.
        if (state === CHANGED_TABLE) onLost()
        else isPrepared = false
        query(client, question, '', done)
      })
    }

    return { query: ask, end: () => void client.end(), destroy: () => socket.destroy() }
  }

  return { key: JSON.stringify(config), connect }
}

/**
 * By a callback: with pg's own promises, V8 promotes nearly all rows to the old generation, and collects that
 * three times as often, while requests wait.
 */
function query(client: pg.Client, { text, values, describes }: Question, name: string, done: Done): void {
  const config = { name, text, values, rowMode: 'array' } as const
  client.query<Value[]>(config, (error: Error | null, result) => {
    if (error) done(error, [])
    else done(null, describes ? result.fields.map(describe) : result.rows)
  })
}

const typeNames = new Map(Object.entries(pg.types.builtins).map(([name, oid]) => [oid, name.toLowerCase()]))

function describe({ name, dataTypeID }: pg.FieldDef): Row {
  return [name, typeNames.get(dataTypeID) ?? `number ${dataTypeID}`, kindsOfTypes[dataTypeID] ?? '']
}
