// What Node's parser gives up on never becomes a request; the answer goes straight onto the socket.

import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { Answer } from '../answer.ts'
import type { Caller } from '../caller.ts'
import { LookupError } from '../errors.ts'
import type { Observe } from '../observe/observation.ts'
import { MAX_TARGET, type Rooms } from './router.ts'
import { parseTarget } from './target.ts'

interface ParserError extends Error {
  readonly code?: string
  /** The bytes the parser was given last, and how many of them it had read. */
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/** Milliseconds that a client has to read the answer and to close its side: until then, what it sends is read too. */
const FAREWELL = 500

/** Answers a connection whose bytes are no request Node can read, or that is too slow, and closes it. */
export function createUnreadableHandler(legacy: Rooms['legacy'], observe: Observe) {
  const answered = new WeakSet<Duplex>()
  return async (error: ParserError, socket: Duplex): Promise<void> => {
    if (error.code === 'ECONNRESET') socket.destroy()
    // What follows the bytes that could not be read cannot be read either.
    if (!socket.writable || answered.has(socket)) return
    answered.add(socket)
    const started = performance.now()
    const requestId = randomUUID()
    const answer = await answerTo(error, legacy, { requestId, socket })
    socket.end(printAnswer(answer, requestId), 'latin1')
    const cut = setTimeout(() => socket.destroy(), FAREWELL)
    socket.once('close', () => clearTimeout(cut))
    const duration = performance.now() - started
    observe({ type: 'request', requestId, about: answer.about, status: answer.status, duration })
  }
}

const { STATUS_CODES } = process.getBuiltinModule('node:http') // as in server.ts

function bare(status: number): Answer {
  const about = { event: 'none', format: 'JSON', outcome: 'MalformedRequest', values: 0 } as const
  const headers = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff']
  return { status, headers, body: '', etag: null, about }
}

async function answerTo(
  { code, rawPacket, bytesParsed }: ParserError,
  legacy: Rooms['legacy'],
  caller: Caller,
): Promise<Answer> {
  const packet = rawPacket?.toString('latin1') ?? ''
  switch (code) {
    case 'HPE_HEADER_OVERFLOW': {
      // Node counts from the request line on. A target has no blanks and no line ends: where there is none, it is
      // the target that is too long. Its beginning is gone by now, and with it the format asked for.
      const targetTooLong = !/\s/.test(packet.slice(0, bytesParsed))
      return targetTooLong
        ? legacy.refuse(new LookupError('TooLongTarget', [String(MAX_TARGET)]), '')
        : bare(431)
    }
    case 'HPE_INVALID_URL': {
      // Old clients send usernames as raw UTF-8, which the old web server let through and Node's parser does not.
      const line = /^(GET|HEAD) ([\x21-\x7e\x80-\xff]+) HTTP\/1\.[01]\r\n/.exec(packet)
      const { pathname, query } = parseTarget(line?.[2] ?? '')
      // The packet must begin with the very request that could not be read, and not with one before it.
      const readable = line !== null && (bytesParsed ?? 0) < line[0].length && pathname === '/'
      if (!readable) return legacy.refuse(new LookupError('MalformedQuery'), '')
      const answer = await legacy.answer(query, caller)
      return line[1] === 'HEAD' ? { ...answer, body: '' } : answer
    }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return bare(408)
    default:
      return bare(400)
  }
}

function printAnswer({ status, headers, body, etag }: Answer, requestId: string): string {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    `X-Request-Id: ${requestId}`,
  ]
  for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`)
  if (etag !== null) lines.push(`ETag: ${etag}`)
  lines.push(`Content-Length: ${body.length}`, '', '')
  return lines.join('\r\n') + body
}
