// Routes a request to the old or the new side, and falls back to the other side on failure.

import type { IncomingMessage } from 'node:http'
import type { Answer } from '../../answer.ts'
import { isOurFault, LookupError } from '../../errors.ts'
import { createBodyReader, hasBody } from '../../http/body.ts'
import { type Divert, isReading, type NewSide, type RequestContext } from '../../http/routes.ts'
import type { Observe } from '../../observe/events.ts'
import type { Place as Cohort } from './cohort.ts'
import type { OldSide, Outcome } from './old-side.ts'
import type { ToAnswer } from './passed-answer.ts'
import type { Side, TallyKeeper } from './tally.ts'

interface DivertOptions {
  /** The share of the clients on the new side, at the moment. */
  readonly share: () => number
  readonly placeOf: Cohort
  readonly old: OldSide
  readonly toAnswer: ToAnswer
  readonly fallback: boolean
  /** Bytes of a request body. */
  readonly maxBody: number
  readonly tally: TallyKeeper
  readonly observe: Observe
}

const noBody = Buffer.alloc(0)

export function createDivert(options: DivertOptions): Divert {
  const { share, placeOf, old, toAnswer, fallback, maxBody, tally, observe } = options
  const readBody = createBodyReader(maxBody, true)

  function count(side: Side, answeredBy: Side | 'none'): void {
    tally.count(side, answeredBy)
    observe({ type: 'cutover-answered', side, answeredBy })
  }

  function fail(side: Side, reason: string): void {
    tally.count(side, 'failures')
    observe({ type: 'cutover-failed', side, reason, count: 1 })
  }

  /** A request that can be repeated may be answered by the other side. */
  const isReplaceable = ({ request }: RequestContext) => fallback && isReading(request)

  const passedOn = ({ reply }: Outcome, { query, requestId }: RequestContext) =>
    reply === null ? null : toAnswer(reply, query, requestId)

  async function byOld(context: RequestContext, newSide: NewSide): Promise<Answer> {
    const outcome = await old.ask(context, context.body ?? noBody, isReplaceable(context))
    const answer = passedOn(outcome, context)
    if (answer !== null && outcome.failure === null) {
      count('old', 'old')
      return answer
    }
    fail('old', outcome.failure ?? '')
    if (isReplaceable(context)) {
      const other = await newSide.answer()
      const { outcome: what } = other.about
      if (!isOurFault(what)) {
        count('old', 'new')
        return other
      }
      fail('new', what)
    }
    count('old', 'none')
    return answer ?? newSide.refuse(new LookupError('Unavailable'))
  }

  function byNew(context: RequestContext, newSide: NewSide): Answer | Promise<Answer> {
    const made = newSide.answer()
    const judge = (answer: Answer) => {
      const { outcome } = answer.about
      if (isOurFault(outcome)) return replaceNew(answer, context)
      count('new', 'new')
      return answer
    }
    return made instanceof Promise ? made.then(judge) : judge(made)
  }

  async function replaceNew(failed: Answer, context: RequestContext): Promise<Answer> {
    fail('new', failed.about.outcome)
    if (isReplaceable(context)) {
      const outcome = await old.ask(context, noBody, false)
      const answer = passedOn(outcome, context)
      if (answer !== null && outcome.failure === null) {
        count('new', 'old')
        return answer
      }
      fail('old', outcome.failure ?? '')
    }
    count('new', 'none')
    return failed
  }

  const isNew = (request: IncomingMessage) => placeOf(request) < share()
  return {
    readBody: (request) => (isNew(request) ? null : readBody(request)),
    handle: (context, newSide) => {
      const { request, body } = context
      if (isNew(request)) return byNew(context, newSide)
      // The share has changed since the body was not read.
      if (body === null && hasBody(request)) return newSide.refuse(new LookupError('Unavailable'))
      return byOld(context, newSide)
    },
  }
}
