// A pool of connections to MySQL or MariaDB.

import { createPool, type FieldPacket, type PoolConnection, type RowDataPacket } from 'mysql2'
import type { Driver, Question, Row } from '../servers/driver.ts'
import { createSockets } from '../servers/sockets.ts'
import type { Config } from './connection.ts'
import { errors } from './errors.ts'
import { dial, setUp } from './login.ts'
import { describe } from './types.ts'
import { readRows } from './values.ts'

export function openDriver(config: Config, connections: number): Driver {
  const sockets = createSockets()
  const stream = () => dial(config, sockets.create())
  const pool = createPool({ ...config.options, connectionLimit: connections, stream })
  const open = new Set<PoolConnection>()
  const ready = new WeakSet<PoolConnection>()
  /** A packet had another number than the next one: it may belong to another query. The driver goes on. */
  const outOfOrder = new WeakSet<PoolConnection>()

  pool.on('connection', (connection) => {
    open.add(connection)
    const forget = () => open.delete(connection)
    connection.on('error', forget).on('end', forget)
    connection.on('warn', () => outOfOrder.add(connection))
  })

  function destroy(connection: PoolConnection): void {
    open.delete(connection)
    connection.destroy()
  }

  /** Runs a query. Neither no result nor several are a response: they would mean that nothing matches. */
  function send(
    connection: PoolConnection,
    { text, describes }: Question,
    done: (error: unknown, rows: readonly Row[]) => void,
  ): void {
    connection.query<RowDataPacket[]>(text, (error, rows, fields) => {
      if (error !== null) return done(error, [])
      try {
        if (outOfOrder.has(connection)) throw new Error('the server sent packets out of order')
        const found = readRows(rows, fields)
        if (found === null) throw new Error('the server answered a lookup without a result')
        done(null, describes ? describeAll(fields) : found)
      } catch (fault) {
        done(fault, [])
      }
    })
  }

  return {
    start(question, onConnected, done) {
      let isGivenUp = false
      let held: PoolConnection | null = null

      function finish(connection: PoolConnection, error: unknown, rows: readonly Row[]): void {
        if (held === null) return
        held = null
        // After other errors than those about data, the state of the session is unknown.
        if (error === null || errors.isAboutData(error)) connection.release()
        else destroy(connection)
        done(error, rows)
      }

      pool.getConnection((error, connection) => {
        if (error) return done(error, [])
        if (isGivenUp) return connection.release()
        held = connection
        onConnected()
        const sendNow = () => send(connection, question, (fault, rows) => finish(connection, fault, rows))
        if (ready.has(connection)) sendNow()
        else
          setUp(connection, config).then(
            () => {
              ready.add(connection)
              sendNow()
            },
            (fault: unknown) => finish(connection, fault, []),
          )
      })
      return () => {
        isGivenUp = true
        if (held !== null) destroy(held)
        held = null
      }
    },
    size: () => open.size,
    limit: (max) => {
      pool.config.connectionLimit = max
    },
    end: async () => {
      pool.end(() => {})
      await sockets.close()
    },
  }
}

function describeAll(fields: readonly FieldPacket[]): readonly Row[] {
  return fields.map((field) => describe(field))
}
