// Passes requests to the old service in a cutover. A circuit breaker opens when the service is down, so that
// no request waits for it. Some requests may fail while the service is healthy, so a health check decides.

import { setTimeout as pause } from 'node:timers/promises'
import type { OldServiceTarget } from '../../config/old-service.ts'
import { isReading, type RequestContext } from '../../http/routes.ts'
import type { Observe } from '../../observe/events.ts'
import { isTemporaryFailure, NoResponse } from '../../stores/old-service/call.ts'
import { createConnections } from '../../stores/old-service/connections.ts'
import {
  createExchange,
  type ExchangeLimits,
  type OldServiceRequest,
} from '../../stores/old-service/exchange.ts'
import { copyOf } from '../../text.ts'
import { createForwarding, type OldResponse, readResponse } from './forwarding.ts'

/** Milliseconds that a request waits for a free connection. */
const CONNECTION_WAIT_MS = 200
/** Bytes of a target that may become the health check. */
const MAX_CHECK_BYTES = 2_048
/** Failures in a row, without a response between them. */
const MAX_FAILURES = 3
/** Milliseconds for the health check that may open the breaker. */
const FIRST_CHECK_MS = 250
/** Milliseconds between two health checks while the breaker is open. */
const CHECK_INTERVAL_MS = 250

/** The failure is why a response of the new side would be better. */
type OldSideOutcome =
  | { readonly response: OldResponse; readonly failure: null }
  | { readonly response: OldResponse | null; readonly failure: string }

export type OldSide = ReturnType<typeof createOldSide>

const noBody = Buffer.alloc(0)

/** @param onChange is called when the breaker opens or closes */
export function createOldSide(
  { url, headers, connections, timeout }: OldServiceTarget & Pick<ExchangeLimits, 'timeout' | 'connections'>,
  trusted: readonly string[],
  observe: Observe,
  onChange: () => void,
) {
  const { forward, healthCheck, isLoop } = createForwarding({ url, headers }, trusted)
  const exchange = createExchange(url, { connections, timeout })
  const pool = createConnections(connections)
  /** The first target that worked: the health check. */
  let checkTarget: string | null = null
  /** Ends the requests in flight when the breaker opens. */
  let down = new AbortController()
  const closing = new AbortController()
  let isUp = true
  let isChecking = false
  let failures = 0
  let respondedAt = Number.NEGATIVE_INFINITY

  const pass = async (request: OldServiceRequest, signals: readonly AbortSignal[]) =>
    readResponse(request.method, await exchange.send(request, signals))

  async function check(signal: AbortSignal): Promise<void> {
    await pass(healthCheck(checkTarget ?? new URL(url).pathname), [signal]).then(recordResponse, () => {})
  }

  function recordResponse(): void {
    respondedAt = performance.now()
    failures = 0
    if (isUp) return
    isUp = true
    observe({ type: 'cutover-old-back' })
    onChange()
  }

  /** After MAX_FAILURES, a health check decides. While the breaker is open, further checks may close it. */
  async function recordFailure(reason: string): Promise<void> {
    if (!isUp || isChecking || ++failures < MAX_FAILURES) return
    const { signal } = closing
    const began = performance.now()
    isChecking = true
    await check(AbortSignal.any([signal, AbortSignal.timeout(FIRST_CHECK_MS)]))
    isChecking = false
    if (respondedAt > began || signal.aborted) return
    isUp = false
    observe({ type: 'cutover-old-out', reason })
    down.abort(new NoResponse('it is marked as down'))
    down = new AbortController()
    onChange()
    while (!isUp && !signal.aborted) {
      await check(signal)
      if (!isUp) await pause(CHECK_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  /**
   * @param isReplaceable whether the new side may respond: then the request ends when the breaker opens
   * @throws LookupError `CallerLeft`
   */
  async function send(
    { request, signal, body }: RequestContext,
    isReplaceable: boolean,
  ): Promise<OldSideOutcome> {
    if (!isUp) return failed('it is marked as down')
    if (isLoop(request)) return failed('CUTOVER_URL leads back to this gateway')
    const release = await pool.take(CONNECTION_WAIT_MS).catch(() => null)
    if (release === null) return failed(`no connection was free for ${CONNECTION_WAIT_MS} ms`)
    const outgoing = forward(request, body ?? noBody)
    const signals = isReplaceable ? [signal, down.signal] : [signal]
    const began = performance.now()
    try {
      let response = await pass(outgoing, signals)
      // If the service died while it sent the body, the second request fails. Otherwise its body is complete.
      if (response.isMaybeCut && isReading(request)) response = await pass(outgoing, signals)
      recordResponse()
      if (checkTarget === null && canBeCheck(outgoing, response)) checkTarget = copyOf(outgoing.target)
      observe({ type: 'cutover-passed', duration: performance.now() - began })
      return { response, failure: failureOf(response, isReplaceable) }
    } catch (error) {
      // The client has left, or this process has a fault.
      if (!(error instanceof NoResponse)) throw error
      void recordFailure(error.message)
      return failed(error.message)
    } finally {
      release()
    }
  }

  return {
    send,
    isUp: () => isUp,
    close: () => {
      closing.abort()
      exchange.close()
    },
  }
}

const failed = (failure: string) => ({ response: null, failure })

function canBeCheck({ method, target }: OldServiceRequest, { status }: OldResponse): boolean {
  return method === 'GET' && status === 200 && target.length <= MAX_CHECK_BYTES
}

function failureOf({ status, raw, body, isMaybeCut }: OldResponse, isReplaceable: boolean): string | null {
  if (isTemporaryFailure({ status, headers: raw.head.headers })) return `status ${status}`
  const isEmpty = isReplaceable && isMaybeCut && body === '' && status === 200
  return isEmpty ? 'its response has neither a length nor a body' : null
}
