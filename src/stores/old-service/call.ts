// One call to an old service over HTTP, and its answer: whole, or not at all.

import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as viaHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as viaHttps } from 'node:https'
import about from '../../../package.json' with { type: 'json' }
import { type Clock, systemClock } from '../../clock.ts'
import { hasHeader, type Service } from '../../config/old-service.ts'
import { decode, Undecodable } from './decode.ts'
import { describeRedirection } from './redirect.ts'

/** An answer. */
export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Decoded, where it came compressed. */
  readonly body: Buffer
  /** The coding that it came in, left out where there was none. */
  readonly coding?: string
}

/**
 * Whether a service that is overloaded, limits requests or is in trouble says so: it is no answer to the
 * question. Some do with status 200, and a time to wait.
 */
export function isTemporaryFailure({ status, headers }: Pick<Reply, 'status' | 'headers'>): boolean {
  return status === 429 || status >= 500 || headers['retry-after'] !== undefined
}

/**
 * How a call ended without an answer: the service could not be reached, took too long, broke off or sent what
 * cannot be read, or redirected to another address.
 */
type NoReplyKind = 'unreachable' | 'timeout' | 'broken' | 'redirected'

/** No answer came, or not all of it. The message is for the log, and holds no data but an address. */
export class NoReply extends Error {
  readonly kind: NoReplyKind

  constructor(message: string, kind: NoReplyKind = 'broken') {
    super(message)
    this.kind = kind
  }
}

export interface CallOptions {
  /** POST sends the query as a form sends its fields: in the body. */
  readonly method?: 'GET' | 'HEAD' | 'POST'
  /** In place of the service's own. */
  readonly path?: string
  /** Aborted when the client does not wait any more. */
  readonly signal?: AbortSignal
}

/** Asks for a query string (without its `?`), which is sent byte for byte. @throws NoReply */
export type Call = (query: string, options?: CallOptions) => Promise<Reply>

/** Bytes of an answer. A thousand users with long names are a tenth of this. */
const MAX_BODY_BYTES = 8 * 1024 * 1024
/**
 * Informational responses (1xx) before the answer: there may be any number, and they would be read until the
 * time is over.
 */
const MAX_INFORMATIONAL_RESPONSES = 10

/** What a form of HTML sends. */
const FORM_TYPE = 'application/x-www-form-urlencoded'

interface CallLimits {
  /** Milliseconds for a call, from its beginning to the last byte of its answer. */
  readonly timeout: number
  /** Kept open at most. */
  readonly connections: number
  /** Bytes of an answer, and of what comes of it where it is compressed. */
  readonly most?: number
  /**
   * Whether connections are kept. Then a call may come twice: again, where it met the end of a connection.
   */
  readonly keep?: boolean
}

