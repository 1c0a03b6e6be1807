// Listens for HTTP: the timeouts and limits of Node's server, and what happens to each of its events.

import { readdirSync, readFileSync } from 'node:fs'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Clock } from '../clock.ts'
import type { Timeouts } from '../config/settings.ts'
import type { Observe } from '../observe/events.ts'
import { ClientConnections } from './connection.ts'
import { drain } from './drain.ts'
import type { Exchange } from './exchange.ts'
import { createMemory, type Memory } from './memory.ts'
import { MAX_TARGET_BYTES } from './target.ts'

export interface Listener {
  /** Has the port that the system chose if `port` is 0. */
  readonly url: string
  /**
   * Stops listening, and waits for requests in flight until a timeout.
   * @param linger milliseconds that idle connections stay open
   */
  readonly close: (linger?: number) => Promise<void>
}

// An import of node:http would load all its exports, such as the fetch client, and double the time of a
// start.
const { createServer } = process.getBuiltinModule('node:http')

export interface ListenerHandlers {
  readonly handle: (exchange: Exchange) => void
  /** Called for each new connection. */
  readonly onConnection?: () => void
  /** The memory for requests and unread responses. Default: a memory of this listener. */
  readonly memory?: Memory
  /** Responds to bytes that Node's parser refuses. Default: Node's bare 400, which closes the connection. */
  readonly handleUnreadable?: (error: Error, socket: Socket, handle: RequestListener) => void
}

/** Milliseconds for the headers of a request, which are short: REQUEST_TIMEOUT allows for a long body. */
const MAX_HEADERS_MS = 5_000

interface ListenOptions {
  readonly port: number
  readonly host: string
  readonly timeouts: Timeouts
  /** Default: none, as for the admin port. */
  readonly connectionLimit?: ConnectionLimit
  readonly clock?: Clock
}

interface ConnectionLimit {
  readonly maxConnections: number
  readonly observe: Observe
}

/** Listens for HTTP. Rejects with Node's error, such as EADDRINUSE. */
export async function listen(handlers: ListenerHandlers, options: ListenOptions): Promise<Listener> {
  const { handle, onConnection, memory = createMemory(), handleUnreadable } = handlers
  const { port, host, timeouts, connectionLimit, clock } = options
  const connections = new ClientConnections(handle, memory, timeouts.request)
  const arrive: RequestListener = (request, response) => connections.arrive(request, response)
  const server = createServer(
    {
      // A request without a body needs no stream that ends.
      optimizeEmptyRequests: true,
      // Two Host headers become an invalid one. The gateway itself refuses an invalid or missing Host.
      joinDuplicateHeaders: true,
      requireHostHeader: false,
      // Node must read a target that is too long, since the target names the format of the response.
      maxHeaderSize: 4 * MAX_TARGET_BYTES,
      headersTimeout: Math.min(MAX_HEADERS_MS, timeouts.request),
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.idle,
      // A slow client is cut at most 250 ms after its timeout.
      connectionsCheckingInterval: 250,
    },
    arrive,
  )
  // A client may close its side when it has sent its request, as `nc` does. connection.ts ends the wait.
  Object.assign(server, { httpAllowHalfOpen: true })
  // Disconnects clients that read nothing of their response.
  server.timeout = timeouts.idle
  if (connectionLimit !== undefined) limitConnections(server, connectionLimit)
  server.on('connection', (socket) => {
    onConnection?.()
    connections.accept(socket)
  })
  if (handleUnreadable !== undefined)
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      const act = () => handleUnreadable(error, socket, arrive)
      connections.afterRequests(socket, error.code === 'ERR_HTTP_REQUEST_TIMEOUT', act)
    })
  // CONNECT: the gateway opens no tunnels. By default, Node closes the connection before earlier responses.
  server.on('connect', ({ socket }) => {
    socket.on('error', () => {}) // Node no longer listens
    connections.afterRequests(socket, false, () => socket.destroy())
  })
  // Node's automatic 100 could land inside an earlier response.
  server.on('checkContinue', (request, response) => server.emit('request', request, response))
  // By default, Node sends 417 and reads any number of bytes. A server may ignore an unknown expectation (RFC
  // 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve(server.off('error', reject) && undefined))
  })
  return {
    url: urlOf(server),
    close: (linger) => drain(server, connections, linger, clock),
  }
}

/** Files that the process may open later: of the database, its servers, the log. */
const RESERVED_FILES = 32

/** MAX_CONNECTIONS: closes further connections at once. */
function limitConnections(server: Server, { maxConnections, observe }: ConnectionLimit): void {
  const allowed = allowedConnections()
  server.maxConnections = Math.min(maxConnections, allowed)
  if (allowed < maxConnections) {
    const limit = `The system lets this process have ${allowed} connections (ulimit -n), fewer than`
    const reason = `${limit} MAX_CONNECTIONS (${maxConnections}). Raise the limit of open files.`
    observe({ type: 'setting-warning', reason })
  }
  server.on('drop', () => observe({ type: 'connections-refused', count: 1 }))
}

/**
 * How many connections leave open files for the admin port and the database. Only Linux shows the limit of
 * open files. Without a free file, connections would fail without a trace.
 */
function allowedConnections(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1')
    const files = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
    const free = files - readdirSync('/proc/self/fd').length - RESERVED_FILES
    return Math.max(1, Math.floor(Math.min(0.75 * files, free)))
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

function urlOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo // a TCP server's address is no string
  return urlFor(address, port)
}

/** The URL of a listener for a person on this machine. */
export function urlFor(address: string, port: number): string {
  const here = address === '0.0.0.0' || address === '::' || address === '127.0.0.1'
  const name = here ? 'localhost' : address.includes(':') ? `[${address}]` : address
  return `http://${name}:${port}`
}
