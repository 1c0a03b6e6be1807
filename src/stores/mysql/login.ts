// A connection that is logged in, and set so that lookups mean the same on every server.

import type { Socket } from 'node:net'
import { type Connection, createConnection, type FieldPacket, type RowDataPacket } from 'mysql2'
import type { Row } from '../servers/driver.ts'
import { type Config, settingsOf } from './connection.ts'
import { errorNumber, UNKNOWN_VARIABLE } from './errors.ts'
import { readRows } from './values.ts'

/** Milliseconds after which the system checks a connection that is idle. */
const KEEP_ALIVE_MS = 10_000

/** @throws the server's error, or that of the connection */
export async function logIn(config: Config, socket: Socket): Promise<Connection> {
  const connection = createConnection({ ...config.options, stream: () => dial(config, socket) })
  connection.on('error', () => {}) // The next query fails.
  try {
    await new Promise<void>((resolve, reject) =>
      connection.connect((error) => (error ? reject(error) : resolve())),
    )
    await setUp(connection, config)
    return connection
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function dial({ options, target }: Config, socket: Socket): Socket {
  if ('path' in target) return socket.connect(target)
  // Node verifies a certificate for this name. It has the name of a host by itself, and not an address.
  Object.assign(socket, { _host: options.host })
  return socket.connect(target).setNoDelay().setKeepAlive(true, KEEP_ALIVE_MS)
}

/** Sets what a session of lookups, or of an import, relies on. */
async function setUp(connection: Connection, { limits }: Config): Promise<void> {
  await query(connection, settingsOf(limits)).catch((error: unknown) => {
    if (errorNumber(error) !== UNKNOWN_VARIABLE) throw error
    return query(connection, settingsOf(limits, false))
  })
}

/** Runs a statement. @returns its rows, if it has any */
export async function query(connection: Connection, text: string): Promise<readonly Row[]> {
  // An error that is thrown in the callback would end the process.
  const { rows, fields } = await new Promise<{ rows: unknown; fields: FieldPacket[] }>((resolve, reject) =>
    connection.query<RowDataPacket[]>(text, (error, rows, fields) =>
      error ? reject(error) : resolve({ rows, fields }),
    ),
  )
  return readRows(rows, fields) ?? []
}
