import { describe, expect, test } from 'vitest'
import { excerptsOf, firstDifference } from '../../../src/migration/probe/excerpt.ts'

describe('two texts that differ', () => {
  test.each<[string, string, number]>([
    ['', '', 0],
    ['a', '', 0],
    ['ab', 'ac', 1],
    ['ab', 'abc', 2],
    ['ab', 'ab', 2],
  ])('%j and %j differ after %d', (one, other, at) => {
    expect(firstDifference(one, other)).toBe(at)
    expect(firstDifference(other, one)).toBe(at)
  })

  test('short ones are whole, in one line', () => {
    expect(excerptsOf('a\n b', 'c', 10)).toEqual(['a b', 'c'])
  })

  test('long ones begin before the place, and say what was cut', () => {
    const same = 'x'.repeat(100)
    expect(excerptsOf(`${same}1${same}`, `${same}2`, 24)).toEqual([
      '…xxxxxxxxxxxx1xxxxxxxxx…',
      '…xxxxxxxxxxxx2',
    ])
  })

  test('a place near the beginning is shown with the beginning', () => {
    expect(excerptsOf(`{1${'x'.repeat(100)}`, `{2${'x'.repeat(100)}`, 40)[0]).toMatch(/^\{1x+…$/)
  })

  test('one is the beginning of the other', () => {
    const same = 'x'.repeat(100)
    expect(excerptsOf(same, `${same}, more`, 30)).toEqual(['…xxxxxxxxxxxx', '…xxxxxxxxxxxx, more'])
  })

  test('no control character gets through, and no surrogate is halved', () => {
    expect(excerptsOf('\u001b[31m', '\u202e', 10)).toEqual(['\ufffd[31m', '\ufffd'])
    for (const length of [10, 11, 12])
      for (const text of excerptsOf('😀'.repeat(50), 'x', length)) expect(text.isWellFormed()).toBe(true)
  })
})
