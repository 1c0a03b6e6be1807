// Casts, is_numeric, trim and JSON_NUMERIC_CHECK, against PHP itself.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listReader } from '../../../../src/gateway/legacy/habits/list.ts'
import { numberIn } from '../../../../src/gateway/legacy/habits/numeric-check.ts'
import { castToInt, isNumeric } from '../../../../src/gateway/legacy/habits/php-numbers.ts'
import { seedOf } from '../../../kit/generate.ts'
import { hasProgram } from '../../../kit/programs.ts'
import { runPhp } from '../support/programs.ts'

const trimmed = listReader('colon-trimmed')

const few = [
  '',
  '1',
  '007',
  '1abc',
  ' 1',
  '1 ',
  '1.9',
  '+1',
  '-1',
  '+-1',
  '1e2',
  '1E2',
  '0x1A',
  '0b1',
  '0o7',
  '1_000',
]
const edges = [
  '.5',
  '1.',
  '.',
  '1..2',
  '1.2.3',
  '1e',
  '1e+',
  '1e+2',
  '15e-1',
  '1e-1',
  '-0',
  '-0.5',
  '1e1000',
  '-1e1000',
]
const large = [
  ...['9007199254740991', '9007199254740992', '9007199254740993', '9007199254740991.5', '9007199254740993.0'],
  ...['9223372036854775500', '9223372036854775807', '9223372036854775808', '-9223372036854775808'],
  ...[
    '-9223372036854775809',
    '9223372036854775807.0',
    '18446744073709551617',
    '99999999999999999999',
    '1e18',
    '1e19',
  ],
  ...[
    '0000000000000000000000000000000000042',
    '-00000000000000000000000009223372036854775807',
    '4e-324',
    '1e-400',
  ],
]
const long = [
  `${'1'.repeat(400)}`,
  `-${'1'.repeat(400)}`,
  `7.${'9'.repeat(400)}`,
  `${'0'.repeat(400)}9007199254740993`,
]
const floats = [
  ...[
    '3.14',
    '1.0',
    '100.10',
    '0.1',
    '0.0001',
    '0.00012',
    '0.00001',
    '1.5e-7',
    '-1e-400',
    '-0.0',
    '0e999999999999',
  ],
  ...[
    '1e5',
    '1e15',
    '1e16',
    '1e17',
    '-1e17',
    '1e22',
    '123456789012345678.0',
    '1234567890123456.7',
    '.5e1',
    '5.e1',
  ],
  ...[
    '5e-324',
    '2.2250738585072014e-308',
    '1.7976931348623157e308',
    '1.7976931348623159e308',
    '1e308',
    '1e309',
  ],
  ...['-9223372036854775808 ', '9223372036854775807 ', ' 009223372036854775808', '9223372036854775799\n'],
  // Texts with a long fraction, or many digits, beside an exponent that PHP reads as a smaller one.
  ...[`0.${'0'.repeat(20_000)}1e20001`, `0.${'0'.repeat(20_000)}1E+0019999`, `${'1'.repeat(20_000)}e-20001`],
  ...[
    `0.${'0'.repeat(400)}1e400`,
    `${'9'.repeat(800)}e-790`,
    `1e${'0'.repeat(400)}3`,
    '1e00000000012',
    '1e-00000000012',
  ],
]
const blanks = [
  '\t1',
  '\n1',
  '\v1',
  '\f1',
  '\r1',
  '1\f',
  '1\v',
  '\u00a01',
  '1\u00a0',
  '\u20281',
  '1 x',
  ' \t ',
  '\ufeff1',
]
const others = ['１', '٣', 'INF', 'NAN', 'Infinity', 'null', 'true', "1'", '1;', '1\u0301', '\u{1d7d9}']

const part = fc.constantFrom(
  '0',
  '1',
  '9',
  '42',
  '9223372036854775807',
  '+',
  '-',
  '.',
  'e',
  'E',
  ' ',
  '\n',
  '\f',
  'x',
)
const made = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))

/** With a sign, blanks, a point and an exponent, or without: each of a size that matters. */
const digits = fc.stringMatching(/^(?:0{0,3}[0-9]{0,20}|[0-9]{17,19}|922337203685477580[0-9])$/)
const number = fc
  .tuple(
    fc.constantFrom('', '', '-', '+', ' ', '\t-'),
    digits,
    fc.oneof(
      fc.constant(''),
      digits.map((text) => `.${text}`),
    ),
    fc.oneof(
      fc.constant(''),
      fc.integer({ min: -330, max: 330 }).map((exponent) => `e${exponent}`),
      fc.integer({ min: -9, max: 20 }).map((exponent) => `E${exponent < 0 ? '' : '+'}${exponent}`),
    ),
    fc.constantFrom('', '', '', ' ', '\n', 'x'),
  )
  .map((parts) => parts.join(''))

describe.skipIf(!hasProgram('php'))('as PHP', () => {
  test('texts are cast, taken for numbers, and trimmed', () => {
    const seed = seedOf('habits/php-numbers.test.ts')
    const generated = fc.sample(fc.oneof(made, number, fc.double().map(String)), { seed, numRuns: 5000 })
    const texts = [...few, ...edges, ...large, ...long, ...floats, ...blanks, ...others, ...generated]
    const read: [string, boolean, string, string][] = JSON.parse(
      runPhp('numbers.php', [], JSON.stringify(texts)),
    )
    const written = texts.map((_, at) => read[at]?.[3] ?? '')
    expect(texts.map((text) => [text, castToInt(text), isNumeric(text), trimmed?.(text)])).toEqual(
      texts.map((text, at) => [text, ...(read[at] ?? []).slice(0, 3)]),
    )
    expect(texts.map((text) => [text, numberIn(text)])).toEqual(
      texts.map((text, at) => [text, written[at]?.startsWith('"') ? null : written[at]]),
    )
    // What PHP wrote is written the same once more: so it is read from an old service, a -0 as a float.
    for (const text of written)
      if (!text.startsWith('"')) expect(numberIn(text === '-0' ? '-0.0' : text)).toBe(text)
  })
})

const LENGTH = 65_536
test.each([
  ['digits', '1'.repeat(LENGTH), '0'],
  ['zeros', `${'0'.repeat(LENGTH)}7`, '7'],
  ['zeros before what does not fit', `${'0'.repeat(LENGTH)}9007199254740993`, '9007199254740993'],
  ['blanks', `${' '.repeat(LENGTH)}7`, '7'],
  ['blanks behind', `7${' '.repeat(LENGTH)}x`, '7'],
  ['digits behind a point', `7.${'9'.repeat(LENGTH)}`, '8'],
  ['digits behind an exponent', `7e${'9'.repeat(LENGTH)}`, '0'],
])('64 KiB of %s are read within 100 ms', (_name, text, id) => {
  const started = performance.now()
  expect(castToInt(text)).toBe(id)
  isNumeric(text)
  numberIn(text)
  trimmed?.(text)
  expect(performance.now() - started).toBeLessThan(100)
})
