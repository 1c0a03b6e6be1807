// Counts by day, which keep the newest days, and weeks.

import { expect, test } from 'vitest'
import { Days, dateOf, dayOf, MAX_DAYS, mondayOf } from '../../../src/migration/census/days.ts'

const made = (...days: readonly number[]) => {
  const counted = new Days()
  for (const day of days) counted.add(day, 1)
  return counted
}
const found = ({ from, counts }: Days) =>
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

test('two counts are added, and parts of one are summed', () => {
  const sum = made(1, 2, 2)
  sum.addAll(made(2, 4))
  expect(found(sum)).toEqual([
    [1, 1],
    [2, 3],
    [4, 1],
  ])
  expect([sum.sum(2, 4), sum.sum(-9, 99), sum.sum(5, 9)]).toEqual([3, 5, 0])
})

test('a week begins on Monday', () => {
  const monday = (date: string) => dateOf(mondayOf(dayOf(Date.parse(date))))
  expect([monday('2026-11-22'), monday('2026-11-23'), monday('2024-02-29')]).toEqual([
    ...['2026-11-16', '2026-11-23', '2024-02-26'],
  ])
})
