// A pool of connections to PostgreSQL.

import pg from 'pg'
import type { Driver, Question, Row, Session, Value } from '../servers/driver.ts'
import { createSockets } from '../servers/sockets.ts'
import { kindsOfTypes } from './connection.ts'
import { sqlState } from './errors.ts'

type Done = (error: unknown, rows: readonly Row[]) => void

/** A prepared statement no longer fits its table or view. */
const CHANGED_TABLE = '0A000'
/** Or it is not there, or there already: behind a proxy that shares sessions. */
const stalePlans: readonly (string | null)[] = [CHANGED_TABLE, '26000', '42P05']

export function openDriver(config: pg.ClientConfig, connections: number): Driver {
  const sockets = createSockets()
  class Client extends pg.Client {
    constructor() {
      super({ ...config, stream: sockets.create })
      // A query in flight fails with its connection; the loss of an idle connection concerns no query.
      this.on('error', () => {})
    }
  }
  const pool = new pg.Pool({ Client, max: connections, idleTimeoutMillis: 0 })
  let size = 0
  pool.on('connect', () => size++).on('remove', () => size--)
  pool.on('error', () => {})
  const sessions = new WeakMap<pg.PoolClient, Session>()
  /** Whether each session keeps what it prepares. Behind PgBouncer, it may be another session each time. */
  let isPrepared = true

  function sessionOf(client: pg.PoolClient): Session {
    let hasStalePlan = false

    function ask(question: Question, done: Done): void {
      query(client, question, isPrepared ? question.name : '', (error, rows) => {
        const state = sqlState(error)
        if (question.name === '' || !stalePlans.includes(state)) return done(error, rows)
        if (state === CHANGED_TABLE) hasStalePlan = true
        else isPrepared = false
        query(client, question, '', done)
      })
    }

    return { query: ask, release: (isUsable) => client.release(!isUsable || hasStalePlan) }
  }

  return {
    take: (done) =>
      pool.connect((error, client) => {
        if (client === undefined) return done(error, null)
        const session = sessions.get(client) ?? sessionOf(client)
        sessions.set(client, session)
        done(null, session)
      }),
    size: () => size,
    limit: (max) => {
      pool.options.max = max
    },
    end: async () => {
      void pool.end()
      await sockets.close()
    },
  }
}

/**
 * By a callback: with pg's own promises, V8 promotes nearly all rows to the old generation, and collects that
 * three times as often, while requests wait.
 */
function query(client: pg.PoolClient, { text, values, describes }: Question, name: string, done: Done): void {
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
