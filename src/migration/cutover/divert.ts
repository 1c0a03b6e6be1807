// Which side answers a request, and what the other one does where that side cannot.

import { isOurFault, LookupError } from '../../errors.ts'
import type { Answer } from '../../gateway/answer.ts'
import { createBodyReader, hasBody } from '../../http/body.ts'
import type { Divert, OwnSide, Place } from '../../http/legacy-room.ts'
import { type Asked, isReading } from '../../http/room.ts'
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

  /** What can be asked twice, the other side may answer, too. */
  function isReplaceable({ request }: Asked): boolean {
    return fallback && isReading(request)
  }

  function passedOn({ reply }: Outcome, { query, caller }: Asked): Answer | null {
    return reply === null ? null : toAnswer(reply, query, caller.requestId)
  }

  async function byOld(asked: Asked, own: OwnSide, place: Place, body: Buffer): Promise<Answer> {
    const outcome = await place.elsewhere(() => old.ask(asked, body, isReplaceable(asked)))
    const answer = passedOn(outcome, asked)
    if (answer !== null && outcome.failure === null) {
      count('old', 'old')
      return answer
    }
    fail('old', outcome.failure ?? '')
    if (isReplaceable(asked)) {
      const other = await own.answer()
      const { outcome: what } = other.about
      if (!isOurFault(what)) {
        count('old', 'new')
        return other
      }
      fail('new', what)
    }
    count('old', 'none')
    return answer ?? own.refuse(new LookupError('Unavailable'))
  }

  function byNew(asked: Asked, own: OwnSide, place: Place): Answer | Promise<Answer> {
    const made = own.answer()
    const judge = (answer: Answer) => {
      const { outcome } = answer.about
      if (isOurFault(outcome)) return replaceNew(answer, asked, place)
      count('new', 'new')
      return answer
    }
    return made instanceof Promise ? made.then(judge) : judge(made)
  }

  async function replaceNew(failed: Answer, asked: Asked, place: Place): Promise<Answer> {
    fail('new', failed.about.outcome)
    if (isReplaceable(asked)) {
      const outcome = await place.elsewhere(() => old.ask(asked, noBody, false))
      const answer = passedOn(outcome, asked)
      if (answer !== null && outcome.failure === null) {
        count('new', 'old')
        return answer
      }
      fail('old', outcome.failure ?? '')
    }
    count('new', 'none')
    return failed
  }

  async function passWithBody(asked: Asked, own: OwnSide, place: Place): Promise<Answer> {
    let body: Buffer
    try {
      body = await readBody(asked.request)
    } catch (error) {
      if (!(error instanceof LookupError)) throw error
      // What is left of the body is not read any more.
      const refused = own.refuse(error)
      return { ...refused, headers: [...refused.headers, 'Connection', 'close'] }
    }
    return place.admit(() => byOld(asked, own, place, body))
  }

  const divert: Divert = (asked, own, place) => {
    if (placeOf(asked.request) < share()) return place.admit(() => byNew(asked, own, place))
    return hasBody(asked.request) ? passWithBody(asked, own, place) : byOld(asked, own, place, noBody)
  }

  return (asked, own, place) => {
    const made = divert(asked, own, place)
    if (!(made instanceof Promise)) return made
    return made.catch((error: unknown) => {
      if (error instanceof LookupError) return own.refuse(error)
      throw error
    })
  }
}
