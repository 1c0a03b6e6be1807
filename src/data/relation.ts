// A relation is declared once, field by field. SELECT lists, rows, CSV and JSON Lines, tables, and the checks
// of what an old service answers come from the declaration.

import { shorten } from '../text.ts'
import type { Cell, Kind } from './fields.ts'

/** A field as `users.ts` and `apps.ts` declare it, by the name that files and GraphQL have for it. */
export interface Field<Value> extends Kind<Value> {
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
export interface Derived {
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

/** Characters of a refused cell that the complaint shows. */
const MAX_SHOWN_LENGTH = 60

/**
 * Reads one record.
 * @param texts one for each column, in order; `null` where the record has none
 * @returns the cells in the order of the columns, or a complaint
 */
export function readRecord(relation: Relation, texts: readonly (string | null)[]): Cell[] | string {
  const cells: Cell[] = []
  for (let index = 0; index < relation.columns.length; index++) {
    const column = relation.columns[index]
    if (column === undefined) break
    const text = texts[index] ?? null
    if (column.optional && (text === null || text === '')) {
      cells.push(null)
      continue
    }
    if (text === null) return `${column.name} is missing`
    const cell = column.parse(text)
    if (cell === undefined)
      return `${column.name} cannot be ${JSON.stringify(shorten(text, MAX_SHOWN_LENGTH))}: it must be ${column.allowed}`
    cells.push(cell)
  }
  return relation.check?.(cells) ?? cells
}
