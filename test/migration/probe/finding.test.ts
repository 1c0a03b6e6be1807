import { describe, expect, test } from 'vitest'
import type { Field, Value } from '../../../src/migration/answers/meaning.ts'
import { differenceOf, type Finding } from '../../../src/migration/probe/finding.ts'
import { always } from '../../../src/migration/probe/judging.ts'

const string = (text: string): Value => ({ type: 'string', text })
const number = (text: string): Value => ({ type: 'number', text })
const boolean = (text: string): Value => ({ type: 'boolean', text })

function compare(old: readonly Field[], gateway: readonly Field[], isXml = false) {
  const finding = (fields: readonly Field[]): Finding => ({ kind: 'entries', text: 'alike', fields, isXml })
  return differenceOf(finding(old), finding(gateway), always('reading'))
}

describe('the fields of an entry', () => {
  test.each<[Value, Value, string, string]>([
    [string('1'), number('1'), 'F the string "1" instead of the number 1', 'numberAsText'],
    [string(''), boolean('false'), 'F "" instead of false', 'booleanAsText'],
    [string('1'), boolean('true'), 'F the string "1" instead of true', 'booleanAsText'],
    [number('0'), boolean('false'), 'F the number 0 instead of false', 'booleanAsNumber'],
    [{ type: 'null', text: 'null' }, string(''), 'F null instead of ""', 'nullValue'],
    [string('a'), string('b'), 'F "a" instead of "b"', 'otherValue'],
    [number('1'), number('2'), 'F 1 instead of 2', 'otherValue'],
  ])('%j instead of %j', (old, gateway, line, judgement) => {
    expect(compare([['F', old]], [['F', gateway]])).toMatchObject({ line, judgements: [judgement] })
  })

  test('missing, extra and in another order', () => {
    const [a, b, c] = ['A', 'B', 'C'].map((name): Field => [name, number('1')])
    if (a === undefined || b === undefined || c === undefined) throw new Error()
    expect(compare([a, b], [a])?.line).toBe('B, which the gateway does not send')
    expect(compare([a], [a, b])?.line).toBe('no B, which the gateway sends')
    const turned = compare([b, a, c], [a, b, c])
    expect(turned).toMatchObject({
      line: 'the order B, A, C instead of A, B, C',
      judgements: ['memberOrder'],
    })
    expect(compare([b, a], [a, b], true)?.judgements).toEqual(['elementOrder'])
    expect(compare([a, b, c], [a, b, c])).toBeNull()
  })

  test('long values are shown where they differ', () => {
    const long = 'x'.repeat(500)
    const line = compare([['F', string(`${long}1`)]], [['F', string(`${long}2`)]])?.line
    expect(line).toBe('F "…xxxxxxxxxxxx1" instead of "…xxxxxxxxxxxx2"')
  })

  test('a great many of them take no great time', () => {
    const many = Array.from({ length: 50_000 }, (_, at): Field => [`F${at}`, number('1')])
    const began = performance.now()
    expect(compare(many, many.toReversed())?.judgements).toEqual(['memberOrder'])
    expect(compare(many, [])?.line).toMatch(/, and 49980 more$/)
    expect(performance.now() - began).toBeLessThan(5_000)
  })
})

test('what has no fields differs in its words', () => {
  const [one, other] = ['found', 'missing'].map((text): Finding => ({ kind: 'entries', text }))
  if (one === undefined || other === undefined) throw new Error()
  expect(differenceOf(one, one, always('unknown'))).toBeNull()
  expect(differenceOf(one, other, always('unknown'))).toMatchObject({
    line: 'old service: found; gateway: missing',
    judgements: ['unknown'],
  })
})
