// PHP makes of texts what numbers.jsonl records (vitest -u writes the file anew); gateways read generated
// texts as PHP does.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs, seedOf } from '../kit/generate.ts'
import { numberSuite } from './support/number-suite.ts'
import { type NumberRow, numberFile, numberRows, toLine } from './support/numbers.ts'
import { runPhp } from './support/programs.ts'

function askPhp(texts: readonly string[]): NumberRow[] {
  const read: [string, boolean, string, string][] = JSON.parse(
    runPhp('numbers.php', [], JSON.stringify(texts)),
  )
  return texts.map((text, at) => {
    const [int = '', isNumeric = false, trimmed = '', json = ''] = read[at] ?? []
    return { text, int, isNumeric, trimmed, json }
  })
}

test('the recorded results are those of PHP', async () => {
  const rows = askPhp(numberRows.map(({ text }) => text))
  await expect(rows.map(toLine).join('')).toMatchFileSnapshot(numberFile)
})

const part = fc.constantFrom(
  ...['0', '1', '9', '42', '9223372036854775807', '+', '-', '.', 'e', 'E', ' ', '\n', '\f', 'x'],
)
const digits = fc.stringMatching(/^(?:0{0,3}[0-9]{0,20}|[0-9]{17,19}|922337203685477580[0-9])$/)
/** With a sign, blanks, a point and an exponent, or without. */
const number = fc
  .tuple(
    fc.constantFrom('', '', '-', '+', ' ', '\t-'),
    digits,
    fc.option(
      digits.map((text) => `.${text}`),
      { nil: '' },
    ),
    fc.option(
      fc.integer({ min: -330, max: 330 }).map((exponent) => `e${exponent}`),
      { nil: '' },
    ),
    fc.constantFrom('', '', '', ' ', '\n', 'x'),
  )
  .map((parts) => parts.join(''))
const made = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))
const texts = fc.oneof(made, number, fc.double().map(String)).filter((text) => text !== '')

numberSuite(() => {
  const seed = seedOf('legacy/numbers')
  return askPhp(fc.sample(texts, { seed, numRuns: runs(400, 5_000) }))
})
