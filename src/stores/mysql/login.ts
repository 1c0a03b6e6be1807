// A connection that is logged in, and set so that lookups mean the same on every server.

import type { Socket } from 'node:net'
import { type Connection, createConnection } from 'mysql2'
import { type Config, settingsOf } from './connection.ts'
import { errorNumber, UNKNOWN_VARIABLE } from './errors.ts'
import { query } from './results.ts'

/** Milliseconds after which the system checks a connection that is idle. */
const KEEP_ALIVE_MS = 10_000

/** @throws the server's error, or that of the connection */
export async function logIn(config: Config, socket: Socket): Promise<Connection> {
  const { options, target, limits } = config
  const dial = () => {
    if ('path' in target) return socket.connect(target)
    // Node verifies a certificate for this name. It has the name of a host by itself, and not an address.
    Object.assign(socket, { _host: options.host })
    return socket.connect(target).setNoDelay().setKeepAlive(true, KEEP_ALIVE_MS)
  }
  const connection = createConnection({ ...options, stream: dial })
  connection.on('error', () => {}) // The next query fails.
  // The driver's own limit ends with the first packet of the server.
  const late = () => socket.destroy(new Error('connect ETIMEDOUT'))
  const timer = setTimeout(late, limits.connectTimeout)
  try {
    await new Promise<void>((resolve, reject) =>
      connection.connect((error) => (error ? reject(error) : resolve())),
    )
    await query(connection, settingsOf(limits)).catch((error: unknown) => {
      if (errorNumber(error) !== UNKNOWN_VARIABLE) throw error
      return query(connection, settingsOf(limits, false))
    })
    return connection
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}
