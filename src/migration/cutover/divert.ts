// Routes a legacy request to the old or the new side, and falls back to the other side on failure. During a
// cutover, every response to a client comes from here, and goes on to the comparer.

import type { Config } from '../../config/config.ts'
import { isOurFault, LookupError } from '../../errors.ts'
import { createBodyReader, hasBody } from '../../http/body.ts'
import { type Divert, isReading, type NewSide, type RequestContext } from '../../http/routes.ts'
import { legacyHeaders } from '../../legacy/handler.ts'
import type { Observe } from '../../observe/events.ts'
import type { HttpResponse } from '../../response.ts'
import type { Comparer } from '../shadow/comparer.ts'
import type { DifferenceLabels } from '../shadow/reports.ts'
import { filterHeaders, headerOf, type OldResponse } from './forwarding.ts'
import type { OldSide } from './old-side.ts'
import type { Side, SideOf } from './side.ts'

interface DivertParts {
  readonly sideOf: SideOf
  readonly old: OldSide
  readonly labels: DifferenceLabels
  readonly comparer: Comparer
  readonly observe: Observe
}

/** Clients of both sides learn about the retirement. A response may have any number of Link headers. */
const retirement: ReadonlySet<string> = new Set(['deprecation', 'sunset', 'link'])

export function createDivert(
  { cutover: { fallback }, legacy, maxBody }: Config,
  { sideOf, old, labels, comparer, observe }: DivertParts,
): Divert {
  const readBody = createBodyReader(maxBody, true)
  const added = filterHeaders(legacyHeaders(legacy), (name) => retirement.has(name))

  const count = (side: Side, answeredBy: Side | 'none') =>
    observe({ type: 'cutover-answered', side, answeredBy })
  const fail = (side: Side, reason: string) => observe({ type: 'cutover-failed', side, reason, count: 1 })

  /** Whether both sides may get the request: one that only reads can be repeated. */
  const isReplaceable = ({ request }: RequestContext) => fallback && isReading(request)

  /** Adds the headers of the retirement to a response of the old service. */
  function toClient(
    { status, reason, headers: own, body }: OldResponse,
    { query, requestId }: RequestContext,
  ): HttpResponse {
    // If both have a header, that of the old service wins: clients might read either of two.
    const isMissing = (name: string) => name === 'link' || headerOf(own, name) === null
    const headers = [...own, ...filterHeaders([...added, 'X-Request-Id', requestId], isMissing)]
    const { event, format } = labels(query)
    const about = {
      event: event === 'other' ? 'none' : event,
      format: format === 'XML' ? 'XML' : 'JSON',
      ...{ outcome: 'passed', values: 0 },
    } as const
    return { status, headers, body, etag: null, about, passed: { reason } }
  }

  async function handleByOld(context: RequestContext, newSide: NewSide): Promise<HttpResponse> {
    const mayFallBack = isReplaceable(context)
    const { response, failure } = await old.send(context, mayFallBack)
    if (failure === null) {
      const passed = toClient(response, context)
      count('old', 'old')
      comparer.mirror(context, passed, response.raw)
      return passed
    }
    fail('old', failure)
    if (mayFallBack) {
      const fresh = await newSide.answer()
      const { outcome } = fresh.about
      if (!isOurFault(outcome)) {
        count('old', 'new')
        return fresh
      }
      fail('new', outcome)
    }
    count('old', 'none')
    return response === null ? newSide.refuse(new LookupError('Unavailable')) : toClient(response, context)
  }

  function handleByNew(context: RequestContext, newSide: NewSide): HttpResponse | Promise<HttpResponse> {
    const check = (fresh: HttpResponse) => {
      if (isOurFault(fresh.about.outcome)) return replaceFailed(fresh, context)
      count('new', 'new')
      comparer.shadow(context, fresh)
      return fresh
    }
    const fresh = newSide.answer()
    return fresh instanceof Promise ? fresh.then(check) : check(fresh)
  }

  async function replaceFailed(failed: HttpResponse, context: RequestContext): Promise<HttpResponse> {
    fail('new', failed.about.outcome)
    if (isReplaceable(context)) {
      const { response, failure } = await old.send(context, false)
      if (failure === null) {
        count('new', 'old')
        comparer.shadow(context, failed, response.raw)
        return toClient(response, context)
      }
      fail('old', failure)
    } else comparer.shadow(context, failed)
    count('new', 'none')
    return failed
  }

  return {
    readBody: (request) => (sideOf(request) === 'new' ? null : readBody(request)),
    handle: (context, newSide) => {
      const { request, body } = context
      if (sideOf(request) === 'new') return handleByNew(context, newSide)
      // The dial was set after the body of this request had been skipped.
      if (body === null && hasBody(request)) return newSide.refuse(new LookupError('Unavailable'))
      return handleByOld(context, newSide)
    },
  }
}
