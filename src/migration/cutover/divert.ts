// Routes a request to the old or the new side, and falls back to the other side on failure.

import { isOurFault, LookupError } from '../../errors.ts'
import { createBodyReader, hasBody } from '../../http/body.ts'
import { type Divert, isReading, type NewSide, type RequestContext } from '../../http/routes.ts'
import type { Observe } from '../../observe/events.ts'
import type { HttpResponse } from '../../response.ts'
import type { Comparer } from '../shadow/comparer.ts'
import type { OldSide } from './old-side.ts'
import type { PassedReply } from './pass.ts'
import type { Side, SideOf } from './side.ts'

interface DivertOptions {
  readonly sideOf: SideOf
  readonly old: OldSide
  readonly toAnswer: (reply: PassedReply, query: string, requestId: string) => HttpResponse
  readonly fallback: boolean
  /** Bytes of a request body. */
  readonly maxBody: number
  readonly comparer: Comparer
  readonly observe: Observe
}

const noBody = Buffer.alloc(0)

export function createDivert(options: DivertOptions): Divert {
  const { sideOf, old, toAnswer, fallback, maxBody, comparer, observe } = options
  const readBody = createBodyReader(maxBody, true)

  const count = (side: Side, answeredBy: Side | 'none') =>
    observe({ type: 'cutover-answered', side, answeredBy })
  const fail = (side: Side, reason: string) => observe({ type: 'cutover-failed', side, reason, count: 1 })

  /** A request that can be repeated may be answered by the other side. */
  const isReplaceable = ({ request }: RequestContext) => fallback && isReading(request)

  async function askOld(context: RequestContext, isRepeated: boolean) {
    const { query, requestId, body } = context
    const { reply, failure } = await old.ask(context, body ?? noBody, isReplaceable(context) && !isRepeated)
    if (failure !== null) fail('old', failure)
    const answer = reply && toAnswer(reply, query, requestId)
    return { answer, raw: failure === null ? (reply?.raw ?? null) : null }
  }

  async function byOld(context: RequestContext, newSide: NewSide): Promise<HttpResponse> {
    const { answer, raw } = await askOld(context, false)
    if (answer !== null && raw !== null) {
      count('old', 'old')
      comparer.mirror(context, answer, raw)
      return answer
    }
    if (isReplaceable(context)) {
      const other = await newSide.answer()
      const { outcome } = other.about
      if (!isOurFault(outcome)) {
        count('old', 'new')
        return other
      }
      fail('new', outcome)
    }
    count('old', 'none')
    return answer ?? newSide.refuse(new LookupError('Unavailable'))
  }

  function byNew(context: RequestContext, newSide: NewSide): HttpResponse | Promise<HttpResponse> {
    const judge = (answer: HttpResponse) => {
      if (isOurFault(answer.about.outcome)) return replaceNew(answer, context)
      count('new', 'new')
      comparer.shadow(context, answer)
      return answer
    }
    const made = newSide.answer()
    return made instanceof Promise ? made.then(judge) : judge(made)
  }

  async function replaceNew(failed: HttpResponse, context: RequestContext): Promise<HttpResponse> {
    fail('new', failed.about.outcome)
    if (isReplaceable(context)) {
      const { answer, raw } = await askOld(context, true)
      if (answer !== null && raw !== null) {
        count('new', 'old')
        comparer.shadow(context, failed, raw)
        return answer
      }
    } else comparer.shadow(context, failed)
    count('new', 'none')
    return failed
  }

  return {
    readBody: (request) => (sideOf(request) === 'new' ? null : readBody(request)),
    handle: (context, newSide) => {
      const { request, body } = context
      if (sideOf(request) === 'new') return byNew(context, newSide)
      // The dial has been turned since the body was not read.
      if (body === null && hasBody(request)) return newSide.refuse(new LookupError('Unavailable'))
      return byOld(context, newSide)
    },
  }
}
