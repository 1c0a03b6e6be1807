// The response that a client of the old side gets: the old service's, with the headers of the retirement.

import { type LegacySettings, legacyHeaders } from '../../legacy/handler.ts'
import type { HttpResponse } from '../../response.ts'
import { createLabels, type EventNames } from '../shadow/labels.ts'
import { filterHeaders, headerOf } from './end-to-end.ts'
import type { PassedReply } from './pass.ts'

/** Clients of both sides learn about the retirement. A response may have any number of Link headers. */
const retirement: ReadonlySet<string> = new Set(['deprecation', 'sunset', 'link'])

/** @param events whose names may be in the log: all other names may be personal data */
export function createPassedAnswers(settings: LegacySettings, events: readonly EventNames[]) {
  const added = filterHeaders(legacyHeaders(settings), (name) => retirement.has(name))
  const labels = createLabels(events)

  return (
    { status, reason, headers: own, body }: PassedReply,
    query: string,
    requestId: string,
  ): HttpResponse => {
    // A header of the old service wins: clients might take either of two.
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
}
