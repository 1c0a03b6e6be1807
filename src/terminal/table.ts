// Prints tables on a terminal.

import { shorten, visible } from '../text.ts'

/** Characters between two columns, and the least width of a cut column. */
const COLUMN_GAP = 2
const MIN_CUT_WIDTH = 8

/**
 * Aligns rows in columns, numbers to the right. Within a width, cells of the widest columns are cut, and end
 * in `…`.
 * @param flexible the positions of the columns that may be cut
 */
export function table(
  rows: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
  flexible: readonly number[] = [],
): string[] {
  const lines = rows.map((row) => row.map(visible))
  const [title = [], ...body] = lines
  const widths = title.map((_, column) => Math.max(...lines.map((row) => lengthOf(row[column]))))
  const isNumeric = title.map((_, column) =>
    body.every((row) => /^[<\d][\d,.% <]*$|^$/.test(row[column] ?? '')),
  )
  const spare = (column: number) => (widths[column] ?? 0) - Math.max(MIN_CUT_WIDTH, lengthOf(title[column]))
  while (widths.reduce((sum, each) => sum + each + COLUMN_GAP, -COLUMN_GAP) > width) {
    const [widest] = flexible.filter((column) => spare(column) > 0).toSorted((a, b) => spare(b) - spare(a))
    if (widest === undefined) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  const fit = (cell: string, column: number) => {
    const most = widths[column] ?? 0
    const shown = lengthOf(cell) > most ? cut(cell, most) : cell
    const space = ' '.repeat(most - lengthOf(shown))
    return isNumeric[column] ? space + shown : shown + space
  }
  return lines.map((row) => row.map(fit).join(' '.repeat(COLUMN_GAP)).trimEnd())
}

const lengthOf = (text = '') => [...text].length

/** Shortens a text to one line of so many characters. */
export function cut(text: string, length: number): string {
  return shorten(visible(text.replace(/\s+/g, ' ')), length - 1)
}
