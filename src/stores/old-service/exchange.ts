// One HTTP exchange with an old service: the whole response, or an error that says why there is none.
//
// This is node:http and not undici: a service may close a kept connection while a request is on its way, and
// such a request is sent again. undici does not tell if a connection that was reset had been used before.

import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as viaHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as viaHttps } from 'node:https'
import { type Clock, systemClock } from '../../clock.ts'

/** `broken`: the service closed the connection, or sent something that is not a response. */
type NoReplyKind = 'unreachable' | 'timeout' | 'broken' | 'redirected'

/** The service sent no response, or only a part. The message is for the log: its only data are addresses. */
export class NoReply extends Error {
  readonly kind: NoReplyKind

  constructor(message: string, kind: NoReplyKind = 'broken') {
    super(message)
    this.kind = kind
  }
}

export interface Outgoing {
  readonly method: string
  /** Sent byte for byte, as characters of Latin-1. */
  readonly target: string
  /** By name, or names and values in turn. */
  readonly headers: Readonly<Record<string, string>> | readonly string[]
  readonly body?: string | Buffer
}

export interface RawReply {
  readonly status: number
  readonly reason: string
  readonly headers: IncomingHttpHeaders
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[]
  /** Not decoded. */
  readonly body: Buffer
}

export interface ExchangeLimits {
  /** Milliseconds from the request to the last byte of the response. */
  readonly timeout: number
  readonly connections: number
  /** Bytes of a body. */
  readonly most?: number
  /** Whether connections are kept for the next request. */
  readonly keep?: boolean
}

interface SendOptions {
  /** Any of these ends the exchange. */
  readonly signals?: readonly AbortSignal[]
  /** Looks at the head of a response. The body is not read if the result is an error. */
  readonly check?: (response: IncomingMessage) => NoReply | null
}

/** @throws NoReply, or the reason of a signal */
type Send = (request: Outgoing, options?: SendOptions) => Promise<RawReply>

/** A thousand users with long names are a tenth of this. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024
/** Bytes of all bodies of a service that are not complete. */
const MAX_HELD_BYTES = 32 * 1024 * 1024
const MAX_HEADER_BYTES = 32 * 1024
/** A service could send informational responses (1xx) for ever. */
const MAX_INFORMATIONAL = 10
/** Milliseconds. Services close idle connections, too: a connection that is kept for long is likely closed. */
const KEEP_MS = 4_000
/**
 * Milliseconds. A connection that was closed before the request came is reset within a round trip. A service
 * that resets it later has probably read the request.
 */
const STALE_MS = 250

export function createExchange(
  url: string,
  { timeout, connections, most = MAX_BODY_BYTES, keep = true }: ExchangeLimits,
  clock: Clock = systemClock,
): { readonly send: Send; readonly close: () => void } {
  const { protocol, hostname, port } = new URL(url)
  const isSecure = protocol === 'https:'
  const keeping = { keepAlive: keep, maxSockets: connections, timeout: KEEP_MS }
  const agent = isSecure ? new HttpsAgent(keeping) : new HttpAgent(keeping)
  const open = isSecure ? viaHttps : viaHttp
  const address = { port, hostname: hostname.replace(/^\[|\]$/g, ''), maxHeaderSize: MAX_HEADER_BYTES }
  let held = 0

  function sendOnce(
    { method, target: path, headers, body }: Outgoing,
    { signals = [], check = () => null }: SendOptions,
    isKept: boolean,
    deadline: number,
  ): Promise<RawReply> {
    return new Promise((resolve, reject) => {
      const agentOrNone = isKept ? agent : false
      const request = open({ ...address, agent: agentOrNone, method, path, headers: copyOf(headers) })
      // By default, Node drops the 2,001st header. Their bytes are limited.
      request.maxHeadersCount = 0
      let response: IncomingMessage | null = null
      const stop = (reason: unknown) => {
        // Before `destroy`, which reports that the peer hung up.
        reject(reason)
        request.destroy()
      }
      const late = () => stop(new NoReply(`it took longer than ${timeout} ms`, 'timeout'))
      const timer = clock.setTimeout(late, deadline - clock.now())
      const leave = () => stop(signals.find(({ aborted }) => aborted)?.reason)
      if (signals.some(({ aborted }) => aborted)) leave()
      for (const signal of signals) signal.addEventListener('abort', leave)
      let began = clock.now()
      request.on('socket', () => {
        began = clock.now()
      })
      request.on('close', () => {
        timer.close()
        for (const signal of signals) signal.removeEventListener('abort', leave)
        // There was no error if the service wants to speak another protocol.
        if (response === null) reject(new NoReply('it closed the connection without a response'))
      })
      request.on('error', (error) => {
        // A whole response may have more bytes behind it: a body after HEAD, or more than its length.
        if (response?.complete) return
        const isStale = request.reusedSocket && response === null && clock.now() - began <= STALE_MS
        reject(isStale ? new Stale() : causeOf(error))
      })
      let informational = 0
      request.on('information', () => {
        if (++informational > MAX_INFORMATIONAL)
          stop(new NoReply(`it sends more than ${MAX_INFORMATIONAL} informational responses`))
      })
      request.on('response', (incoming) => {
        response = incoming
        const refusal = check(incoming)
        if (refusal === null) collect(incoming, resolve, stop)
        else stop(refusal)
      })
      request.end(body)
    })
  }

  function collect(
    response: IncomingMessage,
    resolve: (reply: RawReply) => void,
    stop: (reason: NoReply) => void,
  ): void {
    let body = Buffer.alloc(0)
    let length = 0
    response.on('data', (chunk: Buffer) => {
      // One buffer that doubles: an object for each chunk takes a hundred bytes, and a chunk may have one.
      if (length + chunk.length > body.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(2 * body.length, length + chunk.length))
        body.copy(larger, 0, 0, length)
        body = larger
      }
      chunk.copy(body, length)
      length += chunk.length
      held += chunk.length
      if (length > most) stop(new NoReply(`its response has more than ${most} bytes`))
      else if (held > MAX_HELD_BYTES)
        stop(new NoReply(`its responses in progress have more than ${MAX_HELD_BYTES} bytes`))
    })
    response.on('error', () => {})
    response.on('close', () => {
      held -= length
      const { statusCode: status = 0, statusMessage: reason = '', headers, rawHeaders } = response
      if (response.complete) resolve({ status, reason, headers, rawHeaders, body: body.subarray(0, length) })
      else stop(new NoReply('it closed the connection in the middle of its response'))
    })
  }

  return {
    send: async (request, options = {}) => {
      const deadline = clock.now() + timeout
      // A service that ignores a body may read it as the next request on the connection.
      const isRepeatable = ['GET', 'HEAD'].includes(request.method) && !request.body?.length
      try {
        return await sendOnce(request, options, isRepeatable, deadline)
      } catch (error) {
        if (error instanceof Stale) return sendOnce(request, options, false, deadline)
        throw error
      }
    },
    close: () => agent.destroy(),
  }
}

/** The service had closed a kept connection when the request took it. */
class Stale extends Error {}

const copyOf = (headers: Outgoing['headers']) => (Array.isArray(headers) ? [...headers] : { ...headers })

function causeOf({ code = '', message }: NodeJS.ErrnoException): NoReply {
  // The service took the connection, then reset it or sent something else than HTTP.
  const isBroken = /^(?:ECONNRESET|EPIPE|HPE_.*)$/.test(code)
  const text = `it cannot be reached: ${message || code || 'for an unknown reason'}`
  return new NoReply(text, isBroken ? 'broken' : 'unreachable')
}
