// A relation is declared once, field by field, in users.ts and apps.ts. SELECT lists, rows, files, tables and
// the checks of an old service's responses are derived from the declaration.

import type { Cell, FieldKind } from './fields.ts'

/** A field by its name in files and GraphQL. */
interface RelationField<Value> extends FieldKind<Value> {
  /** Its column in a store. */
  readonly sql: string
  /** A file may leave the field out, or have it empty or null. */
  readonly optional?: true
  /** No response has the field: users are only looked up by it. */
  readonly hidden?: true
}

export interface StoreColumn extends RelationField<unknown> {
  readonly name: string
}

/** The row of a response. */
export type RowOf<Fields> = {
  readonly [Name in keyof Fields as Fields[Name] extends { readonly hidden: true }
    ? never
    : Name]: Fields[Name] extends RelationField<infer Value> ? Value : never
}

/** Reads the columns of a response, in the order of `responseColumns`. */
export type ReadRow<Row> = (columns: Readonly<Record<number, unknown>>) => {
  readonly [Name in keyof Row]: Row[Name] | undefined
}

export interface Relation {
  readonly name: 'users' | 'apps'
  readonly columns: readonly StoreColumn[]
  /** A column that a store has beside those of a file, made from the column with the index `from`. */
  readonly derived?: {
    readonly sql: string
    readonly from: number
    readonly make: (cell: string) => string
  }
  /** Checks several columns at once. Returns a complaint, or null. */
  readonly check?: (cells: readonly Cell[]) => string | null
  /** The unique columns of a store, with the complaint about a value that another row has. */
  readonly taken: Readonly<Record<string, string>>
}

export function defineRelation(
  name: Relation['name'],
  fields: Readonly<Record<string, RelationField<unknown>>>,
  rules: Omit<Relation, 'name' | 'columns'>,
): Relation {
  const columns = Object.entries(fields).map(([fieldName, field]) => ({ name: fieldName, ...field }))
  return { ...rules, name, columns }
}

/** The columns of a response, in the order in which every store selects them. */
export function responseColumns({ columns }: Relation): readonly StoreColumn[] {
  return columns.filter(({ hidden }) => hidden !== true)
}

/** The columns of a store: the columns of a file, and the derived column. */
export function storedColumns({ columns, derived }: Relation): readonly Pick<StoreColumn, 'sql' | 'type'>[] {
  return derived === undefined ? columns : [...columns, { sql: derived.sql, type: 'string' }]
}
