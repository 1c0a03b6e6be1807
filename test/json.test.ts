import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isDeeper } from '../src/json.ts'

/** As deep as `JSON.parse` finds it. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

/** The least number of levels that a text is not deeper than. */
function levelsOf(text: string, levels = 0): number {
  return isDeeper(text, levels) ? levelsOf(text, levels + 1) : levels
}

test('any JSON has its depth', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8, stringUnit: 'binary' }), fc.boolean(), (text, isPretty) => {
      const value: unknown = JSON.parse(text)
      const written = isPretty ? JSON.stringify(value, null, 1) : text
      expect(levelsOf(written)).toBe(depthOf(value))
    }),
  )
})

test.each([
  ['[[[', 3],
  ['{"a":[{"b', 3],
  ['"[[[[', 0],
  ['"\\"[["[', 1],
  ['"\\\\"[', 1],
  ['][][', 0],
  ['', 0],
])('%s has %i levels', (text, levels) => {
  expect(levelsOf(text)).toBe(levels)
})
