// Connections for lookups.

import type { Access, ConnectionLimits } from '../servers/driver.ts'
import { connectionTo } from './connection.ts'
import { logIn } from './login.ts'
import { run } from './results.ts'

/** @throws Error if the URL, or a file that it names, cannot be read */
export function readAccess(url: string, limits: ConnectionLimits): Access {
  const config = connectionTo(url, limits)

  const connect: Access['connect'] = async (createSocket, onLost) => {
    const connection = await logIn(config, createSocket())
    /** A packet had another number than the next one: it may belong to another query. The driver goes on. */
    let isOutOfOrder = false
    connection.on('error', onLost).on('end', onLost)
    connection.on('warn', () => {
      isOutOfOrder = true
    })
    return {
      query: (question, done) =>
        run(connection, question, (error, rows) => {
          if (error !== null) done(error, [])
          else if (isOutOfOrder) done(new Error('the server sent packets out of order'), [])
          // No result is no response: it would mean that nothing matches.
          else if (rows === null) done(new Error('the server answered a lookup without a result'), [])
          else done(null, rows)
        }),
      end: () => connection.end(),
      destroy: () => connection.destroy(),
    }
  }

  return { key: JSON.stringify(config), connect }
}
