import { performance } from 'node:perf_hooks'
import { afterEach, expect, test, vi } from 'vitest'
import { whenIdle } from '../src/lazily.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('what is rarely needed is loaded once, in the first idle second', () => {
  vi.useFakeTimers()
  const utilization = vi.spyOn(performance, 'eventLoopUtilization')
  const spend = (share: number): void => {
    utilization.mockReturnValue({ idle: 1000 * (1 - share), active: 1000 * share, utilization: share })
    vi.advanceTimersByTime(1000)
  }
  const load = vi.fn(async () => {})
  whenIdle(load)
  spend(1)
  spend(0.06)
  expect(load).not.toHaveBeenCalled()
  spend(0.04)
  spend(0)
  expect(load).toHaveBeenCalledTimes(1)
})
