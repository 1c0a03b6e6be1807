import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { continueInTurn } from './continue.ts'
import { MAX_TARGET } from './router.ts'

/** A listening server. */
export interface Listener {
  /** With the port that was taken, where port 0 was asked for. */
  readonly url: string
  /** Stops taking connections, lets requests in flight finish, and cuts what is left after a while. */
  readonly close: () => Promise<void>
}

// An import of node:http would load all it exports, the fetch client included, and double the time of a start.
const { createServer, ServerResponse } = process.getBuiltinModule('node:http')

/** Milliseconds that requests in flight are given when the server closes. */
const DRAIN = 8_000

interface Handlers {
  readonly handle: RequestListener
  /** Answers what Node's parser cannot read; without it, Node closes the connection with a bare 400. */
  readonly handleUnreadable?: (error: Error, socket: Duplex) => void
}

/** Listens for HTTP. Rejects with Node's error (EADDRINUSE, EACCES, …) when it cannot. */
export async function listen(handlers: Handlers, port: number, host: string): Promise<Listener> {
  class Response extends ServerResponse {}
  const server = createServer(
    {
      ServerResponse: Response,
      // A request without a body needs no stream that ends.
      optimizeEmptyRequests: true,
      // Two Host headers become one that no host has.
      joinDuplicateHeaders: true,
      // Room for a target that is too long, so that it can be told so in the format it asks for.
      maxHeaderSize: 4 * MAX_TARGET,
      // A client that dribbles its request is cut; the check runs every second.
      headersTimeout: 5_000,
      requestTimeout: 10_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 1_000,
    },
    handlers.handle,
  )
  if (handlers.handleUnreadable) server.on('clientError', handlers.handleUnreadable)
  server.on('checkContinue', (request, response) => {
    continueInTurn(response, () => server.emit('request', request, response))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve(server.off('error', reject) && undefined))
  })
  const close = async () => {
    closeAfterAnswer(Response)
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN)
    server.closeIdleConnections()
    await closed
    clearTimeout(cut)
  }
  return { url: urlOf(server), close }
}

/**
 * From now on, whoever is answered is told to take the next request elsewhere: requests in flight too. It is done to
 * the class, so that a request costs nothing before.
 */
function closeAfterAnswer(Response: { readonly prototype: InstanceType<typeof ServerResponse> }): void {
  const { writeHead } = ServerResponse.prototype
  Response.prototype.writeHead = function (this: InstanceType<typeof ServerResponse>, ...args: unknown[]) {
    this.shouldKeepAlive = false
    return Reflect.apply(writeHead, this, args)
  }
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
