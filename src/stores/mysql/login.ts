// A connection that is logged in, and set so that lookups mean the same on every server.

import type { Socket } from 'node:net'
import { type Connection, createConnection, type FieldPacket, type RowDataPacket } from 'mysql2'
import type { Row } from '../servers/engine.ts'
import { ConnectTimeout } from '../servers/errors.ts'
import { startTimer } from '../servers/timer.ts'
import { type Config, settingsOf } from './connection.ts'
import { errorNumber, UNKNOWN_VARIABLE } from './errors.ts'
import { readRows } from './values.ts'

/** Milliseconds after which the system checks a connection that is idle. */
const KEEP_ALIVE_MS = 10_000

/** @throws the server's error, that of the connection, or ConnectTimeout where all of it takes too long */
export async function logIn(config: Config, socket: Socket): Promise<Connection> {
  const { options, limits } = config
  const late = Promise.withResolvers<never>()
  const timer = startTimer(limits.connectTimeout, () => {
    late.reject(new ConnectTimeout())
    socket.destroy()
  })
  async function setUp(): Promise<Connection> {
    const connection = createConnection({ ...options, stream: () => dial(config, socket) })
    connection.on('error', () => {}) // what is asked says so
    await new Promise<void>((resolve, reject) =>
      connection.connect((error) => (error ? reject(error) : resolve())),
    )
    await query(connection, settingsOf(limits)).catch((error: unknown) => {
      if (errorNumber(error) !== UNKNOWN_VARIABLE) throw error
      return query(connection, settingsOf(limits, false))
    })
    return connection
  }
  try {
    return await Promise.race([setUp(), late.promise])
  } finally {
    timer.stop()
  }
}

function dial({ options, target }: Config, socket: Socket): Socket {
  if ('path' in target) return socket.connect(target)
  // Node checks a certificate for this name. It has that of a host by itself, and not of an address.
  Object.assign(socket, { _host: options.host })
  return socket.connect(target).setNoDelay().setKeepAlive(true, KEEP_ALIVE_MS)
}

/** Runs a statement. @returns its rows, if it has any */
export async function query(connection: Connection, text: string): Promise<readonly Row[]> {
  return (await ask(connection, text)) ?? []
}

/** Runs a statement. @returns its rows; `null` where the server says that it has none */
export async function ask(connection: Connection, text: string): Promise<readonly Row[] | null> {
  // What is thrown in the callback would end the process.
  const { rows, fields } = await new Promise<{ rows: unknown; fields: FieldPacket[] }>((resolve, reject) =>
    connection.query<RowDataPacket[]>(text, (error, rows, fields) =>
      error ? reject(error) : resolve({ rows, fields }),
    ),
  )
  return readRows(rows, fields)
}
