// A pool of connections to MySQL or MariaDB.

import { createPool, type PoolConnection, type RowDataPacket } from 'mysql2'
import type { Driver, Question, Row, Session } from '../servers/driver.ts'
import { createSockets } from '../servers/sockets.ts'
import type { Config } from './connection.ts'
import { dial, setUp } from './login.ts'
import { describe } from './types.ts'
import { readRows } from './values.ts'

type Done = (error: unknown, rows: readonly Row[]) => void

export function openDriver(config: Config, connections: number): Driver {
  const sockets = createSockets()
  const stream = () => dial(config, sockets.create())
  const pool = createPool({ ...config.options, connectionLimit: connections, stream })
  const open = new Map<PoolConnection, Session>()

  function sessionOf(connection: PoolConnection): Session {
    let isReady = false
    /** A packet had another number than the next one: it may belong to another query. The driver goes on. */
    let isOutOfOrder = false
    const forget = () => open.delete(connection)
    connection.on('error', forget).on('end', forget)
    connection.on('warn', () => {
      isOutOfOrder = true
    })

    function send({ text, describes }: Question, done: Done): void {
      connection.query<RowDataPacket[]>(text, (error, rows, fields) => {
        if (error !== null) return done(error, [])
        let found: readonly Row[] | null = null
        try {
          // Neither no result nor several are a response: they would mean that nothing matches.
          found = readRows(rows, fields)
          if (isOutOfOrder) throw new Error('the server sent packets out of order')
          if (found === null) throw new Error('the server answered a lookup without a result')
        } catch (fault) {
          return done(fault, [])
        }
        done(null, describes ? fields.map(describe) : found)
      })
    }

    function query(question: Question, done: Done): void {
      if (isReady) send(question, done)
      else
        setUp(connection, config).then(
          () => {
            isReady = true
            send(question, done)
          },
          (error: unknown) => done(error, []),
        )
    }

    function release(isUsable: boolean): void {
      if (isUsable) connection.release()
      else {
        forget()
        connection.destroy()
      }
    }

    return { query, release }
  }

  return {
    take: (done) =>
      pool.getConnection((error, connection) => {
        if (error) return done(error, null)
        const session = open.get(connection) ?? sessionOf(connection)
        open.set(connection, session)
        done(null, session)
      }),
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
