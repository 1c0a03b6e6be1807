// Casts, is_numeric and trim, against PHP itself.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listReader } from '../../../../src/gateway/legacy/habits/list.ts'
import { castToInt, isNumeric } from '../../../../src/gateway/legacy/habits/php-numbers.ts'
import { hasProgram } from '../../../support/programs.ts'
import { chooseSeed } from '../../../support/seed.ts'
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

describe.skipIf(!hasProgram('php'))('as PHP', () => {
  test('texts are cast, taken for numbers, and trimmed', () => {
    const seed = chooseSeed('habits/php-numbers.test.ts')
    const generated = fc.sample(fc.oneof(made, fc.double().map(String)), { seed, numRuns: 5000 })
    const texts = [...few, ...edges, ...large, ...long, ...blanks, ...others, ...generated]
    const read: [string, boolean, string][] = JSON.parse(runPhp('numbers.php', [], JSON.stringify(texts)))
    expect(texts.map((text) => [text, castToInt(text), isNumeric(text), trimmed?.(text)])).toEqual(
      texts.map((text, at) => [text, ...(read[at] ?? [])]),
    )
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
  trimmed?.(text)
  expect(performance.now() - started).toBeLessThan(100)
})
