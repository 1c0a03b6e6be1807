// The old service, as one side of a cutover.

import type { Service } from '../../config/old-service.ts'
import type { RequestContext } from '../../http/routes.ts'
import type { Observe } from '../../observe/events.ts'
import { isTemporaryFailure, NoReply } from '../../stores/old-service/call.ts'
import { createConnections } from '../../stores/old-service/connections.ts'
import { copyOf } from '../../text.ts'
import { createBreaker } from './breaker.ts'
import { headerOf } from './end-to-end.ts'
import { createForwarding } from './forwarding.ts'
import { createPass, type PassedReply, type PassLimits } from './pass.ts'

/** Milliseconds that a request waits for a free connection. */
const CONNECTION_WAIT_MS = 200
/** Bytes of a target that may become the health check. */
const MAX_PROBE_BYTES = 2_048
/** Milliseconds until another target becomes the health check. */
const PROBE_AGE_MS = 1_000

interface Outcome {
  /** `null` for none. */
  readonly reply: PassedReply | null
  /** Why the response of the other side would be better; `null` if it would not. */
  readonly failure: string | null
}

export interface OldSide {
  /**
   * @param isReplaceable whether the other side may answer: then no request waits for a service that is down
   * @throws LookupError `CallerLeft`
   */
  readonly ask: (context: RequestContext, body: Buffer, isReplaceable: boolean) => Promise<Outcome>
  readonly isUp: () => boolean
  readonly close: () => void
}

interface OldSideOptions extends Service, PassLimits {
  readonly trusted: readonly string[]
  readonly observe: Observe
  readonly onChange: () => void
}

export function createOldSide(options: OldSideOptions): OldSide {
  const { url, trusted, connections, timeout, observe, onChange } = options
  const { forward, probe, isLoop } = createForwarding(options, trusted)
  const { pass, close } = createPass(url, { connections, timeout })
  const free = createConnections(connections)
  /** The last target that worked; used as the health check. */
  let healthCheck = new URL(url).pathname
  let chosenAt = Number.NEGATIVE_INFINITY
  let down = new AbortController()

  const breaker = createBreaker({
    probe: (signal) =>
      pass(probe(healthCheck), [signal]).then(
        () => true,
        () => false,
      ),
    onOut: (reason) => {
      observe({ type: 'cutover-old-out', reason })
      down.abort(new NoReply('it is marked as down'))
      down = new AbortController()
      onChange()
    },
    onBack: () => {
      observe({ type: 'cutover-old-back' })
      onChange()
    },
  })

  async function ask(
    { request, signal }: RequestContext,
    body: Buffer,
    isReplaceable: boolean,
  ): Promise<Outcome> {
    if (breaker.isOpen()) return failed('it is marked as down')
    if (isLoop(request)) return failed('CUTOVER_URL leads back to this gateway')
    const giveBack = await free.take(CONNECTION_WAIT_MS).catch(() => null)
    if (giveBack === null) return failed(`no connection was free for ${CONNECTION_WAIT_MS} ms`)
    const { method, target, ...outgoing } = forward(request, body)
    const began = performance.now()
    try {
      const signals = isReplaceable ? [signal, down.signal] : [signal]
      const reply = await pass({ method, target, ...outgoing }, signals)
      breaker.noteAnswer()
      const { status } = reply
      const isUsable = status === 200 && method === 'GET' && target.length <= MAX_PROBE_BYTES
      if (isUsable && began > chosenAt + PROBE_AGE_MS) {
        healthCheck = copyOf(target)
        chosenAt = began
      }
      observe({ type: 'cutover-passed', duration: performance.now() - began })
      return { reply, failure: failureOf(reply, isReplaceable) }
    } catch (error) {
      // The client has left, or this process has a fault.
      if (!(error instanceof NoReply)) throw error
      breaker.noteFailure(began, error.message)
      return failed(error.message)
    } finally {
      giveBack()
    }
  }

  return {
    ask,
    isUp: () => !breaker.isOpen(),
    close: () => {
      breaker.close()
      close()
    },
  }
}

function failed(failure: string): Outcome {
  return { reply: null, failure }
}

function failureOf({ status, headers, isMaybeCut }: PassedReply, isReplaceable: boolean): string | null {
  const retryAfter = headerOf(headers, 'retry-after') ?? undefined
  if (isTemporaryFailure({ status, headers: { 'retry-after': retryAfter } })) return `status ${status}`
  // A service that dies after its headers sends the same bytes as one that has nothing to say.
  const isCut = isReplaceable && isMaybeCut && status === 200
  return isCut ? 'its response has neither a length nor a body' : null
}
