import { expect, test } from 'vitest'
import { createLagMeter } from '../../../src/stores/servers/lag.ts'

/** A meter that allows 3 s, after these positions of the primary at each second. */
function meterOf(positions: readonly number[]) {
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
  ['it has not reached where the primary was at first', [100], 99, true],
  ['it has just reached that', [100, 200], 100, false],
  ['it is behind since just now', [100, 100, 100, 100, 500], 100, false],
  ['it is behind for less than is allowed', [100, 100, 200, 300, 400], 150, false],
  ['it is behind for as long as is allowed', [100, 200, 300, 400, 500], 150, true],
  ['the primary went on once, long ago', [100, 200, 200, 200, 200, 200, 200, 200], 100, true],
  ['it follows two seconds behind', [100, 200, 300, 400, 500, 600, 700, 800], 600, false],
  ['a new primary began before the end of the old one', [800, 900, 950, 960, 500, 510], 490, false],
] as const)('a standby: %s', ([, positions, position, behind]) => {
  expect(meterOf(positions).isBehind(BigInt(position))).toBe(behind)
})

test('lag is certain once the primary has been watched for as long as is allowed', () => {
  expect([[], [100], [100, 100, 100], [100, 100, 100, 100]].map((all) => meterOf(all).hasWatched())).toEqual([
    ...[false, false, false, true],
  ])
})
