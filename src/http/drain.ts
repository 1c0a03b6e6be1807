// Stops a server without a failed request (promise 5 of docs/promises.md). An idle connection may carry a
// request at any moment, and would be reset if the server closed the connection at once. So the connection
// stays open a little longer, and each response says that it is the last one (`Connection: close`).

import type { Server } from 'node:http'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { type Clock, systemClock } from '../clock.ts'
import type { ClientConnections } from './connection.ts'

const net = process.getBuiltinModule('node:net')

/** Milliseconds that connections without a request stay open when the server closes. */
export const LINGER_MS = 1_000
/** Milliseconds that requests in flight are given. */
const DRAIN_MS = 7_500
/** Milliseconds between two checks of the connections that are left. */
const POLL_MS = 50
/** Milliseconds to wait for a turn of the event loop without a new connection. */
const QUIET_TIMEOUT_MS = 1_000
/** Milliseconds of a turn without work. In a longer turn, clients may connect unseen. */
const SHORT_TURN_MS = 0.05
/** Milliseconds of waiting that add once more SHORT_TURN_MS to a short turn: a busy machine is slow. */
const PATIENCE_MS = 100

/**
 * Stops listening, and resolves with the end of the last connection.
 * @param linger milliseconds that connections without a request stay open
 */
export async function drain(
  server: Server,
  connections: ClientConnections,
  linger = LINGER_MS,
  clock: Clock = systemClock,
): Promise<void> {
  connections.closeAfterResponses()
  await untilQuietTurn(() => connections.count)
  const started = clock.now()
  const check = () => {
    const passed = clock.now() - started
    if (passed > DRAIN_MS) for (const socket of connections.sockets()) socket.destroy()
    else if (passed >= linger) closeIdle(server, connections)
  }
  const checking = clock.setInterval(check, POLL_MS)
  check()
  // The close() of http would close idle connections at once, and no longer check for slow clients.
  await new Promise((resolve) => net.Server.prototype.close.call(server, resolve))
  checking.close()
  server.close()
}

function closeIdle(server: Server, connections: ClientConnections): void {
  server.closeIdleConnections()
  // To Node, a connection that was never used is busy with its first request. Browsers open them in advance.
  for (const socket of connections.sockets()) if (socket.bytesRead === 0) socket.destroy()
}

/**
 * Waits for a turn of the event loop in which no client connected. A server that stops listening resets the
 * connections that wait to be accepted. Each turn accepts one of them, so none waits after a turn without
 * any. The caller must stop listening at once, since a client may come in the next microsecond.
 */
async function untilQuietTurn(count: () => number): Promise<void> {
  const started = performance.now()
  // Clients may connect faster than they are accepted.
  for (let waited = 0; waited < QUIET_TIMEOUT_MS; waited = performance.now() - started) {
    // The timer ends before the loop looks for connections, and the immediate comes after that.
    await pause(1)
    const before = count()
    const turnStart = performance.now()
    await turn()
    const isShort = performance.now() - turnStart < SHORT_TURN_MS * (1 + waited / PATIENCE_MS)
    if (isShort && count() === before) return
  }
}
