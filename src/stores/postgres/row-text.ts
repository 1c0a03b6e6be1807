// Rows as text, a line for each, as COPY reads them.

import type { Cell } from '../../data/fields.ts'

/** @returns the line of a row, with its end */
export function writeRow(cells: readonly Cell[]): string {
  let line = ''
  let separator = ''
  for (const cell of cells) {
    line += `${separator}${writeCell(cell)}`
    separator = '\t'
  }
  return `${line}\n`
}

function writeCell(cell: Cell): string | number {
  if (cell === null) return '\\N'
  if (typeof cell === 'number' || !special.test(cell)) return cell
  return cell.replace(specials, (character) => escapes[character] ?? '')
}

const special = /[\\\t\n\r]/
const specials = new RegExp(special, 'g')
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
