// Reports comparisons in the log and the metrics. Reports have no personal data, because clients and old
// services make up names. Each cause is logged once a minute, because every response may differ.

import type { DialectEvent } from '../../legacy/events.ts'
import type { Observe } from '../../observe/events.ts'
import { namesIn } from '../logs/legacy.ts'

/** Milliseconds between two log lines about one cause. */
const LOG_INTERVAL_MS = 60_000
/** Causes whose last log line is remembered. */
const MAX_CAUSES = 1_000

export type EventNames = Pick<DialectEvent, 'name' | 'fields' | 'parameters'>
export type DifferenceLabels = ReturnType<typeof createLabels>

/** @returns a function for the labels of a query, and of a field that differs. An unknown name is `other`. */
export function createLabels(events: readonly EventNames[]) {
  /** Some old services accept the name of an event in any case. */
  const eventNames = new Map(events.map(({ name }) => [name.toLowerCase(), name]))
  const parameters = events.flatMap((event) => event.parameters)
  const methods = new Set(parameters.flatMap(({ allowed = [] }) => allowed))
  const fieldNames = events.flatMap((event) => event.fields.map(({ name }) => name))
  const fields = new Set(['answer', 'entry', 'Content-Type', ...fieldNames])
  const label = (name: string, names: ReadonlySet<string>) =>
    names.has(name) || name === '' ? name : 'other'
  return (query: string, field = '') => {
    const { event, method, format } = namesIn(query)
    return {
      event: eventNames.get(event.toLowerCase()) ?? (event === 'none' ? event : 'other'),
      method: label(method, methods),
      format: format === 'XML' || format === 'JSON' ? format : 'other',
      field: label(field, fields),
    }
  }
}

interface ComparisonRequest {
  readonly answeredBy: 'old' | 'new'
  readonly query: string
  readonly requestId: string
}

export function createReports(labels: DifferenceLabels, observe: Observe) {
  /** When each cause was logged. */
  const logged = new Map<string, number>()

  function isDue(cause: string): boolean {
    const now = performance.now()
    if (now - (logged.get(cause) ?? Number.NEGATIVE_INFINITY) < LOG_INTERVAL_MS) return false
    if (logged.size >= MAX_CAUSES) logged.clear()
    logged.set(cause, now)
    return true
  }

  return {
    /** @param excuse why the difference does not count; null if it counts */
    difference: (
      { answeredBy, query, requestId }: ComparisonRequest,
      { field, kind }: { readonly field: string; readonly kind: string },
      excuse: string | null,
    ) => {
      const { method, ...cause } = { ...labels(query, field), kind, answeredBy }
      if (excuse === null) observe({ type: 'shadow-difference', ...cause })
      if (!isDue([...Object.values(cause), method, excuse].join(' '))) return
      if (excuse === null) observe({ type: 'shadow-differs', requestId, method, ...cause })
      else observe({ type: 'shadow-ignored', requestId, method, ...cause, reason: excuse })
    },
    /** @param cause the reason, without what differs between requests */
    noResponse: (cause: string, reason: string) => {
      if (isDue(cause)) observe({ type: 'shadow-unanswered', reason })
    },
  }
}
