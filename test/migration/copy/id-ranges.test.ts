// Which ids a copy asks for, and where it goes on after a part of them.

import { expect, test } from 'vitest'
import { idsFrom, parseRanges, sizeOf } from '../../../src/migration/copy/id-ranges.ts'

test.for([
  [' 5 , 1-2 ', '1-2,5-5'],
  ['1-2,3-4', '1-4'],
  ['1-100,5-10', '1-100'],
  ['5-10,1-7,7', '1-10'],
  ['9007199254740991', '9007199254740991-9007199254740991'],
  ...(['', '0-3', '3-1', '1-', 'a', '1e3', '1,,2', '9007199254740992'] as const).map(
    (text) => [text, undefined] as const,
  ),
] as const)('"%s" is %s', ([text, ranges]) => {
  expect(
    parseRanges(text)
      ?.map((range) => range.join('-'))
      .join(),
  ).toEqual(ranges)
})

test('ids go on after any number of them', () => {
  const ranges = parseRanges('1-3,10,20-22') ?? []
  const all = ['1', '2', '3', '10', '20', '21', '22']
  expect(sizeOf(ranges)).toBe(all.length)
  for (let skipped = 0; skipped <= all.length; skipped++)
    for (let most = 0; most <= all.length; most++)
      expect(idsFrom(ranges, skipped, most)).toEqual(all.slice(skipped, skipped + most))
})
