// What a request asks for, in words of the interface only: whatever else a client sends may be personal data.

import type { LegacyEvent } from '../../../gateway/legacy/events/event.ts'
import type { Subject } from '../../../observation.ts'
import { askedBy } from '../../access-log/legacy.ts'
import type { Asked } from '../asked.ts'

export type Named = Pick<LegacyEvent, 'name' | 'parameters'>

/** Failures that are a client's mistake. */
const mistakes: ReadonlySet<string> = new Set([
  ...['MissingParameter', 'RepeatedParameter', 'UnknownEvent', 'UnknownMethod', 'UnknownFormat'],
  ...['MalformedIdentifier', 'TooManyValues', 'MalformedQuery'],
])

/** @returns what a query string and its answer say together */
export function createPublicAsked(events: readonly Named[]): (query: string, about: Subject) => Asked {
  const methods = new Map(
    events.map(({ name, parameters }) => [name, parameters.find(({ allowed }) => allowed)?.allowed ?? []]),
  )
  return (query, { event, format, outcome }) => {
    const [usual = '', ...others] = methods.get(event) ?? []
    // Most requests do without; an encoded name is read in full.
    const given = usual !== '' && /method|%/i.test(query) ? askedBy(query).method : usual
    const method = given === usual || others.includes(given) ? given : 'other'
    return { event, method, format, problem: mistakes.has(outcome) ? outcome : '' }
  }
}
