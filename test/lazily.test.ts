import { expect, test, vi } from 'vitest'
import { whenIdle } from '../src/lazily.ts'

test('what is rarely needed is loaded once, in the first idle second', async () => {
  const load = vi.fn(async () => {})
  whenIdle(load)
  const busyUntil = performance.now() + 1100
  const work = setInterval(() => {
    const end = performance.now() + 15
    while (performance.now() < end && performance.now() < busyUntil);
  }, 20)
  await new Promise((resolve) => setTimeout(resolve, 1250))
  expect(load).not.toHaveBeenCalled()
  clearInterval(work)
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1), 4000)
})
