// Reads a record of a file. The complaint about a record names every cell that is not allowed.

import { nearest } from '../../spelling.ts'
import { count, shorten } from '../../text.ts'
import type { Cell } from '../fields.ts'
import type { Relation, StoreColumn } from '../relation.ts'

/** Characters of a cell or of a name that a complaint shows. */
const MAX_SHOWN_LENGTH = 60
/** Unknown names that a complaint shows: a line may have thousands. */
const MAX_SHOWN_NAMES = 8

/**
 * @param texts one for each column, in order; null if the record does not have the column
 * @returns the cells in the order of the columns, or a complaint
 */
export function readRecord(relation: Relation, texts: readonly (string | null)[]): Cell[] | string {
  const cells: Cell[] = []
  for (const column of relation.columns) {
    const cell = readCell(column, texts[cells.length] ?? null)
    if (cell === undefined) return describeBad(relation, (bad, at) => complaintAbout(bad, texts[at] ?? null))
    cells.push(cell)
  }
  return relation.check?.(cells) ?? cells
}

/** @returns undefined if the text is not allowed */
function readCell(column: StoreColumn, text: string | null): Cell | undefined {
  if (column.optional && (text === null || text === '')) return null
  return text === null ? undefined : column.parse(text)
}

/**
 * Joins the complaints about a record; the missing columns come last.
 * @param complain returns what is wrong with a cell, or null
 */
export function describeBad(
  { columns }: Relation,
  complain: (column: StoreColumn, index: number) => string | null,
): string {
  const complaints = columns.map(complain)
  const missing = columns.filter((_, index) => complaints[index] === MISSING).map(({ name }) => name)
  const parts = complaints.filter((complaint) => complaint !== null && complaint !== MISSING)
  if (missing.length > 0) parts.push(`${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`)
  return parts.join('; ')
}

const MISSING = 'missing'

/**
 * @param shown the text as the file has it, if the text was read from something else
 * @returns what is wrong with a cell, or null
 */
export function complaintAbout(column: StoreColumn, text: string | null, shown = text): string | null {
  if (readCell(column, text) !== undefined) return null
  if (text === null || shown === null) return MISSING
  const { name, allowed, maxLength = Number.POSITIVE_INFINITY } = column
  if (text.length > maxLength)
    return `${name} has ${count(text.length)} characters: shorten it to ${count(maxLength)} or fewer`
  return `${name} cannot be ${quoted(shown)}: it must be ${allowed}`
}

const quoted = (text: string) => JSON.stringify(shorten(text, MAX_SHOWN_LENGTH))

/** The index of the column that a name in a file means. */
export type FindColumn = (name: string) => number | 'ignored' | 'unknown'

/** A name in the one spelling that names are compared in: `user_name` and `Username` are `username`. */
const plain = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '')

/** @param ignored the names that the operator wants to ignore; `true` for all unknown names */
export function columnFinder({ columns }: Relation, ignored: readonly string[] | true = []): FindColumn {
  const known = new Map<string, number | 'ignored'>(columns.map(({ name }, index) => [plain(name), index]))
  if (ignored !== true) for (const name of ignored) known.set(plain(name), 'ignored')
  // Nearly all names of JSON Lines are spelt as the columns are.
  const exact = new Map(columns.map(({ name }) => [name, known.get(plain(name))]))
  return (name) => exact.get(name) ?? known.get(plain(name)) ?? (ignored === true ? 'ignored' : 'unknown')
}

/** The column that was probably meant, or null. */
export function columnMeantBy(name: string, { columns }: Relation): string | null {
  return nearest(
    name,
    columns.map((column) => column.name),
  )
}

/** A sentence about names that are not columns. It ends in a question mark, or without a full stop. */
export function describeUnknown(names: readonly string[], relation: Relation): string {
  const [only = ''] = names
  if (names.length === 1) {
    const meant = columnMeantBy(only, relation)
    return `there is no column ${quoted(only)}${meant === null ? '' : `. Did you mean ${meant}?`}`
  }
  const shown = names.slice(0, MAX_SHOWN_NAMES).map((name) => {
    const meant = columnMeantBy(name, relation)
    return meant === null ? quoted(name) : `${quoted(name)} (did you mean ${meant}?)`
  })
  const more = names.length - shown.length
  return `there are no columns ${shown.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`
}
