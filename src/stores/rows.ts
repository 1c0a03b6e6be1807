// What rows mean, in the order in which every store selects their columns.

import type { App } from '../data/apps.ts'
import { answeredColumns, type Column, type Relation } from '../data/relation.ts'
import { relations } from '../data/relations.ts'
import type { User } from '../data/users.ts'
import { LookupError } from '../errors.ts'
import type { Observe } from '../observe/events.ts'

/** A row as an array of columns. */
type Row = Readonly<Record<number, unknown>>

/** What a refused row is answered with. Made once: a list may have a thousand. */
const refusal = new LookupError('Internal')

/** Reports a row with a value that no response can carry. @returns the error that stands for the row */
function refuse(observe: Observe, { name }: Relation, id: unknown, { sql }: Column): LookupError {
  observe({ type: 'rows-refused', relation: name, id: String(id), column: sql, count: 1 })
  return refusal
}

export interface RowReaders {
  readonly toUser: (row: Row) => User | LookupError
  readonly toApp: (row: Row) => App | LookupError
}

/** Readers of rows as a database has them. */
export function createRowReaders(observe: Observe): RowReaders {
  const readerOf = <Found>(relation: Relation): ((row: Row) => Found | LookupError) =>
    compile(answeredColumns(relation), (row, column) => refuse(observe, relation, row[0], column))
  return { toUser: readerOf<User>(relations.users), toApp: readerOf<App>(relations.apps) }
}

export interface RowChecks {
  readonly checkUser: (user: User) => User | LookupError
  readonly checkApp: (app: App) => App | LookupError
}

/** Checks of rows that do not come from a database. */
export function createRowChecks(observe: Observe): RowChecks {
  const checkOf = <Found extends { readonly id: number }>(relation: Relation) => {
    const columns = answeredColumns(relation)
    return (row: Found & Readonly<Record<string, unknown>>): Found | LookupError => {
      const column = columns.find(({ name, read }) => read(row[name]) === undefined)
      return column === undefined ? row : refuse(observe, relation, row.id, column)
    }
  }
  return { checkUser: checkOf<User>(relations.users), checkApp: checkOf<App>(relations.apps) }
}

/**
 * Compiles `row => ({ id: read(row[0]), … })` for a relation's columns: a loop over them is five times as
 * slow, and a row is read for every value of every lookup. Nothing but the names of declared fields gets into
 * the code.
 */
function compile<Found>(
  columns: readonly Column[],
  refuse: (row: Row, column: Column) => LookupError,
): (row: Row) => Found | LookupError {
  const values = columns.map((_, index) => {
    const value = `value${index}`
    return `const ${value} = read${index}(row[${index}]); if (${value} === undefined) return refuse(row, columns[${index}]);`
  })
  const object = columns.map(({ name }, index) => `${name}: value${index}`).join()
  const reads = columns.map((_, index) => `read${index} = columns[${index}].read`).join()
  return new Function(
    'columns',
    'refuse',
    `const ${reads}; return (row) => { ${values.join(' ')} return { ${object} } }`,
  )(columns, refuse)
}

/** What a store selects of a relation. */
export function selectList(relation: Relation): string {
  return answeredColumns(relation)
    .map(({ sql }) => sql)
    .join(', ')
}
