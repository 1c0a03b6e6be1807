import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { LookupError } from '../errors.ts'
import { refusal } from './respond.ts'
import { MAX_TARGET } from './router.ts'

/** A listening server. */
export interface Listener {
  /** With the port that was taken, where port 0 was asked for. */
  readonly url: string
  /** Stops taking connections, lets requests in flight finish, and cuts what is left after a while. */
  readonly close: () => Promise<void>
}

/** Milliseconds that requests in flight are given when the server closes. */
const DRAIN = 8_000

/** Listens for HTTP. Rejects with Node's error (EADDRINUSE, EACCES, …) when it cannot. */
export async function listen(handle: RequestListener, port: number, host: string): Promise<Listener> {
  let draining = false
  const server = createServer(
    {
      // Room for a target that is too long, so that it can be told so, and for 16 KiB of headers as usual.
      maxHeaderSize: MAX_TARGET + 32 * 1024,
      // A client that dribbles its request is cut; the check runs every second.
      headersTimeout: 5_000,
      requestTimeout: 10_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      if (draining) response.shouldKeepAlive = false
      handle(request, response)
    },
  )
  server.on('clientError', refuseUnreadable)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve(server.off('error', reject) && undefined))
  })
  const close = async () => {
    draining = true
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN)
    server.closeIdleConnections()
    await closed
    clearTimeout(cut)
  }
  return { url: urlOf(server), close }
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo // a TCP server's address is no string
  const everywhere = address === '0.0.0.0' || address === '::'
  const name =
    everywhere || address === '127.0.0.1' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address
  return `http://${name}:${port}`
}

interface ClientError extends Error {
  readonly code?: string
  readonly rawPacket?: Buffer
}

// What Node's parser gives up on never becomes a request; the answer goes straight onto the socket.
function refuseUnreadable(error: ClientError, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  // Headers count as too large from the request line on: where no line has ended yet, it is the target.
  const targetTooLong = error.code === 'HPE_HEADER_OVERFLOW' && error.rawPacket?.includes('\n') === false
  if (targetTooLong) {
    const { body } = refusal(new LookupError('TooLongTarget', [String(MAX_TARGET)]))
    const type = 'Content-Type: application/json; charset=utf-8\r\nAccess-Control-Allow-Origin: *'
    socket.end(
      `HTTP/1.1 414 URI Too Long\r\nConnection: close\r\nCache-Control: no-store\r\n${type}\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    )
    return
  }
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
