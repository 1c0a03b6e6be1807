// JSON with numbers as they are written; otherwise as JSON.parse reads it.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Json, readJsonValues } from '../../../src/migration/answers/json-values.ts'
import { UnreadableBody } from '../../../src/migration/answers/meaning.ts'
import { runs, seedOf } from '../../kit/generate.ts'

/** The value as JSON.parse returns it. */
function plain(value: Json): unknown {
  if ('type' in value) return value.type === 'string' ? value.text : JSON.parse(value.text)
  if (value instanceof Map) return Object.fromEntries(Array.from(value, ([name, one]) => [name, plain(one)]))
  return [...value.values()].map(plain)
}

function parsed(text: string): unknown {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return 'not JSON'
  }
}

function read(text: string): unknown {
  try {
    return { value: plain(readJsonValues(text)) }
  } catch (error) {
    if (error instanceof UnreadableBody) return error.message
    throw error
  }
}

test('every JSON text, with and without white space', () => {
  const values = fc.jsonValue({ maxDepth: 6 })
  fc.assert(
    fc.property(values, fc.constantFrom('', ' ', '\t', '\r\n'), (value, space) => {
      const text = space + JSON.stringify(value, null, space) + space
      expect(read(text)).toEqual(parsed(text))
    }),
    { numRuns: runs(100, 10_000), seed: seedOf('JSON texts') },
  )
})

test('every sequence of tokens, most of which are not JSON', () => {
  const words = ['"a"', '"\\""', '"\\u0041"', '"\\', '1', '-0', '1.0e+1', 'null', 'true', ' ']
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...'[]{}:,', ...words), { maxLength: 8 }), (some) => {
      const text = some.join('')
      expect(read(text)).toEqual(parsed(text))
    }),
    { numRuns: runs(500, 50_000), seed: seedOf('JSON tokens') },
  )
})

test.each([
  ['the last of two members with one name', '{"a":1,"a":2}'],
  ['a member called __proto__', '{"__proto__":{"a":1},"constructor":2}'],
  ['an escaped name', '{"\\u0061\\"":1}'],
  ['an escaped backslash at the end', '["\\\\","\\\\\\""]'],
  ['half a surrogate pair', '["\\ud800"]'],
  ['white space everywhere', ' \t\r\n{ "a" : [ 1 , 2 ] , "b" : { } } \n'],
  ['white space that JSON does not allow', '\u00a0{}'],
  ['a control character in a string', '"\u0001"'],
  ['a text that ends too early', '{"a":"'],
  ['nothing', ''],
])('%s', (_, text) => {
  expect(read(text)).toEqual(parsed(text))
})

test('numbers stay as they are written', () => {
  expect(readJsonValues('9007199254740993')).toEqual({ type: 'number', text: '9007199254740993' })
  expect(readJsonValues('-1.50E+2')).toEqual({ type: 'number', text: '-1.50E+2' })
})

test.each([
  ['boolean', 'true'],
  ['boolean', 'false'],
  ['null', 'null'],
])('of type %s is %s', (type, text) => {
  expect(readJsonValues(text)).toEqual({ type, text })
})

test('more than 32 levels are unreadable', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  expect(() => readJsonValues(nested(32))).not.toThrow()
  for (const depth of [33, 1_000, 10_000, 100_000])
    expect(read(nested(depth))).toBe('JSON nested deeper than 32 levels')
  for (const cut of ['[0,'.repeat(20_000), `${'[0,'.repeat(20_000)}0]`, `${'{"a":[0,'.repeat(20_000)}0]}`])
    expect(read(cut)).toBe('JSON nested deeper than 32 levels')
  expect(read(`"${'['.repeat(40)}\\"${'['.repeat(40)}"`)).not.toBe('JSON nested deeper than 32 levels')
  expect(read(`${'{"a":'.repeat(100_000)}0${'}'.repeat(100_000)}`)).toBe('JSON nested deeper than 32 levels')
})
