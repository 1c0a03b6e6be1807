// Distinct segments of a list, against what a Set makes of it.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { distinctSegments } from '../../../src/gateway/legacy/events/segments.ts'

const bySet = (list: string) => [...new Set(list.split(':').filter((segment) => segment !== ''))]

describe('distinct segments', () => {
  test('are those of a Set, in order', () => {
    const segment = fc.oneof(
      fc.constantFrom('', '1', '2', 'a', 'é', 'constructor'),
      fc.string({ maxLength: 6 }),
    )
    const list = fc.array(segment, { maxLength: 200, size: 'max' }).map((segments) => segments.join(':'))
    fc.assert(
      fc.property(list, (text) => {
        expect(distinctSegments(text, 1000)).toEqual(bySet(text))
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['as many as a target can hold', Array.from({ length: 32_000 }, (_, index) => index % 1000).join(':')],
    ['all alike', Array(32_000).fill('7').join(':')],
    ['one that fills the target', 'x'.repeat(65_000)],
    ['nothing but colons', ':'.repeat(65_000)],
    [
      'every character of two bytes',
      Array.from({ length: 900 }, (_, index) => String.fromCharCode(256 + index)).join(':'),
    ],
  ])('%s', (_name, list) => {
    expect(distinctSegments(list, 1000)).toEqual(bySet(list))
  })

  test('no more are looked for than one too many', () => {
    const list = Array.from({ length: 30_000 }, (_, index) => index).join(':')
    expect(distinctSegments(list, 1000)).toHaveLength(1001)
  })
})
