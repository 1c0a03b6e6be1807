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
  return (
    BigInt(whole.replace('-', '') + fraction) *
    10n ** BigInt(200 + Number(exponent) - fraction.length) *
    (source.startsWith('-') ? -1n : 1n)
  )
}

test('numbers have the same spelling if and only if they have the same value', () => {
  fc.assert(
    fc.property(number, number, (one, other) => {
      expect(canonical(one) === canonical(other)).toBe(exact(one) === exact(other))
    }),
    { numRuns: runs(500, 50_000), seed: seedOf('two numbers') },
  )
})

test('the spelling of a number is a number of the same value', () => {
  fc.assert(
    fc.property(number, (source) => {
      expect(exact(canonical(source))).toBe(exact(source))
    }),
    { numRuns: runs(500, 50_000), seed: seedOf('one number') },
  )
})

test.each([
  ['0', '0'],
  ['-0.0', '0'],
  ['0e5', '0'],
  ['10', '10'],
  ['1e1', '10'],
  ['-12.50', '-12.5'],
  ['0.001e3', '1'],
  ['15e-1', '1.5'],
  ['-0.05e0', '-0.05'],
  ['1795576322.237854', '1795576322.237854'],
  ['123456789012345678901', '123456789012345678901'],
  ['1e400', '1e400'],
])('%s is written as %s', (source, expected) => {
  expect(canonical(source)).toBe(expected)
})

test('numbers with exponents that no double holds are told apart', () => {
  for (const exponent of ['999999999', '9007199254740992', '9007199254740993', '9'.repeat(400)])
    for (const sign of ['', '-']) {
      const source = `1e${sign}${exponent}`
      const longer = `1e${sign}${exponent}1`
      expect(canonical(source)).toBe(canonical(source))
      expect(canonical(source)).not.toBe(canonical(longer))
    }
  expect(canonical('1e9007199254740992')).not.toBe(canonical('1e9007199254740993'))
  expect(canonical('10e999999999')).toBe(canonical('1e1000000000'))
})
