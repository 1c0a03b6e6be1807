// Requests a day, of clients that were not there all the time, over the whole time of a census.

import { dayOf } from './days.ts'
import type { Census, Daily } from './report.ts'

export interface Span {
  /** Days since 1970. */
  readonly from: number
  readonly days: number
}

export function spanOf({ days }: Pick<Census, 'days'>): Span {
  const [first] = days
  return { from: first === undefined ? 0 : numberOf(first.from), days: days.length }
}

/** One number for each day of the span. */
export function seriesOf(daily: Daily | null, { from, days }: Span): readonly number[] {
  const series = Array<number>(days).fill(0)
  if (daily === null) return series
  const start = numberOf(daily.from) - from
  for (const [at, requests] of numbersOf(daily).entries())
    if (start + at >= 0 && start + at < days) series[start + at] = requests
  return series
}

export const numbersOf = ({ requests }: Daily): readonly number[] => requests.split(' ').map(Number)

/** Whether days are too many to be shown one by one. */
export function isInWeeks({ days }: Pick<Census, 'days'>, most: number): boolean {
  return days.length > most
}

const numberOf = (date: string) => dayOf(Date.parse(date))
