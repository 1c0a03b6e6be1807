// One request passed to the old service, and its response. The response is read whole, so that the other side
// can still answer if the old service breaks off.

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
}

/** @throws NoReply, or the reason of a signal that aborts */
type Pass = (request: Outgoing, signals: readonly AbortSignal[]) => Promise<PassedReply>

export type PassLimits = Pick<ExchangeLimits, 'timeout' | 'connections'>

export function createPass(
  url: string,
  limits: PassLimits,
): { readonly pass: Pass; readonly close: () => void } {
  const { send, close } = createExchange(url, limits)
  return {
    pass: async (request, signals) => replyOf(request.method, await send(request, signals)),
    close,
  }
}

/** Node takes a little more from a server than it sends to a client. */
const sendable = /^[\t\x20-\x7e\x80-\xff]*$/

/** @throws NoReply if the response cannot be sent to a client */
function replyOf(method: string, { head, body: bytes }: RawReply): PassedReply {
  const { statusCode: status = 0, statusMessage: reason = '', rawHeaders } = head
  const coding = headerOf(rawHeaders, 'transfer-encoding')
  // Node has undone chunks only. It also accepts the status 099.
  const isReadable = coding === null || coding.toLowerCase() === 'chunked'
  if (!isReadable || status < 200 || ![reason, ...rawHeaders].every((text) => sendable.test(text)))
    throw new NoReply('its response has a status or a header that cannot be passed on')
  const headers = endToEnd(rawHeaders)
  const body = bytes.toString('latin1')
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
  if (hasBody && headerOf(headers, 'content-length') === null)
    headers.push('Content-Length', String(body.length))
  const isOpenEnded = headerOf(rawHeaders, 'content-length') === null && coding === null
  return { status, reason, headers, body, isMaybeCut: hasBody && body === '' && isOpenEnded }
}
