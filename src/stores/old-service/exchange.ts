// One HTTP exchange with an old service: the whole response, or an error with the reason why there is none.
//
// This is node:http and not undici: a service may close an idle connection while a request is on its way, and
// such a request is sent again. undici does not tell if a connection that was reset had been used before.

import { Agent as HttpAgent, type IncomingMessage, request as viaHttp } from 'node:http'
import { Agent as HttpsAgent, request as viaHttps } from 'node:https'
import { type Clock, systemClock } from '../../clock.ts'

/** `broken`: the service closed the connection, or sent something that is not a response. */
type NoResponseKind = 'unreachable' | 'timeout' | 'broken' | 'redirected'

/** The service sent no response, or only a part. The message is for the log: its only data are addresses. */
export class NoResponse extends Error {
  readonly kind: NoResponseKind

  constructor(message: string, kind: NoResponseKind = 'broken') {
    super(message)
    this.kind = kind
  }
}

/** Sent byte for byte, as characters of Latin-1. */
export interface OldServiceRequest {
  readonly method: string
  readonly target: string
  /** By name, or as names and values that alternate. */
  readonly headers: Readonly<Record<string, string>> | readonly string[]
  readonly body?: Buffer
}

export interface RawResponse {
  readonly head: IncomingMessage
  /** Not decoded. */
  readonly body: Buffer
}

export interface ExchangeLimits {
  /** Milliseconds from the request to the last byte of the response. */
  readonly timeout: number
  readonly connections: number
  /** Bytes of a body. */
  readonly most?: number
  /** Whether connections stay open for the next request. */
  readonly keep?: boolean
}

/** @param signals Any of them ends the exchange. @throws NoResponse, or the reason of a signal */
type SendRequest = (request: OldServiceRequest, signals: readonly AbortSignal[]) => Promise<RawResponse>

/** A thousand users with long names are a tenth of this. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024
/** Bytes of all bodies of a service that are not complete. */
const MAX_HELD_BYTES = 32 * 1024 * 1024
const MAX_HEADER_BYTES = 32 * 1024
/** A chunk of one byte takes some hundred bytes of memory: this many chunks become one block. */
const CHUNKS_IN_BLOCK = 1_000
/**
 * Milliseconds. Services close idle connections, too: a connection that is idle for long is likely closed.
 */
const KEEP_MS = 4_000
/**
 * Milliseconds. A connection that was closed before the request came is reset within a round trip. A service
 * that resets it later has probably read the request.
 */
const STALE_MS = 250

/**
 * Parts of a timeout. Between two parts the event loop reads responses, so that time in which this process
 * was stopped or busy does not count against the service.
 */
const TIMEOUT_PARTS = 10

export function createExchange(
  url: string,
  { timeout, connections, most = MAX_BODY_BYTES, keep = true }: ExchangeLimits,
  clock: Clock = systemClock,
): { readonly send: SendRequest; readonly close: () => void } {
  const { protocol, hostname, port } = new URL(url)
  const keeping = { keepAlive: keep, maxSockets: connections, timeout: KEEP_MS }
  const agent = protocol === 'https:' ? new HttpsAgent(keeping) : new HttpAgent(keeping)
  const open = protocol === 'https:' ? viaHttps : viaHttp
  const address = { port, hostname: hostname.replace(/^\[|\]$/g, ''), maxHeaderSize: MAX_HEADER_BYTES }
  let heldBytes = 0

  function sendOnce(
    { method, target: path, headers, body }: OldServiceRequest,
    signals: readonly AbortSignal[],
    deadline: number,
    isKept: boolean,
  ): Promise<RawResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<RawResponse>()
    const fields = Array.isArray(headers) ? [...headers] : { ...headers }
    const request = open({ ...address, agent: isKept ? agent : false, method, path, headers: fields })
    const stop = (reason: unknown) => {
      // Before `destroy`, which reports that the peer hung up.
      reject(reason)
      request.destroy()
    }
    const part = (deadline - clock.now()) / TIMEOUT_PARTS
    let parts = 0
    const wait = () => {
      if (++parts === TIMEOUT_PARTS) stop(new NoResponse(`it took longer than ${timeout} ms`, 'timeout'))
      else timer = clock.setTimeout(wait, part)
    }
    let timer = clock.setTimeout(wait, part)
    const leave = () => stop(signals.find(({ aborted }) => aborted)?.reason)
    if (signals.some(({ aborted }) => aborted)) leave()
    for (const signal of signals) signal.addEventListener('abort', leave)
    let began = clock.now()
    let head: IncomingMessage | null = null
    request.on('socket', () => {
      began = clock.now()
    })
    request.on('response', (response) => {
      head = response
      readBody(response, (body) => resolve({ head: response, body }), stop)
    })
    request.on('error', (error) => {
      // A whole response may have more bytes behind it: a body after HEAD, or more than its length.
      if (head?.complete) return
      const isStale = request.reusedSocket && head === null && clock.now() - began <= STALE_MS
      reject(isStale ? new StaleConnectionError() : causeOf(error))
    })
    request.on('close', () => {
      timer.close()
      for (const signal of signals) signal.removeEventListener('abort', leave)
      // There was no error if the service wants to speak another protocol.
      if (head === null) reject(new NoResponse('it closed the connection without a response'))
    })
    request.end(body)
    return promise
  }

  function readBody(
    response: IncomingMessage,
    resolve: (body: Buffer) => void,
    stop: (reason: NoResponse) => void,
  ): void {
    const chunks: Buffer[] = []
    const blocks: Buffer[] = []
    let length = 0
    response.on('data', (chunk: Buffer) => {
      length += chunk.length
      heldBytes += chunk.length
      chunks.push(chunk)
      if (chunks.length === CHUNKS_IN_BLOCK) blocks.push(Buffer.concat(chunks.splice(0)))
      if (length > most) stop(new NoResponse(`its response has more than ${most} bytes`))
      else if (heldBytes > MAX_HELD_BYTES)
        stop(new NoResponse(`its responses in progress have more than ${MAX_HELD_BYTES} bytes`))
    })
    response.on('error', () => {})
    response.on('close', () => {
      heldBytes -= length
      if (response.complete) resolve(Buffer.concat([...blocks, ...chunks]))
      else stop(new NoResponse('it closed the connection in the middle of its response'))
    })
  }

  return {
    send: (request, signals) => {
      const deadline = clock.now() + timeout
      // A service that ignores a body may read it as the next request on the connection.
      const isRepeatable = ['GET', 'HEAD'].includes(request.method) && !request.body?.length
      return sendOnce(request, signals, deadline, isRepeatable).catch((error: unknown) => {
        if (error instanceof StaleConnectionError) return sendOnce(request, signals, deadline, false)
        throw error
      })
    },
    close: () => agent.destroy(),
  }
}

/** The service had closed an idle connection when the request took it. */
class StaleConnectionError extends Error {}

function causeOf({ code = '', message }: NodeJS.ErrnoException): NoResponse {
  // The service took the connection, then reset it or sent something else than HTTP.
  const isBroken = /^(?:ECONNRESET|EPIPE|HPE_.*)$/.test(code)
  const text = `it cannot be reached: ${message || code || 'for an unknown reason'}`
  return new NoResponse(text, isBroken ? 'broken' : 'unreachable')
}
