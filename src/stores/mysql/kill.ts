// How a query that is under way is ended at the server: by KILL QUERY over a connection of its own.

import { Socket } from 'node:net'
import type { Config } from './connection.ts'
import { logIn, query } from './login.ts'

/** Milliseconds that it may take to connect. After that, the query ends by its own timeout. */
const CONNECT_TIMEOUT_MS = 500

/**
 * Asks the server to end the query of a session: it fails with 1317 then. It may come late, so that the
 * session must not be used for another query. Every user may end its own queries. Where it fails, the query
 * goes on.
 * @param held the connection of the session: its host name may have another address by now
 */
export async function killQuery(config: Config, session: number, held: Socket): Promise<void> {
  const { remoteAddress: host, remotePort: port } = held
  const isLocal = 'path' in config.target
  // A connection that was just lost has no address any more: the timeout is left.
  if (!isLocal && (host === undefined || port === undefined)) return
  const target = host === undefined || port === undefined ? config.target : { host, port }
  const connectTimeout = Math.min(config.limits.connectTimeout, CONNECT_TIMEOUT_MS)
  const socket = new Socket().unref()
  await kill({ ...config, target, limits: { ...config.limits, connectTimeout } }, session, socket)
    .catch(() => {})
    .finally(() => socket.destroy())
}

async function kill(config: Config, session: number, socket: Socket): Promise<void> {
  const connection = await logIn(config, socket)
  await query(connection, `KILL QUERY ${session}`)
}
