import { expect, test } from 'vitest'
import { markedPair } from '../../src/pages/mark.ts'

const marked = (old: string, fresh: string) => markedPair({ names: ['old', 'new'], old, new: fresh }).text
/** What is marked in each of the two. */
const marksIn = (old: string, fresh: string) =>
  [...marked(old, fresh).matchAll(/<dd>(.*?)<\/dd>/g)].map(([, text = '']) =>
    text
      .replace(/<\/?code>/g, '')
      .replaceAll('<mark>', '[')
      .replaceAll('</mark>', ']'),
  )

test.each([
  [
    'Id=1, Rank=9, Banned=true',
    'Id=1, Rank=10, Banned=true',
    ['Id=1, Rank=[9], Banned=true', 'Id=1, Rank=[10], Banned=true'],
  ],
  ['1 (number)', '1 (string)', ['1 ([number])', '1 ([string])']],
  ['2008', '2009', ['[2008]', '[2009]']],
  ['the same', 'the same', ['the same', 'the same']],
  ['', '99: null', ['<span class="faint">(nothing)</span>', '[99: null]']],
  ['one', 'one two', ['one', 'one[ two]']],
  ['one two', 'two', ['[one ]two', 'two']],
  ['a a a', 'a a', ['a a[ a]', 'a a']],
  ['ab', 'ba', ['[ab]', '[ba]']],
  ['😀 x', '😁 x', ['[😀] x', '[😁] x']],
  ['naïve.', 'naive.', ['[naïve].', '[naive].']],
  ['a ', 'a', ['a[ ]', 'a']],
])('%j and %j', (old, fresh, expected) => {
  expect(marksIn(old, fresh)).toEqual(expected)
})

test('what is hostile is escaped, and what is long is cut, before anything is compared', () => {
  expect(marked('<b>\u202e', '<i>')).toContain('&lt;<mark>b&gt;\ufffd</mark>')
  const long = 'x'.repeat(1_000_000)
  expect(marked(`${long}a`, `${long}b`).length).toBeLessThan(5_000)
  expect(marked('x '.repeat(500_000), 'x'.repeat(999_999)).length).toBeLessThan(5_000)
})
