import { shorten, visible } from '../text.ts'

/** Rows in columns, for a terminal. Numbers go to the right. */
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
      .join('  ')
      .trimEnd(),
  )
}

const lengthOf = (text = '') => [...text].length

/** In one line, and no longer than so many characters. */
export function cut(text: string, length: number): string {
  return shorten(visible(text.replace(/\s+/g, ' ')), length - 1)
}
