// What a client of the old side gets: the old service's answer, and what the gateway has to say beside it.

import type { Answer } from '../../answer.ts'
import { type LegacySettings, legacyHeaders } from '../../legacy/handler.ts'
import type { Subject } from '../../observe/events.ts'
import { createPublicPart, type EventNames } from '../shadow/report.ts'
import { filterHeaders, headerOf } from './end-to-end.ts'
import type { PassedReply } from './pass.ts'

/** Clients of both sides hear of the retirement. Any number of Link headers may stand beside each other. */
const retirement: ReadonlySet<string> = new Set(['deprecation', 'sunset', 'link'])

export type ToAnswer = (reply: PassedReply, query: string, requestId: string) => Answer

/** @param events whose names may be in the log: all else may be personal data */
export function createPassedAnswers(settings: LegacySettings, events: readonly EventNames[]): ToAnswer {
  const added = filterHeaders(legacyHeaders(settings), (name) => retirement.has(name))
  const publicPart = createPublicPart(events)

  function aboutOf(query: string): Subject {
    const { event, format } = publicPart(query, '')
    const known = events.some(({ name }) => name === event) ? event : 'none'
    return { event: known, format: format === 'XML' ? 'XML' : 'JSON', outcome: 'passed', values: 0 }
  }

  return ({ status, reason, headers: given, body }, query, requestId) => {
    const isMissing = (name: string) => name === 'link' || headerOf(given, name) === null
    // Its own headers stand: of two that say the same, clients would take either.
    const more = filterHeaders([...added, 'X-Request-Id', requestId], isMissing)
    const headers = [...given, ...more]
    return { status, headers, body, etag: null, about: aboutOf(query), passed: { reason } }
  }
}