export function createCall(
  { url, headers: own }: Service,
  { timeout, connections, most = MAX_BODY_BYTES, keep = true }: CallLimits,
  clock: Clock = systemClock,
): Call {
  const { protocol, hostname, port, pathname } = new URL(url)
  const secure = protocol === 'https:'
  // A kept connection that the service closes is reset under a call: the oldest is used last, and not for
  // long.
  const keeping = { keepAlive: keep, maxSockets: connections, timeout: 4_000 }
  const agent = secure ? new HttpsAgent(keeping) : new HttpAgent(keeping)
  const request = secure ? viaHttps : viaHttp
  const headers = hasHeader(own, 'user-agent')
    ? own
    : { 'User-Agent': `lookup-service/${about.version}`, ...own }
  const address = { agent, port, hostname: hostname.replace(/^\[|\]$/g, '') }

  function callOnce(
    query: string,
    { method = 'GET', path = pathname, signal }: CallOptions,
    fresh = false,
  ): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const outgoing = request({
        ...address,
        ...(fresh ? { agent: false } : {}),
        method,
        path: method === 'POST' ? path : `${path}?${sendable(query)}`,
        headers: method === 'POST' ? { ...headers, 'Content-Type': FORM_TYPE } : headers,
      })
      const stop = (reason: NoReply) => {
        // Before `destroy`, which would say that the peer hung up.
        reject(reason)
        outgoing.destroy()
      }
      const tooLate = () => stop(new NoReply(`it took longer than ${timeout} ms`, 'timeout'))
      const late = clock.setTimeout(tooLate, timeout)
      const leave = () => stop(new NoReply('the client closed the connection'))
      if (signal?.aborted) leave()
      signal?.addEventListener('abort', leave)
      outgoing.on('close', () => {
        late.close()
        signal?.removeEventListener('abort', leave)
        // Without an error, where the service wants to speak another protocol.
        if (!hasBegun) reject(new NoReply('it closed the connection without an answer'))
      })
      outgoing.on('error', (error) =>
        reject(outgoing.reusedSocket ? new Stale(error.message) : unreachable(error)),
      )
      let hasBegun = false
      let informational = 0
      outgoing.on('information', () => {
        if (++informational > MAX_INFORMATIONAL_RESPONSES)
          stop(new NoReply(`it sends more than ${MAX_INFORMATIONAL_RESPONSES} informational responses`))
      })
      outgoing.on('response', (response) => {
        hasBegun = true
        const { statusCode = 0, headers } = response
        if (isRedirection(statusCode, headers)) {
          stop(new NoReply(describeRedirection(url, headers.location ?? ''), 'redirected'))
          return
        }
        const finish = (raw: Buffer) =>
          decode(headers['content-encoding'], raw, most).then(
            ({ coding, body }) => resolve({ status: statusCode, headers, body, ...(coding && { coding }) }),
            (error: unknown) =>
              error instanceof Undecodable ? stop(new NoReply(error.message)) : reject(error),
          )
        readBody(response, most, finish, stop)
      })
      if (method === 'POST') outgoing.end(sendable(query))
      else outgoing.end()
    })
  }

  return async (query, options = {}) => {
    try {
      return await callOnce(query, options)
    } catch (error) {
      // The service was closing the connection when this call took it, and has not read the call.
      if (error instanceof Stale) return callOnce(query, options, true)
      throw error
    }
  }
}

/** One that asks for patience says that the service is in trouble: it leads to a page about that. */
function isRedirection(status: number, headers: IncomingHttpHeaders): boolean {
  const isElsewhere = status >= 300 && status < 400 && headers.location !== undefined
  return isElsewhere && headers['retry-after'] === undefined
}

/** A connection that was kept had been closed by the other side. */
class Stale extends NoReply {}

/**
 * Reads the body of a response as it comes: a limit is noticed within the packet that exceeds it.
 * @param stop is told why there is no reply
 */
function readBody(
  response: IncomingMessage,
  most: number,
  resolve: (body: Buffer) => void,
  stop: (reason: NoReply) => void,
): void {
  const chunks: Buffer[] = []
  let size = 0
  response.on('data', (chunk: Buffer) => {
    size += chunk.length
    chunks.push(chunk)
    if (size > most) stop(new NoReply(`its answer has more than ${most} bytes`))
  })
  response.on('error', () => {})
  response.on('close', () => {
    if (response.complete) resolve(Buffer.concat(chunks))
    else stop(new NoReply('it closed the connection in the middle of its answer'))
  })
}

function unreachable({ code = '', message }: NodeJS.ErrnoException): NoReply {
  const kind = hangUps.test(code) ? 'broken' : 'unreachable'
  return new NoReply(`it cannot be reached: ${message || code || 'for an unknown reason'}`, kind)
}

/** The service took the connection, then reset it or sent something else than HTTP. */
const hangUps = /^(?:ECONNRESET|EPIPE|HPE_.*)$/

/**
 * Spaces and control characters would end the request line; others go as they are. Beyond Latin-1 they go as
 * UTF-8.
 */
function sendable(query: string): string {
  return query.replace(/[^\x21-\xff]+/g, (text) => encodeURIComponent(text.toWellFormed()))
}
