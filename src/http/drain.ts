// Stopping without a failed request. A connection that is kept may carry a request at any moment: closed at
// once, it would be reset under the client's hands. So it is kept a little longer, and each response tells
// its client that the connection closes.

import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Clock, systemClock } from '../clock.ts'
import { untilQuietTurn } from './quiet-turn.ts'

const net = process.getBuiltinModule('node:net')

/** Milliseconds that connections without a request are kept when the server closes. */
export const LINGER_MS = 1_000
/** Milliseconds that requests in flight are given. */
const DRAIN_MS = 7_500
/** Milliseconds between two looks at what is left. */
const POLL_MS = 50
/** Milliseconds to wait for a turn without a new connection. */
const QUIET_TIMEOUT_MS = 1_000

type ResponseClass = { readonly prototype: ServerResponse }

/**
 * How to close a server, which has its responses made of a class of its own.
 * @returns stops listening, and ends with the last connection
 */
export function prepareDrain(
  server: Server,
  Response: ResponseClass,
  clock: Clock = systemClock,
): (linger?: number) => Promise<void> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket) => {
    sockets.add(socket)
    connections++
    socket.once('close', () => sockets.delete(socket))
  })

  function closeIdle(): void {
    server.closeIdleConnections()
    // To Node, one that was never used is busy with its first request. Browsers open them in advance.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }

  return async (linger = LINGER_MS) => {
    closeAfterAnswer(Response)
    await untilQuietTurn(() => connections, QUIET_TIMEOUT_MS)
    const started = clock.now()
    const look = () => {
      const passed = clock.now() - started
      if (passed > DRAIN_MS) for (const socket of sockets) socket.destroy()
      else if (passed >= linger) closeIdle()
    }
    const looking = clock.setInterval(look, POLL_MS)
    look()
    // http's own would close the idle connections at once, and no longer look for slow clients.
    await new Promise((resolve) => net.Server.prototype.close.call(server, resolve))
    looking.close()
    server.close()
  }
}

/**
 * From now on, each response tells its client to take the next request elsewhere: requests in flight too. It
 * is done to the class, so that a request costs nothing before.
 */
function closeAfterAnswer(Response: ResponseClass): void {
  const { writeHead } = Response.prototype
  Response.prototype.writeHead = function (this: ServerResponse, ...args: unknown[]) {
    this.shouldKeepAlive = false
    return Reflect.apply(writeHead, this, args)
  }
}
