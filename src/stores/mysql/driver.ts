// A connection for lookups.

import type { RowDataPacket } from 'mysql2'
import type { Access, Question, Row } from '../servers/driver.ts'
import { connectionTo, type Limits } from './connection.ts'
import { logIn } from './login.ts'
import { describe } from './types.ts'
import { readRows } from './values.ts'

type Done = (error: unknown, rows: readonly Row[]) => void

/** @throws Error if the URL, or a file that it names, cannot be read */
export function readAccess(url: string, limits: Limits): Access {
  const config = connectionTo(url, limits)

  const connect: Access['connect'] = async (createSocket, onLost) => {
    const connection = await logIn(config, createSocket())
    /** A packet had another number than the next one: it may belong to another query. The driver goes on. */
    let isOutOfOrder = false
    connection.on('error', onLost).on('end', onLost)
    connection.on('warn', () => {
      isOutOfOrder = true
    })

    function query({ text, describes }: Question, done: Done): void {
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
    return { query, end: () => connection.end(), destroy: () => connection.destroy() }
  }

  return { key: JSON.stringify(config), connect }
}
