// Prints tables on a terminal.

import { shorten, visible } from '../text.ts'

/** Aligns rows in columns. Columns of numbers are aligned to the right. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const shown = rows.map((row) => row.map(visible))
  const columns = shown[0]?.map((_, column) => column) ?? []
  const widths = columns.map((column) => Math.max(...shown.map((row) => lengthOf(row[column]))))
  const numeric = columns.map((column) =>
    shown.slice(1).every((row) => /^[<\d][\d,.% <]*$|^$/.test(row[column] ?? '')),
  )
  return shown.map((row) =>
    row
      .map((cell, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - lengthOf(cell))
        return numeric[column] ? space + cell : cell + space
      })
      .join(' '.repeat(COLUMN_GAP))
      .trimEnd(),
  )
}

/**
 * Aligns rows in columns within a width: cells of the widest columns are cut, and end in `…`.
 * @param flexible the positions of the columns that may be cut
 */
export function tableWithin(
  width: number,
  rows: readonly (readonly string[])[],
  flexible: readonly number[],
): string[] {
  const [title = []] = rows
  const widths = title.map((_, column) => Math.max(...rows.map((row) => lengthOf(row[column]))))
  const spare = (column: number) => (widths[column] ?? 0) - Math.max(MIN_CUT_WIDTH, lengthOf(title[column]))
  const isWide = () => widths.reduce((sum, each) => sum + each + COLUMN_GAP, -COLUMN_GAP) > width
  while (isWide()) {
    const [widest] = flexible.filter((column) => spare(column) > 0).toSorted((a, b) => spare(b) - spare(a))
    if (widest === undefined) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  const fit = (cell: string, column: number) =>
    lengthOf(cell) > (widths[column] ?? 0) ? cut(cell, widths[column] ?? 0) : cell
  return table(rows.map((row) => row.map(fit)))
}

/** Characters between two columns, and the least width of a cut column. */
const COLUMN_GAP = 2
const MIN_CUT_WIDTH = 8

const lengthOf = (text = '') => [...text].length

/** Shortens a text to one line of so many characters. */
export function cut(text: string, length: number): string {
  return shorten(visible(text.replace(/\s+/g, ' ')), length - 1)
}
