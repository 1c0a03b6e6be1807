import { expect, test } from 'vitest'
import { asciiBlocks, blocks, sparkline } from '../../src/terminal/sparkline.ts'

test.each([
  [[], ''],
  [[0, 0], '··'],
  [[1], '▇'],
  [[0, 1, 2, 3, 4, 5], '·▁▂▃▅▇'],
  [[1, 1_000], '▁▇'],
])('%j', (numbers, line) => {
  expect(sparkline(numbers, 20, blocks)).toBe(line)
})

test('more numbers than blocks are averaged, so that a steady line is one', () => {
  expect(sparkline(Array(37).fill(3), 20, blocks)).toBe('▇'.repeat(20))
  expect(sparkline([...Array(60).fill(0), ...Array(40).fill(1)], 10, asciiBlocks)).toBe('......####')
})
