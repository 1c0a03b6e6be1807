// Passes one request to the old service. The response is read whole, so that the other side can still answer
// if the old service breaks off.

import {
  createExchange,
  type ExchangeLimits,
  NoReply,
  type Outgoing,
  type RawReply,
} from '../../stores/old-service/exchange.ts'
import { endToEnd, headerOf } from './end-to-end.ts'

/** A response of the old service, without the headers of the connection to it. */
export interface PassedReply {
  readonly status: number
  readonly reason: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  /** Its bytes, compressed or not, as characters of Latin-1. */
  readonly body: string
  /** Whether the body is empty, and neither a length nor a chunk says so: the connection may have broken. */
  readonly isMaybeCut: boolean
  readonly raw: RawReply
}

export type PassLimits = Pick<ExchangeLimits, 'timeout' | 'connections'>

/** @returns a function that rejects with NoReply, or with the reason of a signal that aborts */
export function createPass(url: string, limits: PassLimits) {
  const { send, close } = createExchange(url, limits)
  const pass = async (request: Outgoing, signals: readonly AbortSignal[]) =>
    replyOf(request.method, await send(request, signals))
  return { pass, close }
}

/** Node accepts more characters from a server than it sends to a client. */
const sendable = /^[\t\x20-\x7e\x80-\xff]*$/

/** @throws NoReply if the response cannot be sent to a client */
function replyOf(method: string, raw: RawReply): PassedReply {
  const { statusCode: status = 0, statusMessage: reason = '', rawHeaders } = raw.head
  const coding = headerOf(rawHeaders, 'transfer-encoding')
  // Node decodes chunks and no other transfer coding. It also accepts the status 099.
  const isReadable = coding === null || coding.toLowerCase() === 'chunked'
  if (!isReadable || status < 200 || ![reason, ...rawHeaders].every((text) => sendable.test(text)))
    throw new NoReply('its response has a status or a header that cannot be passed on')
  const headers = endToEnd(rawHeaders)
  const body = raw.body.toString('latin1')
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
  if (hasBody && headerOf(headers, 'content-length') === null)
    headers.push('Content-Length', String(body.length))
  const isOpenEnded = headerOf(rawHeaders, 'content-length') === null && coding === null
  return { status, reason, headers, body, isMaybeCut: hasBody && body === '' && isOpenEnded, raw }
}
