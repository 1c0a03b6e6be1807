// Labels for the log and the metrics without personal data: clients and old services make up names.

import type { ShownEvent } from '../../legacy/events.ts'
import { namesIn } from '../logs/legacy.ts'

export type EventNames = Pick<ShownEvent, 'name' | 'fields' | 'parameters'>

/** Milliseconds between two log lines about one cause. */
const REPORT_INTERVAL_MS = 60_000
/** Causes whose last log line is remembered. */
const MAX_CAUSES = 1_000

/** @returns the labels of a query, and of a field that differs. An unknown name is `other`. */
export function createLabels(events: readonly EventNames[]) {
  const fields = events.flatMap((event) => event.fields.map(({ name }) => name))
  const parameters = events.flatMap((event) => event.parameters)
  /** Some old services accept the name of an event in any case. */
  const eventNames = new Map(events.map(({ name }) => [name.toLowerCase(), name]))
  const known = {
    method: new Set(parameters.flatMap(({ allowed = [] }) => allowed)),
    field: new Set(['answer', 'entry', 'Content-Type', ...fields]),
  }
  const label = (name: string, names: ReadonlySet<string>) =>
    names.has(name) || name === '' ? name : 'other'
  return (query: string, field = '') => {
    const { event, method, format } = namesIn(query)
    return {
      event: eventNames.get(event.toLowerCase()) ?? (event === 'none' ? event : 'other'),
      method: label(method, known.method),
      format: format === 'XML' || format === 'JSON' ? format : 'other',
      field: label(field, known.field),
    }
  }
}

/** @returns whether a cause was not logged for a minute: a flood of differences must not flood the log */
export function createNews(): (cause: string) => boolean {
  const logged = new Map<string, number>()
  return (cause) => {
    const now = performance.now()
    if (now - (logged.get(cause) ?? -REPORT_INTERVAL_MS) < REPORT_INTERVAL_MS) return false
    if (logged.size >= MAX_CAUSES) logged.clear()
    logged.set(cause, now)
    return true
  }
}
