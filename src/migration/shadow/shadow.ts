// Live comparison: a sample of the answers that are given is compared with the old service's, afterwards. No
// client waits for any of it, whatever the old service does: what cannot be compared soon is dropped.

import { setImmediate as afterAnswering, setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../../answer.ts'
import type { Noise } from '../../config/noise.ts'
import type { Service } from '../../config/old-service.ts'
import { MAX_SHADOW_RATE } from '../../config/settings.ts'
import { isOurFault } from '../../errors.ts'
import type { Watcher } from '../../legacy/handler.ts'
import type { Observe, ShadowResult } from '../../observe/events.ts'
import { createCall, isTemporaryFailure, NoReply, type Reply } from '../../stores/old-service/call.ts'
import { allowanceFor } from '../answers/allowance.ts'
import { compareReplies } from '../answers/compare.ts'
import { type Comparison, resultOf } from '../answers/difference.ts'
import { compareWithBoth, LEARN_DELAY_MS } from '../answers/learn.ts'
import { askedBy } from '../logs/legacy.ts'
import { createPace } from '../pace.ts'
import { createNews, createPublicPart, type EventNames } from './report.ts'

/**
 * What each process sends to the old service: calls at a time, and of each its milliseconds, and the bytes of
 * its response. MAX_SHADOW_RATE limits the calls a second.
 */
const callLimits = { connections: 2, timeout: 5_000, most: 256 * 1024 } as const

/** Answers that wait to be compared. */
const MAX_WAITING_ANSWERS = 100
/** Bytes of each of the two bodies: requests wait while the event loop compares them. */
const MAX_COMPARED_BYTES = 64 * 1024

interface Waiting {
  readonly query: string
  readonly answer: Answer
  readonly requestId: string
}

/** What answers are compared with. */
interface Shadowing extends Service {
  /** From 0 to 1. */
  readonly sample: number
  /** What does not count. */
  readonly noise: Noise
  /** Whether the old service is asked, too, what the gateway could not answer. */
  readonly comparesFailures: boolean
}

/**
 * Compares a sample of the answers of the legacy interface. What has not been compared when it is closed is
 * not counted.
 * @param events whose names, and whose fields', may be in the log: all else may be personal data
 */
export function createShadow(
  { sample, noise, comparesFailures, ...service }: Shadowing,
  events: readonly EventNames[],
  observe: Observe,
): Watcher {
  const call = createCall(service, callLimits)
  const closing = new AbortController()
  const { signal } = closing
  const pace = createPace(MAX_SHADOW_RATE)
  const isNews = createNews()
  const publicPart = createPublicPart(events)
  const waiting: Waiting[] = []
  let busy = 0

  function count(result: ShadowResult): void {
    observe({ type: 'shadow-compared', result, count: 1 })
  }

  async function work(): Promise<void> {
    await afterAnswering()
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await compare(next)
    busy--
  }

  async function compare({ query, answer, requestId }: Waiting): Promise<void> {
    try {
      if (isOurFault(answer.about.outcome)) {
        await ask(query)
        count('gateway-failed')
        return
      }
      const comparison = await compareWithOld(query, asReply(answer))
      if (comparison === null) return count('dropped')
      count(resultOf(comparison))
      for (const { field, kind } of comparison.differences) {
        const cause = { ...publicPart(query, field), kind }
        const { event, format } = cause
        observe({ type: 'shadow-difference', event: event || 'none', format, field: cause.field, kind })
        if (isNews(Object.values(cause).join(' '))) observe({ type: 'shadow-differs', requestId, ...cause })
      }
      for (const { field, kind, reason } of comparison.ignored) {
        const cause = { ...publicPart(query, field), kind, reason }
        if (isNews(Object.values(cause).join(' '))) observe({ type: 'shadow-ignored', requestId, ...cause })
      }
    } catch (error) {
      if (signal.aborted) return
      count('failed')
      if (!(error instanceof NoReply)) observe({ type: 'unexpected', requestId, error })
      else if (isNews(causeOf(error))) observe({ type: 'shadow-unanswered', reason: error.message })
    }
  }

  /**
   * With SHADOW_LEARN, the old service gets the request again before a difference counts.
   * @returns `null` if the old service's response is too large
   */
  async function compareWithOld(query: string, fresh: Reply): Promise<Comparison | null> {
    const allow = allowanceFor(noise, askedBy(query).event)
    const old = await ask(query)
    if (old.body.length > MAX_COMPARED_BYTES) return null
    const first = compareReplies(old, fresh, allow)
    if (!noise.learn || first.differences.length === 0) return first
    await sleep(LEARN_DELAY_MS, undefined, { signal })
    const again = await ask(query)
    return again.body.length > MAX_COMPARED_BYTES ? null : compareWithBoth({ old, again, fresh }, allow)
  }

  async function ask(query: string): Promise<Reply> {
    await pace(signal)
    const reply = await call(query, { signal })
    if (isTemporaryFailure(reply)) throw new NoReply(`status ${reply.status}`)
    return reply
  }

  /** Whether the answer to the next request is one to compare, and there is room for it. */
  function wants(): boolean {
    if (Math.random() >= sample) return false
    if (waiting.length < MAX_WAITING_ANSWERS) return true
    count('dropped')
    return false
  }

  /** Takes an answer that has been made; never throws, and never makes a client wait. */
  function take(next: Waiting): void {
    // What the gateway could not answer says nothing of what its answers mean, whatever status it has.
    if (signal.aborted || (isOurFault(next.answer.about.outcome) && !comparesFailures)) return
    if (next.answer.body.length > MAX_COMPARED_BYTES) {
      count('dropped')
      return
    }
    waiting.push(next)
    if (busy === callLimits.connections) return
    busy++
    void work()
  }

  return {
    watch: (facade) => ({
      ...facade,
      answer: (query, caller) => {
        const made = facade.answer(query, caller)
        // Before anything is done for it: a shadow that is busy costs a request next to nothing.
        if (!wants()) return made
        const show = (answer: Answer) => take({ query, answer, requestId: caller.requestId })
        if (made instanceof Promise) void made.then(show)
        else show(made)
        return made
      },
    }),
    close: () => {
      waiting.length = 0
      closing.abort()
    },
  }
}

/** Every request may be redirected to an address of its own. */
function causeOf(error: NoReply): string {
  return error.kind === 'redirected' ? error.kind : error.message
}

function asReply({ status, headers, body }: Answer): Reply {
  const contentType = headers[headers.indexOf('Content-Type') + 1] ?? ''
  return {
    status,
    headers: { 'content-type': contentType },
    body: typeof body === 'string' ? Buffer.from(body, 'latin1') : body,
  }
}
