// How many queries may be tried a second time.

import { expect, test } from 'vitest'
import { createRetryBudget } from '../../../src/stores/servers/budget.ts'

/** Takes all that there is. @returns how much that was */
function drain({ hasAny, take }: ReturnType<typeof createRetryBudget>): number {
  let taken = 0
  while (take()) taken++
  expect(hasAny()).toBe(false)
  return taken
}

test('20 at once, and one more for about ten that went well, never more than 20', () => {
  const budget = createRetryBudget()
  expect(drain(budget)).toBe(20)
  for (const [wentWell, taken] of [
    [5, 0],
    [6, 1],
    [1_000, 20],
  ] as const) {
    for (let count = 0; count < wentWell; count++) budget.earn()
    expect(drain(budget)).toBe(taken)
  }
})
