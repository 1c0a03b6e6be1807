// Logs that are JSON, but not one object a line: arrays of rows, and rows of several lines.

import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, OPEN_LIST, OPEN_OBJECT, QUOTE } from '../../json.ts'
import { MAX_LINE_LENGTH } from './request.ts'

const NEWLINE = 0x0a
const SPACE = 0x20
const COMMA = 0x2c

/** Names that clouds give to the list of rows of an export. */
const containers = 'records|events|logevents|logs|log|entries|rows|items|data|results|hits|values?'

type RowLayout = 'array' | 'container'

/**
 * @param sample the beginning of a log
 * @returns `array` for `[{},{}]` and for objects of several lines, `container` for `{"records":[{},{}]}`;
 * null for a log of lines
 */
export function rowLayoutOf(sample: string): RowLayout | null {
  if (new RegExp(String.raw`^\s*\{\s*"(?:${containers})"\s*:\s*\[`, 'i').test(sample)) return 'container'
  return /^\s*(?:\[\s*(?:\{|$)|\{\s*(?:\n|$))/.test(sample) ? 'array' : null
}

/**
 * Yields the objects of JSON, and lines of other text between them. If one is longer than MAX_LINE_LENGTH, it
 * is cut, but it stays longer.
 * @returns whether the last object was whole
 */
export async function* rowsOf(
  texts: AsyncIterable<string>,
  layout: RowLayout,
): AsyncGenerator<string[], boolean> {
  /** The state of the scanner; `between` are brackets, commas and white space. */
  let state: 'between' | 'row' | 'line' = 'between'
  let begun = ''
  let depth = 0
  let isContained = false
  let isQuoted = false
  let isEscaped = false
  for await (const text of texts) {
    const rows: string[] = []
    let from = 0
    const add = (to: number) => {
      if (begun.length <= MAX_LINE_LENGTH)
        begun = (begun + text.slice(from, to)).slice(0, MAX_LINE_LENGTH + 1)
    }
    const end = (to: number) => {
      add(to)
      rows.push(begun)
      begun = ''
      state = 'between'
    }
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === NEWLINE && (isQuoted || state === 'line')) {
        // No text of JSON has a line break: a row that has one is broken, and the next begins on a new line.
        if (state !== 'between') end(at)
        isQuoted = false
        isEscaped = false
      } else if (state === 'line') continue
      else if (isQuoted) {
        if (isEscaped) isEscaped = false
        else if (code === BACKSLASH) isEscaped = true
        else isQuoted = code !== QUOTE
      } else if (state === 'row') {
        if (code === QUOTE) isQuoted = true
        else if (code === OPEN_OBJECT || code === OPEN_LIST) depth++
        else if ((code === CLOSE_OBJECT || code === CLOSE_LIST) && --depth === 0) end(at + 1)
      } else if (code === OPEN_OBJECT) {
        if (layout === 'container' && !isContained) isContained = true
        else {
          state = 'row'
          depth = 1
          from = at
        }
      } else if (code === CLOSE_OBJECT) isContained = false
      else if (isContained) isQuoted = code === QUOTE
      else if (code > SPACE && code !== COMMA && code !== OPEN_LIST && code !== CLOSE_LIST) {
        state = 'line'
        from = at
      }
    }
    if (state !== 'between') add(text.length)
    yield rows
  }
  if (begun !== '') yield [begun]
  return state !== 'row'
}
