// What an import file may hold, column by column. Each relation is one declaration; reading CSV or JSON Lines,
// the reports of bad rows, the import and the export all come from it.

/** A cell as the stores keep it; booleans are 0 or 1. */
export type Cell = string | number | null

export interface Column {
  /** The name in files: that of the GraphQL field. */
  readonly name: string
  /** The name in the store's relation. */
  readonly sql: string
  /** How JSON writes it. */
  readonly type: 'integer' | 'string' | 'boolean'
  /** Whether it may be absent, empty or null. */
  readonly optional?: true
  readonly allowed: string
  /** Reads the text; `undefined` where it is not allowed. */
  readonly parse: (text: string) => Cell | undefined
}

export interface Relation {
  readonly name: 'users' | 'apps'
  readonly columns: readonly Column[]
  /** A column the store keeps beside those of the file. */
  readonly derived?: { readonly sql: string; readonly from: number; readonly make: (cell: string) => string }
  /** What no single column can tell: a complaint, or `null`. */
  readonly check?: (cells: readonly Cell[]) => string | null
  /** Complaints about a value that another row has already, by the store's column. */
  readonly taken: Readonly<Record<string, string>>
}

/** The columns that a store keeps: those of the file, and the derived one. */
export function storedColumns({ columns, derived }: Relation): readonly Pick<Column, 'sql' | 'type'>[] {
  return derived === undefined ? columns : [...columns, { sql: derived.sql, type: 'string' }]
}

/** The cells that a store keeps of a record: its own, and the derived one. */
export function storedCells({ derived }: Relation, cells: readonly Cell[]): readonly Cell[] {
  return derived === undefined ? cells : [...cells, derived.make(String(cells[derived.from]))]
}

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
    if (cell === undefined) return `${column.name} cannot be ${excerpt(text)}: it must be ${column.allowed}`
    cells.push(cell)
  }
  return relation.check?.(cells) ?? cells
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text)
}
