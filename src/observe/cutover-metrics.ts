// What is counted of a cutover.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Observation } from './events.ts'

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createCutoverMetrics(registers: Registry[]): {
  readonly count: (observation: Observation) => void
} {
  const requests = new Counter({
    name: 'lookup_cutover_requests_total',
    help: 'Legacy requests, by the side of the client and the side that answered.',
    labelNames: ['side', 'answered_by'],
    registers,
  })
  const failures = new Counter({
    name: 'lookup_cutover_failures_total',
    help: 'Requests that this side could not answer.',
    labelNames: ['side'],
    registers,
  })
  const durations = new Histogram({
    name: 'lookup_cutover_old_duration_seconds',
    help: 'Response time of the old service for requests passed to it.',
    buckets: seconds,
    registers,
  })
  // One process sets the share: the others have 0.
  const share = new Gauge({
    name: 'lookup_cutover_share',
    help: 'Share of the clients that the gateway answers itself; 0 without CUTOVER_URL.',
    aggregator: 'max',
    registers,
  })
  const turnedBack = new Gauge({
    name: 'lookup_cutover_turned_back',
    help: '1 if the guard has set the dial to 0.',
    aggregator: 'max',
    registers,
  })
  const sides = ['old', 'new'] as const
  // There from the start: an alert on a rate sees the first one, too.
  for (const side of sides) failures.inc({ side }, 0)
  const answered = Object.fromEntries(
    sides.flatMap((side) =>
      ([...sides, 'none'] as const).map((by) => [`${side} ${by}`, requests.labels(side, by)] as const),
    ),
  )
  for (const counter of Object.values(answered)) counter.inc(0)

  function count(observation: Observation): void {
    switch (observation.type) {
      case 'cutover-answered':
        answered[`${observation.side} ${observation.answeredBy}`]?.inc()
        break
      case 'cutover-passed':
        durations.observe(observation.duration / 1000)
        break
      case 'cutover-failed':
        failures.inc({ side: observation.side }, observation.count)
        break
      case 'cutover-set':
        share.set(observation.share)
        turnedBack.set(0)
        break
      case 'cutover-turned-back':
        share.set(0)
        turnedBack.set(1)
    }
  }

  return { count }
}
