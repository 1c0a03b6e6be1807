// Live comparison: a sample of the answers that are given is compared with the old service's, afterwards. Whoever asked waits
// for none of it, whatever the old service does: what cannot be compared soon is dropped.

import { setImmediate as afterAnswering } from 'node:timers/promises'
import type { Answer } from '../answer.ts'
import { isOurFault } from '../errors.ts'
import type { LegacyEvent } from '../legacy/events/event.ts'
import type { LegacyHandler } from '../legacy/handler.ts'
import type { Observe, ShadowResult } from '../observe/observation.ts'
import { createTally } from '../observe/tally.ts'
import type { Shadowing } from '../settings.ts'
import { createCall, NoReply, type Reply, saysNotNow } from '../stores/old-service/call.ts'
import { askedBy } from './access-log/legacy.ts'
import { compareReplies } from './compare.ts'
import { createPace } from './pace.ts'
import { shadowLimits } from './shadow-limits.ts'

/** Answers that wait to be compared. */
const MOST_WAITING = 100
/** Bytes of an answer; the old service's may be twice as large. Comparing larger ones would keep others waiting for too long. */
const LARGEST = 128 * 1024
/** Milliseconds between two reports of one cause: a flood of differences must be no flood of lines in the log. */
const REPORT = 60_000
/** Causes that are told apart. */
const MOST_CAUSES = 1_000

type Named = Pick<LegacyEvent, 'name' | 'fields' | 'parameters'>

interface Waiting {
  readonly query: string
  readonly answer: Answer
  readonly requestId: string
}

export interface Shadow {
  /** Whether the answer to the next request is one to compare, and there is room for it. */
  readonly wants: () => boolean
  /** Takes an answer that has been made; never throws, and never makes anybody wait. */
  readonly take: (asked: Waiting) => void
}

/** @param events whose names, and whose fields', may be in the log: all else is somebody's data, perhaps */
export function createShadow({ url, sample }: Shadowing, events: readonly Named[], observe: Observe): Shadow {
  const call = createCall(url, shadowLimits)
  const pace = createPace(shadowLimits.rate)
  const isNews = createNews()
  const publicPart = createPublicPart(events)
  const waiting: Waiting[] = []
  let busy = 0

  function count(result: ShadowResult): void {
    observe({ type: 'shadow-compared', result, count: 1 })
  }
  const drop = createTally((count) => observe({ type: 'shadow-compared', result: 'dropped', count }))

  async function work(): Promise<void> {
    await afterAnswering()
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await pace()
      await compare(next)
    }
    busy--
  }

  async function compare({ query, answer, requestId }: Waiting): Promise<void> {
    try {
      const old = await call(query)
      if (saysNotNow(old)) throw new NoReply(`status ${old.status}`)
      const { bytes, differences } = compareReplies(old, asReply(answer))
      count(bytes === 'same' ? 'bytes' : differences.length === 0 ? 'meaning' : 'different')
      for (const { field, kind } of differences) {
        const cause = { ...publicPart(query, field), kind }
        if (isNews(Object.values(cause).join(' '))) observe({ type: 'shadow-differs', requestId, ...cause })
      }
    } catch (error) {
      count('failed')
      if (!(error instanceof NoReply)) observe({ type: 'unexpected', requestId, error })
      else if (isNews(error.message)) observe({ type: 'shadow-unanswered', reason: error.message })
    }
  }

  return {
    wants: () => {
      if (Math.random() >= sample) return false
      if (waiting.length < MOST_WAITING) return true
      drop()
      return false
    },
    take: (next) => {
      // What we could not answer says nothing, whatever status it has.
      if (isOurFault(next.answer.about.outcome)) return
      if (next.answer.body.length > LARGEST) return drop()
      waiting.push(next)
      if (busy === shadowLimits.connections) return
      busy++
      void work()
    },
  }
}

/** What there is to say of a difference without naming anybody. */
function createPublicPart(events: readonly Named[]) {
  const fields = new Set([
    'answer',
    'entry',
    ...events.flatMap((event) => event.fields.map(({ name }) => name)),
  ])
  const methods = new Set(
    events.flatMap(({ parameters }) => parameters.flatMap(({ allowed = [] }) => allowed)),
  )
  const names = new Set(events.map(({ name }) => name))
  const known = (name: string, all: ReadonlySet<string>) => (all.has(name) || name === '' ? name : 'other')
  return (query: string, field: string) => {
    const { event, method, format } = askedBy(query)
    return {
      event: known(event, names),
      method: known(method, methods),
      format: format === 'XML' || format === 'JSON' ? format : 'other',
      field: known(field, fields),
    }
  }
}

/** @returns what tells whether something has not been reported for a while */
function createNews(): (cause: string) => boolean {
  const reported = new Map<string, number>()
  return (cause) => {
    const now = performance.now()
    if (now - (reported.get(cause) ?? -REPORT) < REPORT) return false
    if (reported.size >= MOST_CAUSES) reported.clear()
    reported.set(cause, now)
    return true
  }
}

/** A facade that answers as before, and shows its answers to who compares them. */
export function compareAnswers(facade: LegacyHandler, shadow: Shadow): LegacyHandler {
  return {
    ...facade,
    answer: (query, caller) => {
      const made = facade.answer(query, caller)
      // Before anything is done for it: a shadow that is busy costs a request next to nothing.
      if (!shadow.wants()) return made
      const take = (answer: Answer) => shadow.take({ query, answer, requestId: caller.requestId })
      if (made instanceof Promise) void made.then(take)
      else take(made)
      return made
    },
  }
}

function asReply({ status, headers, body }: Answer): Reply {
  const contentType = headers[headers.indexOf('Content-Type') + 1] ?? ''
  return {
    status,
    headers: { 'content-type': contentType },
    body: typeof body === 'string' ? Buffer.from(body, 'latin1') : body,
  }
}
