// The activity of a client: counts by day, which keep the newest days, and weeks.

import { expect, test } from 'vitest'
import {
  Activity,
  DayCounts,
  dateOf,
  dayOf,
  MAX_DAYS,
  mondayOf,
} from '../../../src/migration/census/activity.ts'
import type { RequestKind } from '../../../src/migration/census/request-kinds.ts'

const made = (...days: readonly number[]) => {
  const counted = new DayCounts()
  for (const day of days) counted.add(day, 1)
  return counted
}
const found = ({ from, counts }: DayCounts) =>
  counts.flatMap((requests, at) => (requests > 0 ? [[from + at, requests]] : []))

test('the newest days are kept, in any order', () => {
  const last = 1_000 + MAX_DAYS
  for (const days of [
    [1_000, 1_001, last],
    [last, 1_001, 1_000],
  ])
    expect(found(made(...days))).toEqual([
      [1_001, 1],
      [last, 1],
    ])
  expect(found(made(5, 1_000_000))).toEqual([[1_000_000, 1]])
  expect(found(made(1_000_000, 5))).toEqual([[1_000_000, 1]])
  expect(made(1_000, last, 5_000).counts).toHaveLength(1)
})

test('activities are added: days, kinds and versions', () => {
  const kind: RequestKind = { event: 'AppLookup', method: '', format: 'JSON', problem: '' }
  const made = (version: string, ...days: readonly number[]) => {
    const activity = new Activity()
    for (const day of days) activity.add(kind, version, day * 86_400_000)
    return activity
  }
  const sum = made('1', 1, 2, 2)
  sum.addAll(made('2', 2, 4))
  expect(found(sum.days)).toEqual([
    [1, 1],
    [2, 3],
    [4, 1],
  ])
  expect([sum.requests, sum.kinds.get(kind), sum.versions]).toEqual([5, 5, ['1', '2']])
  expect([sum.first, sum.last].map(dayOf)).toEqual([1, 4])
})

test('a week begins on Monday', () => {
  const monday = (date: string) => dateOf(mondayOf(dayOf(Date.parse(date))))
  expect([monday('2026-11-22'), monday('2026-11-23'), monday('2024-02-29')]).toEqual([
    ...['2026-11-16', '2026-11-23', '2024-02-26'],
  ])
})
