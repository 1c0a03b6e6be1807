// How a query that is under way is ended at the server: by a request over a connection of its own (the
// protocol's CancelRequest), which the server does not answer.

import { connect, Socket } from 'node:net'
import type pg from 'pg'

const CANCEL_REQUEST = 80_877_102
const CANCEL_REQUEST_BYTES = 16
/** Milliseconds that the request may take. After that, the query ends by its own timeout. */
const SEND_TIMEOUT_MS = 500

/** What a server calls one of its sessions, in PostgreSQL's BackendKeyData. */
interface SessionKey {
  readonly processID: number
  readonly secretKey: number
}

const keys = new WeakMap<pg.ClientBase, SessionKey>()

/** Remembers what the server calls the session of a client, when it connects. */
export function keepSessionKey(client: pg.Client): void {
  client.connection.on('backendKeyData', (key: SessionKey) => keys.set(client, key))
}

/**
 * Asks the server to end the query of a client: it fails with `57014` then. The request may come late, so
 * that the session must not be used for another query. It is not encrypted, as that of PostgreSQL's own
 * programs long was: the key in it is worth nothing once the session has ended.
 */
export function requestCancel(client: pg.Client): void {
  const key = keys.get(client)
  const { stream } = client.connection
  if (key === undefined || !(stream instanceof Socket)) return
  const { remoteAddress, remotePort } = stream
  // A Unix socket has no address, and a connection that was just lost has none any more: the timeout is left.
  if (remoteAddress === undefined || remotePort === undefined) return
  const message = Buffer.alloc(CANCEL_REQUEST_BYTES)
  ;[CANCEL_REQUEST_BYTES, CANCEL_REQUEST, key.processID, key.secretKey].forEach((word, index) => {
    message.writeInt32BE(word | 0, index * 4)
  })
  const socket = connect({ host: remoteAddress, port: remotePort, timeout: SEND_TIMEOUT_MS }).unref()
  socket
    .on('timeout', () => socket.destroy())
    .on('error', () => {})
    .end(message)
    .resume()
}
