import { describe, expect, test } from 'vitest'
import { createLagMeter } from '../../../src/stores/servers/lag.ts'

describe('a standby', () => {
  // What the primary's position was at each second.
  function meterOf(...positions: readonly number[]) {
    let now = 0
    const meter = createLagMeter(3000, () => now)
    for (const [second, position] of positions.entries()) {
      now = second * 1000
      meter.mark(BigInt(position))
    }
    return meter
  }

  test.for([
    ['nothing is known', [], 0, false],
    ['it has all there is', [100, 200, 300, 400, 500], 500, false],
    ['the primary has had nothing to do for long', [100, 100, 100, 100, 100, 100], 100, false],
    ['it has not reached where the primary was at first', [100], 99, true],
    ['it has just reached that', [100, 200], 100, false],
    ['it is ahead of the last look at the primary', [100, 200], 300, false],
    ['it is behind since just now', [100, 100, 100, 100, 500], 100, false],
    ['it is behind for less than is allowed', [100, 100, 200, 300, 400], 150, false],
    ['it is behind for as long as is allowed', [100, 200, 300, 400, 500], 150, true],
    ['it stands still while the primary goes on', [100, 200, 300, 400, 500, 600, 700, 800], 100, true],
    ['the primary went on once, long ago', [100, 200, 200, 200, 200, 200, 200, 200], 100, true],
    ['it follows two seconds behind', [100, 200, 300, 400, 500, 600, 700, 800], 600, false],
    ['a new primary began before the end of the old one', [800, 900, 950, 960, 500, 510], 490, false],
  ] as const)('%s', ([, positions, position, behind]) => {
    expect(meterOf(...positions).isBehind(BigInt(position))).toBe(behind)
  })

  test('of a primary that says nothing any more is behind what it said last', () => {
    let now = 0
    const meter = createLagMeter(3000, () => now)
    meter.mark(100n)
    now = 60_000
    expect([meter.isBehind(99n), meter.isBehind(100n)]).toEqual([true, false])
  })

  test('is judged with certainty once the primary has been watched for as long as is allowed', () => {
    let now = 0
    const meter = createLagMeter(3000, () => now)
    const certain = [meter.hasWatched()]
    for (; now <= 3000; now += 1000) {
      meter.mark(100n)
      certain.push(meter.hasWatched())
    }
    expect(certain).toEqual([false, false, false, false, true])
  })

  test('is judged by a bounded number of looks', () => {
    let now = 0
    const meter = createLagMeter(3000, () => now)
    for (; now < 1_000_000; now += 100) meter.mark(BigInt(now))
    expect(meter.isBehind(BigInt(now - 3300))).toBe(true)
    expect(meter.isBehind(BigInt(now - 2500))).toBe(false)
  })
})
