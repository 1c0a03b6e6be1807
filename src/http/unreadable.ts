// Responds to bytes that Node's parser refuses, such as TLS on a plain port, and to requests that come too
// slowly. A lookup with raw UTF-8 in its target is handled like any other request.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage as Request, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { LookupError } from '../errors.ts'
import type { Observe } from '../observe/events.ts'
import type { HttpResponse } from '../response.ts'
import { createRawReader, type ParserError } from './raw-request.ts'
import { bare } from './respond.ts'
import type { LegacyResponder } from './routes.ts'
import { MAX_TARGET_BYTES } from './target.ts'

/**
 * Milliseconds that a client has to read the response and to close its side; meanwhile, its bytes are read.
 */
const CLOSE_TIMEOUT_MS = 500

// An import would double the time of a start, see server.ts.
const { IncomingMessage, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http')

interface UnreadableOptions {
  /** The paths of lookups: no other target may have raw bytes. */
  readonly paths: readonly string[]
  readonly refuse: LegacyResponder['refuse']
  readonly observe: Observe
}

/** Creates a listener for `clientError`. The last response of the listener closes the connection. */
export function createUnreadableHandler({ paths, refuse, observe }: UnreadableOptions) {
  const readRaw = createRawReader(paths)

  function send(result: HttpResponse, socket: Socket): void {
    const started = performance.now()
    const requestId = randomUUID()
    socket.write(printResponse(result, requestId), 'latin1')
    close(socket)
    const duration = performance.now() - started
    observe({ type: 'request', requestId, about: result.about, status: result.status, duration })
  }

  return (error: ParserError, socket: Socket, handle: RequestListener): void => {
    if (error.code === 'ECONNRESET') socket.destroy()
    if (!socket.writable) return
    const raw = error.code === 'HPE_INVALID_URL' ? readRaw(error, socket) : null
    // Node's timeout of headers counts for these bytes, too.
    if (raw === 'incomplete') return
    if (raw instanceof IncomingMessage && handOver(raw, socket, handle)) return
    send(raw === 'too long' ? bare(431) : refusalOf(error, refuse), socket)
  }
}

/** Handles a request that Node did not read. @returns false if another response is being sent */
function handOver(request: Request, socket: Socket, handle: RequestListener): boolean {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  try {
    response.assignSocket(socket)
  } catch {
    return false
  }
  response.once('finish', () => {
    response.detachSocket(socket)
    response.emit('close')
    close(socket)
  })
  handle(request, response)
  return true
}

function close(socket: Socket): void {
  socket.end()
  const cut = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS)
  socket.once('close', () => clearTimeout(cut))
}

function refusalOf(
  { code, rawPacket, bytesParsed }: ParserError,
  refuse: LegacyResponder['refuse'],
): HttpResponse {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW': {
      // Node's limit includes the request line. A target has no blanks and no line ends: if the packet has
      // none either, the target is too long. The start of the target, which may name a format, is lost.
      const packet = rawPacket?.toString('latin1', 0, bytesParsed) ?? ''
      return /\s/.test(packet)
        ? bare(431)
        : refuse(new LookupError('TooLongTarget', [String(MAX_TARGET_BYTES)]), '')
    }
    case 'HPE_INVALID_URL':
      return refuse(new LookupError('MalformedQuery'), '')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return bare(408)
    default:
      return bare(400)
  }
}

function printResponse({ status, headers, body }: HttpResponse, requestId: string): string {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    `X-Request-Id: ${requestId}`,
  ]
  for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`)
  lines.push(`Content-Length: ${body.length}`, '', '')
  return lines.join('\r\n') + body
}
