import { performance } from 'node:perf_hooks'

/** Creates a value once, at the first call. After a failure, the next call retries. */
export function lazily<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | null = null
  return () =>
    (value ??= create().catch((error: unknown) => {
      value = null
      throw error
    }))
}

/** Loads something after the first second in which the process was idle. */
export function whenIdle(load: () => Promise<unknown>): void {
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (utilization > 0.05) return
    clearInterval(timer)
    load().catch(() => {}) // the request that needs it retries
  }, 1000)
  timer.unref()
}
