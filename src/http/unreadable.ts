// What Node's parser gives up on never becomes a request; the answer goes straight onto the socket.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage as Request, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { Answer } from '../answer.ts'
import { LookupError } from '../errors.ts'
import type { Observe } from '../observe/events.ts'
import { createRawReader, type ParserError } from './raw-request.ts'
import { bare } from './respond.ts'
import type { Legacy } from './routes.ts'
import { MAX_TARGET_BYTES } from './target.ts'

type Refuse = Legacy['refuse']

/**
 * Milliseconds that a client has to read the answer and to close its side: until then, what it sends is read
 * too.
 */
const CLOSE_TIMEOUT_MS = 500

// As in server.ts: an import would double the time of a start.
const { IncomingMessage, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http')

interface UnreadableOptions {
  /** Where lookups are answered: no other target may have raw bytes. */
  readonly paths: readonly string[]
  readonly refuse: Refuse
  readonly observe: Observe
}

/** Answers a connection whose bytes are no request Node can read, or that is too slow, and closes it. */
export function createUnreadableHandler({ paths, refuse, observe }: UnreadableOptions) {
  const readRaw = createRawReader(paths)

  /**
   * Has a request answered like any other. @returns whether it can be: not while another one is being
   * answered
   */
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

  function send(answer: Answer, socket: Socket): void {
    const started = performance.now()
    const requestId = randomUUID()
    socket.write(printAnswer(answer, requestId), 'latin1')
    close(socket)
    const duration = performance.now() - started
    observe({ type: 'request', requestId, about: answer.about, status: answer.status, duration })
  }

  return (error: ParserError, socket: Socket, handle: RequestListener): void => {
    if (error.code === 'ECONNRESET') socket.destroy()
    if (!socket.writable) return
    const raw = error.code === 'HPE_INVALID_URL' ? readRaw(error, socket) : null
    // Node has an eye on the time that headers take, here too.
    if (raw === 'incomplete') return
    if (raw instanceof IncomingMessage && handOver(raw, socket, handle)) return
    send(raw === 'too long' ? bare(431) : answerTo(error, refuse), socket)
  }
}

function close(socket: Socket): void {
  socket.end()
  const cut = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS)
  socket.once('close', () => clearTimeout(cut))
}

function answerTo({ code, rawPacket, bytesParsed }: ParserError, refuse: Refuse): Answer {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW': {
      // Node counts from the request line on. A target has no blanks and no line ends: where there is none,
      // it is the target that is too long. Its beginning is gone by now, and with it the format asked for.
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

function printAnswer({ status, headers, body }: Answer, requestId: string): string {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    `X-Request-Id: ${requestId}`,
  ]
  for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`)
  lines.push(`Content-Length: ${body.length}`, '', '')
  return lines.join('\r\n') + body
}
