// One request passed to the old service, and its answer: whole, or not at all. Held whole, an answer that
// breaks off in the middle can still be replaced by that of the other side.

import { Agent as HttpAgent, type IncomingMessage, request as viaHttp } from 'node:http'
import { Agent as HttpsAgent, request as viaHttps } from 'node:https'
import { MAX_HEADER_BYTES } from '../../http/target.ts'
import { NoReply } from '../../stores/old-service/call.ts'
import { endToEnd, headerOf } from './end-to-end.ts'
import type { Outgoing } from './forwarding.ts'

/** An answer of the old service, without what was about the connection to it. */
export interface PassedReply {
  readonly status: number
  readonly reason: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  /** Its bytes, compressed or not, as characters of Latin-1. */
  readonly body: string
  /** Whether the end of the connection, not a length, was that of the body, and there was none. */
  readonly isMaybeCut: boolean
}

/** @throws NoReply, or what one of the signals was aborted with */
type Pass = (request: Outgoing, signals: readonly AbortSignal[]) => Promise<PassedReply>

/** Bytes of an answer. A thousand users with long names are a tenth of this. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024
/** Bytes of answers that have not come to their end, all together. */
const MAX_HELD_BYTES = 32 * 1024 * 1024
/** Bytes that Node takes for a chunk beside its content. */
const CHUNK_BYTES = 200
/** Informational responses (1xx) before the answer. */
const MAX_INFORMATIONAL_RESPONSES = 10

/** Node takes a little more from a server than it sends to a client. */
const sendable = /^[\t\x20-\x7e\x80-\xff]*$/

export interface PassLimits {
  /** Milliseconds until the whole answer is there. */
  readonly timeout: number
  readonly connections: number
}

export function createPass(
  url: string,
  { timeout, connections }: PassLimits,
): { readonly pass: Pass; readonly close: () => void } {
  const { protocol, hostname, port } = new URL(url)
  const secure = protocol === 'https:'
  // As in stores/old-service/call.ts: not kept for long, since the service closes them, too.
  const keeping = { keepAlive: true, maxSockets: connections, timeout: 4_000 }
  const agent = secure ? new HttpsAgent(keeping) : new HttpAgent(keeping)
  const request = secure ? viaHttps : viaHttp
  const address = { port, hostname: hostname.replace(/^\[|\]$/g, ''), maxHeaderSize: MAX_HEADER_BYTES }
  let held = 0

  function passOnce(
    outgoing: Outgoing,
    signals: readonly AbortSignal[],
    kept: boolean,
  ): Promise<PassedReply> {
    const { method, target, headers, body } = outgoing
    return new Promise((resolve, reject) => {
      const options = { ...address, agent: kept ? agent : false, method, path: target }
      const sending = request({ ...options, headers: [...headers] })
      // Truncated headers would be others. Their bytes are limited.
      sending.maxHeadersCount = 0
      const stop = (reason: unknown) => {
        // Before `destroy`, which would say that the peer hung up.
        reject(reason)
        sending.destroy()
      }
      const late = setTimeout(
        () => stop(new NoReply(`it took longer than ${timeout} ms`, 'timeout')),
        timeout,
      )
      const leave = () => stop(signals.find(({ aborted }) => aborted)?.reason)
      if (signals.some(({ aborted }) => aborted)) leave()
      for (const signal of signals) signal.addEventListener('abort', leave)
      sending.on('close', () => {
        clearTimeout(late)
        for (const signal of signals) signal.removeEventListener('abort', leave)
        // Without an error, where the service wants to speak another protocol.
        if (answer === null) reject(new NoReply('it closed the connection without a response'))
      })
      sending.on('error', (error) => {
        // What comes behind a whole answer is none of it: a body after HEAD, more bytes than announced.
        if (!answer?.complete) reject(sending.reusedSocket ? new Stale() : causeOf(error))
      })
      let answer: IncomingMessage | null = null
      let informational = 0
      sending.on('information', () => {
        if (++informational > MAX_INFORMATIONAL_RESPONSES)
          stop(new NoReply(`it sends more than ${MAX_INFORMATIONAL_RESPONSES} informational responses`))
      })
      sending.on('response', (response) => {
        answer = response
        read(method, response, resolve, stop)
      })
      sending.end(body)
    })
  }

  function read(
    method: string,
    response: IncomingMessage,
    resolve: (reply: PassedReply) => void,
    stop: (reason: unknown) => void,
  ): void {
    const chunks: Buffer[] = []
    let taken = 0
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      taken += chunk.length + CHUNK_BYTES
      held += chunk.length + CHUNK_BYTES
      if (taken > MAX_ANSWER_BYTES) stop(new NoReply(`its response has more than ${MAX_ANSWER_BYTES} bytes`))
      else if (held > MAX_HELD_BYTES)
        stop(new NoReply(`its responses in progress have more than ${MAX_HELD_BYTES} bytes`))
    })
    response.on('error', () => {})
    response.on('close', () => {
      held -= taken
      if (!response.complete) {
        stop(new NoReply('it closed the connection in the middle of its response'))
        return
      }
      const reply = replyOf(method, response, Buffer.concat(chunks).toString('latin1'))
      if (reply === null) stop(new NoReply('its response has a status or a header that cannot be passed on'))
      else resolve(reply)
    })
  }

  const pass: Pass = async (outgoing, signals) => {
    // One that must not be sent twice never takes a connection that may be closing. Nor does one with a body:
    // a service that ignores it may read it as the next request, whose answer would go to another client.
    const isRepeatable = ['GET', 'HEAD'].includes(outgoing.method) && outgoing.body.length === 0
    try {
      return await passOnce(outgoing, signals, isRepeatable)
    } catch (error) {
      if (error instanceof Stale) return passOnce(outgoing, signals, false)
      throw error
    }
  }
  return { pass, close: () => agent.destroy() }
}

/** The service had closed a kept connection when a request took it, which it has not read. */
class Stale extends Error {}

function causeOf({ code = '', message }: NodeJS.ErrnoException): NoReply {
  return new NoReply(`it cannot be reached: ${message || code || 'for an unknown reason'}`, 'unreachable')
}

/** @returns `null` where no client could be sent it */
function replyOf(method: string, response: IncomingMessage, body: string): PassedReply | null {
  const { statusCode: status = 0, statusMessage: reason = '', rawHeaders } = response
  // Node's parser reads 099, too.
  const coding = headerOf(rawHeaders, 'transfer-encoding')
  // Compressed for the connection: only its chunks have been undone.
  if (coding !== null && coding.toLowerCase() !== 'chunked') return null
  if (status < 200 || ![reason, ...rawHeaders].every((text) => sendable.test(text))) return null
  const headers = endToEnd(rawHeaders)
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
  if (hasBody && headerOf(headers, 'content-length') === null)
    headers.push('Content-Length', String(body.length))
  const isOpenEnded = headerOf(rawHeaders, 'content-length') === null && coding === null
  return { status, reason, headers, body, isMaybeCut: hasBody && body === '' && isOpenEnded }
}
