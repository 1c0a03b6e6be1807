// The old service, as the side that some of the clients belong to.

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
/** Bytes of a target that is asked for again, to see whether the service is back. */
const MAX_PROBED_BYTES = 2_048

/** Milliseconds between two choices of it. */
const KNOWN_MS = 1_000

/** What came of a request. */
export interface Outcome {
  /** `null` where none came. */
  readonly reply: PassedReply | null
  /** Why another answer would be better; `null` for no reason. */
  readonly failure: string | null
}

export interface OldSide {
  /**
   * @param isReplaceable whether the other side may answer: then nobody waits for a service that is down
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
  const { forward, ask: askOwn, isLoop } = createForwarding(options, trusted)
  const { pass, close } = createPass(url, { connections, timeout })
  const places = createConnections(connections)
  /** A target that was answered: what is well for it is well for others. */
  let known = new URL(url).pathname
  let knownSince = Number.NEGATIVE_INFINITY
  let down = new AbortController()

  const breaker = createBreaker({
    probe: (signal) =>
      pass(askOwn(known), [signal]).then(
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
    const giveBack = await places.take(CONNECTION_WAIT_MS).catch(() => null)
    if (giveBack === null) return failed(`no connection was free for ${CONNECTION_WAIT_MS} ms`)
    const outgoing = forward(request, body)
    const began = performance.now()
    try {
      const reply = await pass(outgoing, isReplaceable ? [signal, down.signal] : [signal])
      breaker.noteAnswer()
      const { status, headers } = reply
      const retryAfter = headerOf(headers, 'retry-after') ?? undefined
      const isFailure = isTemporaryFailure({ status, headers: { 'retry-after': retryAfter } })
      const isKnown =
        status === 200 && outgoing.method === 'GET' && outgoing.target.length <= MAX_PROBED_BYTES
      // Once each while: a part of a string keeps the whole of it in memory.
      if (isKnown && began > knownSince + KNOWN_MS) {
        known = copyOf(outgoing.target)
        knownSince = began
      }
      observe({ type: 'cutover-passed', duration: performance.now() - began })
      if (isFailure) return { reply, failure: `status ${status}` }
      // A service that dies between its headers and its body sends the same as one with nothing to say.
      const isCut = isReplaceable && reply.isMaybeCut && status === 200
      return { reply, failure: isCut ? 'its response has neither a length nor a body' : null }
    } catch (error) {
      // The client has left, or something is wrong here.
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
