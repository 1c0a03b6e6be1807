// What PHP makes of texts, as lines of numbers.jsonl: a long text has its characters with their counts.

import { readFileSync } from 'node:fs'

/** `[['1', 3]]` is 111. */
type Text = string | readonly (readonly [character: string, count: number])[]

interface Line {
  readonly text: Text
  /** The cast to int. */
  readonly int: Text
  readonly isNumeric: boolean
  readonly trimmed: Text
  /** What json_encode writes with JSON_NUMERIC_CHECK. */
  readonly json: Text
}

export interface NumberRow extends Pick<Line, 'isNumeric'> {
  readonly text: string
  readonly int: string
  readonly trimmed: string
  readonly json: string
}

const toText = (text: Text) =>
  typeof text === 'string' ? text : text.map(([one, count]) => one.repeat(count)).join('')

const fromText = (text: string): Text =>
  text.length < 60
    ? text
    : [...text.matchAll(/(.)\1*/gs)].map(([run, one = '']) => [one, run.length] as const)

export const numberFile = new URL('../numbers.jsonl', import.meta.url).pathname
export const numberRows: readonly NumberRow[] = readFileSync(numberFile, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): Line => JSON.parse(line))
  .map(({ text, int, isNumeric, trimmed, json }) => ({
    text: toText(text),
    int: toText(int),
    isNumeric,
    trimmed: toText(trimmed),
    json: toText(json),
  }))

export function toLine({ text, int, isNumeric, trimmed, json }: NumberRow): string {
  const line: Line = {
    text: fromText(text),
    int: fromText(int),
    isNumeric,
    trimmed: fromText(trimmed),
    json: fromText(json),
  }
  return `${JSON.stringify(line)}\n`
}
