// Latencies from the buckets of a histogram: a bucket says that a request took no longer than its bound, and
// no more is said here.

import { durationBounds as bounds } from '../gateway/observe/metrics.ts'

const LAST = bounds.at(-1) ?? 0

/**
 * @param buckets how many took up to each bound, and last how many there were
 * @returns seconds that this share of them took at most; infinite beyond the last bound, `null` of nothing
 */
export function boundOf(buckets: readonly number[], share: number): number | null {
  const all = buckets.at(-1) ?? 0
  if (all === 0) return null
  return bounds[buckets.findIndex((upTo) => upTo >= share * all)] ?? Number.POSITIVE_INFINITY
}

/** `≤ 5 ms` */
export function latencyText(buckets: readonly number[], share: number): string {
  const bound = boundOf(buckets, share)
  if (bound === null) return '–'
  return Number.isFinite(bound) ? `≤ ${timeText(bound)}` : `> ${timeText(LAST)}`
}

function timeText(seconds: number): string {
  return seconds < 1 ? `${Number((seconds * 1000).toPrecision(3))} ms` : `${seconds} s`
}
