// When the old service counts as down, and when it is back.

import { expect, onTestFinished, test } from 'vitest'
import { createBreaker } from '../../../src/migration/cutover/breaker.ts'

/** @param answers whether the service answers a probe */
function start(answers: () => boolean) {
  const said: string[] = []
  let probes = 0
  const breaker = createBreaker({
    probe: async () => {
      probes++
      return answers()
    },
    onOut: (reason) => said.push(reason),
    onBack: () => said.push('back'),
  })
  onTestFinished(breaker.close)
  const fail = (began: number, times: number) => {
    for (let time = 0; time < times; time++) breaker.noteFailure(began, 'refused')
  }
  return { breaker, fail, said, probes: () => probes }
}

test('after three failures in a row, and back with the first answer', async () => {
  const { breaker, fail, said, probes } = start(() => false)
  const now = performance.now()
  fail(now, 2)
  expect([probes(), breaker.isOpen()]).toEqual([0, false])
  fail(now, 1)
  await expect.poll(breaker.isOpen).toBe(true)
  breaker.noteAnswer()
  expect([said, breaker.isOpen()]).toEqual([['refused', 'back'], false])
})

test('not if it answers a probe', async () => {
  const { breaker, fail, said, probes } = start(() => true)
  fail(performance.now(), 3)
  await expect.poll(probes).toBe(1)
  expect([said, breaker.isOpen()]).toEqual([[], false])
})

test('failures of requests that began before an answer say nothing', () => {
  const { breaker, fail, probes } = start(() => false)
  const before = performance.now() - 1
  breaker.noteAnswer()
  fail(before, 10)
  fail(performance.now(), 2)
  expect(probes()).toBe(0)
})
