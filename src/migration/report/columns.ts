// Columns of the tables of a report.

export interface Column {
  readonly title: string
  /**
   * `time` is ISO 8601. The others say how a browser lays out the cells: see `Column` of `pages/table.ts`.
   */
  readonly kind: 'text' | 'number' | 'time' | 'word' | 'name' | 'long'
  readonly isPageOnly?: true
}

const columnOf =
  (kind: Column['kind']) =>
  (title: string): Column => ({ title, kind })
/** Columns by their titles. */
export const text = columnOf('text')
export const number = columnOf('number')
export const time = columnOf('time')
export const word = columnOf('word')
export const name = columnOf('name')
export const long = columnOf('long')
export const onPage = (column: Column): Column => ({ ...column, isPageOnly: true })
