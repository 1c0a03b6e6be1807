import v8 from 'node:v8'
import vm from 'node:vm'
import { expect } from 'vitest'

const KIB = 1024

// What one attempt leaves behind is collected before the next one is measured, not during it.
v8.setFlagsFromString('--expose-gc')
const collectGarbage: () => void = vm.runInNewContext('gc')

/** Milliseconds below which a cost is all noise. */
const FLOOR = 5
/**
 * Milliseconds in which attempts are made, of which the best counts: the machine has other things to do as
 * well. What is quadratic is so in every attempt.
 */
const ATTEMPTS_MS = 20_000
/** Attempts at least. */
const MIN_ATTEMPTS = 10

/** Milliseconds of processor time, of this thread and of those that collect its garbage. */
function costOf(work: () => unknown): number {
  collectGarbage()
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/**
 * Expects that work on 2 and 4 times as much costs no more than 4 and 8 times the processor time.
 * @param most milliseconds that 256 KiB may cost
 * @param prepare makes the work on so many bytes, and is not counted
 */
export function expectLinear(most: number, prepare: (size: number) => () => unknown): void {
  const works = [64, 128, 256].map((size) => prepare(size * KIB))
  let best: readonly number[] = []
  const until = performance.now() + ATTEMPTS_MS
  for (let attempt = 0; attempt < MIN_ATTEMPTS || performance.now() < until; attempt++) {
    const costs = works.map((work) => Math.max(FLOOR, costOf(work)))
    best = costs.map((cost, at) => Math.min(cost, best[at] ?? cost))
    const [one = 0, two = 0, four = 0] = best
    if (two <= 4 * one && four <= 8 * one && four <= most) return
  }
  expect.fail(`64, 128 and 256 KiB cost ${best.map((cost) => cost.toFixed(1)).join(', ')} ms`)
}
