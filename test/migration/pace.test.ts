// How fast old services get calls: one after the other, never faster than the operator allows.

import { expect, test } from 'vitest'
import { createPace, retryAfterOf } from '../../src/migration/pace.ts'
import { createClock } from '../kit/clock.ts'

test('calls begin evenly, however many wait', async () => {
  const clock = createClock()
  const pace = createPace(20, clock)
  const begun: number[] = []
  for (let call = 0; call < 5; call++) void pace().then(() => begun.push(clock.now()))
  await clock.advance(1_000)
  expect(begun).toEqual([0, 50, 100, 150, 200])
  // A pause earns no burst.
  await clock.advance(9_000)
  for (let call = 0; call < 3; call++) void pace().then(() => begun.push(clock.now()))
  await clock.advance(1_000)
  expect(begun.slice(5)).toEqual([10_000, 10_050, 10_100])
})

test('an interruption ends the wait', async () => {
  const clock = createClock()
  const pace = createPace(20, clock)
  const controller = new AbortController()
  const { signal } = controller
  await pace(signal)
  const [waiting, late] = [pace(signal), pace(signal)]
  controller.abort('SIGINT')
  await expect(waiting).rejects.toBe('SIGINT')
  await expect(late).rejects.toBe('SIGINT')
  expect(clock.waiting()).toBe(0)
})

test.for<readonly [text: string, expected: number]>([
  ['7', 7_000],
  ['Tue, 24 Nov 2026 10:00:30 GMT', 30_000],
  // The date is over, or none.
  ['Tue, 24 Nov 2026 09:00:00 GMT', 0],
  ['-5', 0],
  ['soon', 0],
  ['', 0],
])('Retry-After: %s is a wait of %i ms', ([text, expected]) => {
  const date = 'Tue, 24 Nov 2026 10:00:00 GMT'
  expect(retryAfterOf({ headers: { 'retry-after': text, date } })).toBe(expected)
})
