// When the circuit breaker of the old service opens, and when it closes.

import { expect, onTestFinished, test } from 'vitest'
import { createCircuitBreaker } from '../../../src/migration/cutover/old-side.ts'

function start(isHealthy: () => boolean) {
  const events: string[] = []
  let checks = 0
  const breaker = createCircuitBreaker({
    isHealthy: async () => {
      checks++
      return isHealthy()
    },
    onOpen: (reason) => events.push(reason),
    onClose: () => events.push('back'),
  })
  onTestFinished(breaker.close)
  const fail = (began: number, times: number) => {
    for (let time = 0; time < times; time++) breaker.recordFailure(began, 'refused')
  }
  return { breaker, fail, events, checks: () => checks }
}

test('opens after three failures in a row, and closes with the first response', async () => {
  const { breaker, fail, events, checks } = start(() => false)
  const now = performance.now()
  fail(now, 2)
  expect([checks(), breaker.isOpen()]).toEqual([0, false])
  fail(now, 1)
  await expect.poll(breaker.isOpen).toBe(true)
  breaker.recordResponse()
  expect([events, breaker.isOpen()]).toEqual([['refused', 'back'], false])
})

test('stays closed if the service responds to the health check', async () => {
  const { breaker, fail, events, checks } = start(() => true)
  fail(performance.now(), 3)
  await expect.poll(checks).toBe(1)
  expect([events, breaker.isOpen()]).toEqual([[], false])
})

test('does not count failures of requests that began before the last response', () => {
  const { breaker, fail, checks } = start(() => false)
  const before = performance.now() - 1
  breaker.recordResponse()
  fail(before, 10)
  fail(performance.now(), 2)
  expect(checks()).toBe(0)
})

test('opens if requests were in flight when the service fell silent', async () => {
  const { breaker, fail, checks } = start(() => false)
  const began = performance.now()
  breaker.recordResponse()
  // The last response is then older than the second half of these requests.
  await expect.poll(() => performance.now() - began).toBeGreaterThan(20)
  fail(began, 3)
  expect(checks()).toBe(1)
  await expect.poll(breaker.isOpen).toBe(true)
})
