// PHP makes of texts what numbers.jsonl records (vitest -u writes the file anew); gateways read generated
// texts as PHP does.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs, seedOf } from '../kit/generate.ts'
import { type NumberRow, numberFile, numberRows, numberSuite } from './support/number-suite.ts'
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

const toRun = (run: string, one: string) => `{${one}*${run.length}}`

test('the recorded results are those of PHP', async () => {
  const rows = askPhp(numberRows.map(({ text }) => text))
  const lines = rows.map((row) => `${JSON.stringify(row).replace(/(.)\1{39,}/g, toRun)}\n`)
  await expect(lines.join('')).toMatchFileSnapshot(numberFile)
})

const part = fc.constantFrom(...'0 1 9 42 9223372036854775807 + - . e E x'.split(' '), ' ', '\n', '\f')
/** With a sign, blanks, a point and an exponent, or without. */
const number = fc.stringMatching(
  /^[ \t]?[-+]?(?:0{0,3}\d{0,20}|\d{17,19}|922337203685477580\d)(?:\.\d{0,20})?(?:e-?[1-3]?\d{0,2})?[ \nx]?$/,
)
const made = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))
const texts = fc.oneof(made, number, fc.double().map(String)).filter((text) => text !== '')

numberSuite(() => {
  const seed = seedOf('legacy/numbers')
  return askPhp(fc.sample(texts, { seed, numRuns: runs(400, 5_000) }))
})
