// A relation is declared once, field by field. SELECT lists, rows, CSV and JSON Lines, tables, and the checks
// of what an old service answers come from the declaration.

import { nearest } from '../spelling.ts'
import { count, shorten } from '../text.ts'
import type { Cell, Kind } from './fields.ts'

/** A field as `users.ts` and `apps.ts` declare it, by the name that files and GraphQL have for it. */
interface Field<Value> extends Kind<Value> {
  /** The column of a store. */
  readonly sql: string
  /** For a comment in the tables, and the documentation. */
  readonly description: string
  /** Whether it may be absent, empty or null. */
  readonly optional?: true
  /** Whether no answer has it: it is only looked up by. */
  readonly hidden?: true
}

export interface Column extends Field<unknown> {
  readonly name: string
}

/** What an answer says of a row. */
export type Answered<Fields> = {
  readonly [Name in keyof Fields as Fields[Name] extends { readonly hidden: true }
    ? never
    : Name]: Fields[Name] extends Field<infer Value> ? Value : never
}

/** A column that a store keeps beside those of the file. */
interface Derived {
  readonly sql: string
  readonly description: string
  /** The index of the column that it is made from. */
  readonly from: number
  readonly make: (cell: string) => string
}

interface Rules {
  readonly derived?: Derived
  /** What no single column can tell: a complaint, or `null`. */
  readonly check?: (cells: readonly Cell[]) => string | null
  /**
   * Complaints about a value that another row has already, by the store's column: these columns are unique.
   */
  readonly taken: Readonly<Record<string, string>>
}

export interface Relation extends Rules {
  readonly name: 'users' | 'apps'
  readonly columns: readonly Column[]
}

export function defineRelation(
  name: Relation['name'],
  fields: Readonly<Record<string, Field<unknown>>>,
  rules: Rules,
): Relation {
  return {
    ...rules,
    name,
    columns: Object.entries(fields).map(([fieldName, field]) => ({ name: fieldName, ...field })),
  }
}

/** The columns of an answer, in the order in which every store selects them. */
export function answeredColumns({ columns }: Relation): readonly Column[] {
  return columns.filter(({ hidden }) => hidden !== true)
}

/** The columns that a store keeps: those of the file, and the derived one. */
export function storedColumns({ columns, derived }: Relation): readonly Pick<Column, 'sql' | 'type'>[] {
  return derived === undefined ? columns : [...columns, { sql: derived.sql, type: 'string' }]
}

/** The cells that a store keeps of a record: its own, and the derived one. */
export function storedCells({ derived }: Relation, cells: readonly Cell[]): readonly Cell[] {
  return derived === undefined ? cells : [...cells, derived.make(String(cells[derived.from]))]
}

/** Characters of a refused cell, or of an unknown column, that a complaint shows. */
const MAX_SHOWN_LENGTH = 60

/**
 * Reads one record.
 * @param texts one for each column, in order; `null` where the record has none
 * @returns the cells in the order of the columns, or a complaint about all that are not allowed
 */
export function readRecord(relation: Relation, texts: readonly (string | null)[]): Cell[] | string {
  const cells: Cell[] = []
  let isBad = false
  for (let index = 0; index < relation.columns.length; index++) {
    const column = relation.columns[index]
    if (column === undefined) break
    const cell = readCell(column, texts[index] ?? null)
    if (cell === undefined) isBad = true
    else cells.push(cell)
  }
  if (!isBad) return relation.check?.(cells) ?? cells
  return describeBad(relation, (column, index) => complaintAbout(column, texts[index] ?? null))
}

/**
 * All that is wrong with the cells of a record.
 * @param complain what is wrong with one; `null` for nothing
 */
export function describeBad(
  { columns }: Relation,
  complain: (column: Column, index: number) => string | null,
): string {
  const missing: string[] = []
  const complaints: string[] = []
  for (const [index, column] of columns.entries()) {
    const complaint = complain(column, index)
    if (complaint === MISSING) missing.push(column.name)
    else if (complaint !== null) complaints.push(complaint)
  }
  const [only, ...more] = missing
  if (only !== undefined)
    complaints.push(more.length === 0 ? `${only} is missing` : `${missing.join(', ')} are missing`)
  return complaints.join('; ')
}

const MISSING = 'missing'

/** @returns `undefined` where the text is not allowed */
function readCell(column: Column, text: string | null): Cell | undefined {
  if (column.optional && (text === null || text === '')) return null
  return text === null ? undefined : column.parse(text)
}

/** @returns what is wrong with a cell; `null` for nothing */
export function complaintAbout(column: Column, text: string | null): string | null {
  if (readCell(column, text) !== undefined) return null
  if (text === null) return MISSING
  const { name, maxLength = Number.POSITIVE_INFINITY } = column
  if (text.length > maxLength)
    return `${name} has ${count(text.length)} characters: shorten it to ${count(maxLength)} or fewer`
  const shown = JSON.stringify(shorten(text, MAX_SHOWN_LENGTH))
  return `${name} cannot be ${shown}: it must be ${column.allowed}`
}

/** The column that was probably meant; `null` for none. */
export function columnMeantBy(name: string, { columns }: Relation): string | null {
  return nearest(
    name,
    columns.map((column) => column.name),
  )
}

/** How many unknown names are listed: one line may have many thousands. */
const LISTED_NAMES = 8

/**
 * What is wrong with names that no column has, as a sentence; without a full stop unless it suggests
 * something.
 */
export function describeUnknown(names: readonly string[], relation: Relation): string {
  const listed = names.slice(0, LISTED_NAMES).map((name) => ({
    shown: JSON.stringify(shorten(name, MAX_SHOWN_LENGTH)),
    meant: columnMeantBy(name, relation),
  }))
  const [only] = listed
  if (only !== undefined && names.length === 1)
    return `there is no column ${only.shown}${only.meant === null ? '' : `. Did you mean ${only.meant}?`}`
  const all = listed.map(({ shown, meant }) => (meant === null ? shown : `${shown} (did you mean ${meant}?)`))
  const more = names.length - listed.length
  return `there are no columns ${all.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`
}
