// Reads a record of a file. The complaint about a record names every cell that is not allowed.

import { count, shorten } from '../../text.ts'
import type { Cell } from '../fields.ts'
import type { Relation, StoreColumn } from '../relation.ts'

/** A record of a file, valid or not. */
export interface FileRecord {
  /** Number of its first line, from 1. */
  readonly line: number
  /** The cells in the order of the relation's columns, or a complaint. */
  readonly cells: readonly Cell[] | string
  /** The record as the file has it, for the file of rejects. */
  readonly source: unknown
}

/** Characters of a value or of a name that a complaint shows. */
const MAX_SHOWN_LENGTH = 60
/** Unknown names that a complaint shows: a line may have thousands. */
const MAX_SHOWN_NAMES = 8

/**
 * @param values one for each column, in order, as JSON has them; a cell of CSV is a string
 * @param written the same values as the file has them, for a complaint
 * @returns the cells, or a complaint, which begins with the name of a column
 */
export function readRecord(
  relation: Relation,
  values: readonly unknown[],
  written: () => readonly unknown[] = () => values,
): Cell[] | string {
  const cells: Cell[] = []
  for (const column of relation.columns) {
    const cell = readCell(column, values[cells.length])
    if (cell === undefined) return describeBad(relation, values, written())
    cells.push(cell)
  }
  return relation.check?.(cells) ?? cells
}

/** @returns undefined if the value is not allowed */
function readCell({ type, optional, parse }: StoreColumn, value: unknown): Cell | undefined {
  if (optional && (value === undefined || value === null || value === '')) return null
  if (typeof value === 'string') return parse(value)
  const isFitting = typeof value === 'number' ? type !== 'string' : typeof value === type
  return isFitting ? parse(String(value)) : undefined
}

function describeBad({ columns }: Relation, values: readonly unknown[], written: readonly unknown[]): string {
  const complaints = columns.flatMap((column, index) => {
    const value = values[index]
    if (readCell(column, value) !== undefined) return []
    const { name, type, allowed, maxLength = Number.POSITIVE_INFINITY } = column
    if (value === undefined || value === null) return [`${name} is missing`]
    if (typeof value === 'string' && value.length > maxLength)
      return [`${name} has ${count(value.length)} characters: shorten it to ${count(maxLength)} or fewer`]
    const kind = type === 'string' && typeof value !== 'string' ? 'a JSON string: ' : ''
    return [`${name} cannot be ${show(written[index])}: it must be ${kind}${allowed}`]
  })
  return complaints.join('; ')
}

function show(value: unknown): string {
  return typeof value === 'string'
    ? JSON.stringify(shorten(value, MAX_SHOWN_LENGTH))
    : shorten(JSON.stringify(value), MAX_SHOWN_LENGTH)
}

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

/** A sentence about names that are not columns, without a full stop. */
export function describeUnknown(names: readonly string[]): string {
  const shown = names.slice(0, MAX_SHOWN_NAMES).map(show).join(', ')
  const more = names.length - MAX_SHOWN_NAMES
  if (names.length === 1) return `there is no column ${shown}`
  return `there are no columns ${shown}${more > 0 ? ` and ${count(more)} more` : ''}`
}
