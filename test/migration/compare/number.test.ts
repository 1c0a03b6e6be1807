// Numbers as JSON writes them: one spelling for each value.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonical } from '../../../src/migration/compare/number.ts'
import { runs, seedOf } from '../../kit/generate.ts'

/** A JSON number: digits, a point among them perhaps, and an exponent. */
const number = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: fc.stringMatching(/^(?:0|[1-9][0-9]{0,5})$/),
    fraction: fc.stringMatching(/^(?:\.[0-9]{1,5})?$/),
    exponent: fc.stringMatching(/^(?:[eE][+-]?[0-9]{1,2})?$/),
  })
  .map(({ sign, whole, fraction, exponent }) => sign + whole + fraction + exponent)

/** Its value in units of 10^-200, exactly. */
function exact(source: string): bigint {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = BigInt(whole.replace('-', '') + fraction)
  return (
    digits * 10n ** BigInt(200 + Number(exponent) - fraction.length) * (source.startsWith('-') ? -1n : 1n)
  )
}

test('numbers have the same spelling if and only if they have the same value', () => {
  fc.assert(
    fc.property(number, number, (one, other) => {
      expect(canonical(one) === canonical(other)).toBe(exact(one) === exact(other))
      expect(exact(canonical(one))).toBe(exact(one))
    }),
    { numRuns: runs(500, 50_000), seed: seedOf('two numbers') },
  )
})

test.each([
  ['-0.0', '0'],
  ['1e1', '10'],
  ['-12.50', '-12.5'],
  ['-0.05e0', '-0.05'],
  ['123456789012345678901', '123456789012345678901'],
  ['1e400', '1e400'],
  ['10e999999999', '1e1000000000'],
  ['1e9007199254740992', '1e9007199254740992'],
  ['1e9007199254740993', '1e9007199254740993'],
])('%s is written as %s', (source, expected) => {
  expect(canonical(source)).toBe(expected)
})
