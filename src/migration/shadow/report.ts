// What is logged of a live comparison: each cause once a minute, and nothing that a client or the old service
// made up.

import type { ShownEvent } from '../../legacy/events.ts'
import { askedBy } from '../logs/legacy.ts'

export type EventNames = Pick<ShownEvent, 'name' | 'fields' | 'parameters'>

/**
 * Milliseconds between two reports of one cause: a flood of differences must be no flood of lines in the log.
 */
const REPORT_INTERVAL_MS = 60_000
/** Causes that are told apart. */
const MAX_CAUSES = 1_000

/** What there is to say of a difference without personal data. */
export function createPublicPart(events: readonly EventNames[]) {
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
export function createNews(): (cause: string) => boolean {
  const reported = new Map<string, number>()
  return (cause) => {
    const now = performance.now()
    if (now - (reported.get(cause) ?? -REPORT_INTERVAL_MS) < REPORT_INTERVAL_MS) return false
    if (reported.size >= MAX_CAUSES) reported.clear()
    reported.set(cause, now)
    return true
  }
}
