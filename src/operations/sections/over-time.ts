import { barChart } from '../../pages/charts.ts'
import { type Html, html } from '../../pages/html.ts'
import { count } from '../../text.ts'
import { isOurs } from '../advice.ts'
import { boundOf } from '../latency.ts'
import type { Looked } from '../looked.ts'
import { durationsBetween, requestsBetween, secondsBetween } from '../rates.ts'
import { MAX_SAMPLES, SAMPLE_INTERVAL_MS, type Sample } from '../samples.ts'
import { clock } from '../words.ts'

/** Milliseconds that stand for more than the last bound of latencies. */
const BEYOND_MS = 5_000

/** Milliseconds that a rate is about, at least. */
const LEAST_MS = 1_000

type Measure = (older: Sample, newer: Sample) => number

/** Requests a second, and what they took, in the last quarter of an hour. */
export function overTime({ now, samples: { all } }: Looked, withTable: boolean): Html | null {
  const [first = now] = all
  if (now.at - first.at < LEAST_MS || requestsBetween(first, now) === 0) return null
  const perSecond =
    (isMeant: (outcome: string) => boolean): Measure =>
    (older, newer) =>
      requestsBetween(older, newer, isMeant) / secondsBetween(older, newer)
  const chart = (title: string, unit: string, measure: Measure) => {
    const points = pointsOf([...all, now], measure)
    return points.some(({ value }) => value > 0)
      ? barChart({ title, label: 'UTC', unit, points, withTable })
      : html``
  }
  return html`<p>One bar for each ten seconds; times are in UTC. 99 of 100 requests took no longer than the 99th
percentile. Its figures are upper bounds; ${count(BEYOND_MS)} ms stands for more than 2,500.</p>
<div class="charts">${chart(
    'Requests a second',
    'requests/s',
    perSecond(() => true),
  )}
${chart('Requests a second that failed on our side', 'requests/s', perSecond(isOurs))}
${chart('99th percentile of the latency', 'ms', slowest)}</div>`
}

/** One for each interval of the whole time; nothing happened before the start. */
function pointsOf(samples: readonly Sample[], measure: Measure) {
  const steps = samples.flatMap((newer, at) => {
    const older = samples[at - 1]
    // The last one may be too short to say anything.
    return older === undefined || newer.at - older.at < LEAST_MS ? [] : [{ older, newer }]
  })
  const first = samples[0]?.time ?? 0
  const missing = Math.max(MAX_SAMPLES - steps.length, 0)
  const before = Array.from({ length: missing }, (_, at) => ({
    label: clock(first - (missing - 1 - at) * SAMPLE_INTERVAL_MS),
    value: 0,
  }))
  const points = steps.map(({ older, newer }) => ({
    label: clock(newer.time),
    value: Number(measure(older, newer).toPrecision(3)),
  }))
  return [...before, ...points]
}

const slowest: Measure = (older, newer) => {
  const bound = boundOf(durationsBetween(older, newer), 0.99)
  return bound === null ? 0 : Math.min(bound * 1000, BEYOND_MS)
}
