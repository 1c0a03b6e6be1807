// What happened between two samples. A process that was killed takes with it what it had not reported: totals
// may go back, and then nothing is said to have happened.

import type { Sample } from './samples.ts'

export const secondsBetween = (older: Sample, newer: Sample) => Math.max((newer.at - older.at) / 1000, 0.001)

/** @param isMeant of an event, format and outcome */
export function requestsBetween(
  older: Sample,
  newer: Sample,
  isMeant: (outcome: string, event: string, format: string) => boolean = () => true,
): number {
  let sum = 0
  for (const [key, value] of newer.requests) {
    const [event = '', format = '', outcome = ''] = key.split(' ')
    if (isMeant(outcome, event, format)) sum += Math.max(value - (older.requests.get(key) ?? 0), 0)
  }
  return sum
}

/** Requests that took up to each bound. @param key `event format`; of all requests where there is none */
export function durationsBetween(older: Sample, newer: Sample, key?: string): readonly number[] {
  const sum: number[] = []
  for (const [name, buckets] of newer.durations)
    if (key === undefined || name === key)
      for (const [at, value] of buckets.entries())
        sum[at] = (sum[at] ?? 0) + Math.max(value - (older.durations.get(name)?.[at] ?? 0), 0)
  return sum
}
