import type { RequestListener, Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Clock } from '../clock.ts'
import type { Timeouts } from '../config/settings.ts'
import type { Observe } from '../observe/events.ts'
import { limitConnections } from './connection-limit.ts'
import { prepareDrain } from './drain.ts'
import { MAX_TARGET_BYTES } from './target.ts'

/** A listening server. */
export interface Listener {
  /** With the port that was taken, where port 0 was asked for. */
  readonly url: string
  /**
   * Stops taking connections, lets requests in flight finish, and cuts what is left after a while.
   * @param linger milliseconds that connections without a request are kept
   */
  readonly close: (linger?: number) => Promise<void>
}

// An import of node:http would load all it exports, the fetch client included, and double the time of a
// start.
const { createServer, ServerResponse } = process.getBuiltinModule('node:http')

interface Handlers {
  readonly handle: RequestListener
  /** Called for each connection, before anything of it is read. */
  readonly onConnection?: (socket: Socket) => void
  /** Answers what Node's parser cannot read; without it, Node closes the connection with a bare 400. */
  readonly handleUnreadable?: (error: Error, socket: Socket) => void
}

export interface ListenOptions {
  readonly port: number
  readonly host: string
  readonly timeouts: Timeouts
  /** How many connections it takes at a time; as many as come where there is none. */
  readonly connectionLimit?: { readonly maxConnections: number; readonly observe: Observe }
  readonly clock?: Clock
}

/** Listens for HTTP. Rejects with Node's error (EADDRINUSE, EACCES, …) when it cannot. */
export async function listen(handlers: Handlers, options: ListenOptions): Promise<Listener> {
  const { port, host, timeouts, connectionLimit, clock } = options
  class Response extends ServerResponse {}
  const server = createServer(
    {
      ServerResponse: Response,
      // A request without a body needs no stream that ends.
      optimizeEmptyRequests: true,
      // Two Host headers become one that no host has. A missing one is refused by the gateway, in words.
      joinDuplicateHeaders: true,
      requireHostHeader: false,
      // Room for a target that is too long, so that it can be told so in the format it asks for.
      maxHeaderSize: 4 * MAX_TARGET_BYTES,
      // The headers are a part of the request.
      headersTimeout: Math.min(timeouts.headers, timeouts.request),
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.idle,
      // How much later than these a slow client is cut at most.
      connectionsCheckingInterval: 250,
    },
    handlers.handle,
  )
  // A client that reads nothing of its response.
  server.timeout = timeouts.idle
  if (connectionLimit !== undefined)
    limitConnections(server, connectionLimit.maxConnections, connectionLimit.observe)
  if (handlers.onConnection) server.on('connection', handlers.onConnection)
  if (handlers.handleUnreadable) server.on('clientError', handlers.handleUnreadable)
  // Node would say 100 at once: between the headers and the body of a response that waits for its turn.
  server.on('checkContinue', (request, response) => server.emit('request', request, response))
  // Node would answer 417 by itself, and read any number of bytes. A server may ignore what it does not know
  // (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  const close = prepareDrain(server, Response, clock)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve(server.off('error', reject) && undefined))
  })
  return { url: urlOf(server), close }
}

function urlOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo // a TCP server's address is no string
  return urlFor(address, port)
}

/** The URL under which a person on this machine finds what listens at an address. */
export function urlFor(address: string, port: number): string {
  const here = address === '0.0.0.0' || address === '::' || address === '127.0.0.1'
  const name = here ? 'localhost' : address.includes(':') ? `[${address}]` : address
  return `http://${name}:${port}`
}
