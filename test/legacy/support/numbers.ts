// What PHP makes of texts, as lines of numbers.jsonl.

import { readFileSync } from 'node:fs'

export interface NumberRow {
  readonly text: string
  /** The cast to int. */
  readonly int: string
  readonly isNumeric: boolean
  readonly trimmed: string
  /** What json_encode writes with JSON_NUMERIC_CHECK. */
  readonly json: string
}

export const numberFile = new URL('../numbers.jsonl', import.meta.url).pathname
export const numberRows: readonly NumberRow[] = readFileSync(numberFile, 'utf8')
  .trimEnd()
  .split('\n')
  // A long run of one character is written as {1*400}.
  .map((line) => JSON.parse(line.replace(/\{(.)\*(\d+)\}/g, (_, one, count) => one.repeat(count))))

export const toLine = (row: NumberRow): string =>
  `${JSON.stringify(row).replace(/(.)\1{39,}/g, (run, one) => `{${one}*${run.length}}`)}\n`
