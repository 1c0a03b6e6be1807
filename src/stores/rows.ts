// Rows of every store: the columns in the order in which all stores select them, and a report about each row
// that has a value no response can carry.

import { type App, readApp } from '../data/apps.ts'
import { type ReadRow, type Relation, responseColumns } from '../data/relation.ts'
import { relations } from '../data/relations.ts'
import { readUser, type User } from '../data/users.ts'
import { LookupError } from '../errors.ts'
import type { Observe } from '../observe/events.ts'

/** A row as an array of columns. */
type RowArray = Readonly<Record<number, unknown>>

/** The item of a refused row. Made once: a list may have a thousand. */
const refusal = new LookupError('Internal')

/** Reports a refused row. @returns the error that stands for the row */
function refuse(observe: Observe, relation: Relation, id: unknown, field: string | undefined): LookupError {
  const column = responseColumns(relation).find(({ name }) => name === field)?.sql ?? ''
  observe({ type: 'rows-refused', relation: relation.name, id: String(id), column, count: 1 })
  return refusal
}

export type RowReaders = ReturnType<typeof createRowReaders>

/** Readers of rows as a database has them. */
export function createRowReaders(observe: Observe) {
  const readerOf =
    <Found extends object>(relation: Relation, read: ReadRow<Found>) =>
    (row: RowArray): Found | LookupError => {
      const values = read(row)
      if (isWhole(values)) return values
      const [field] = Object.entries(values).find(([, value]) => value === undefined) ?? []
      return refuse(observe, relation, row[0], field)
    }
  return { toUser: readerOf<User>(relations.users, readUser), toApp: readerOf<App>(relations.apps, readApp) }
}

function isWhole<Found>(values: ReturnType<ReadRow<Found>>): values is Found & ReturnType<ReadRow<Found>> {
  for (const name in values) if (values[name] === undefined) return false
  return true
}

export type RowChecks = ReturnType<typeof createRowChecks>

/** Checks of rows that do not come from a database. */
export function createRowChecks(observe: Observe) {
  const checkOf = <Found extends { readonly id: number }>(relation: Relation) => {
    const columns = responseColumns(relation)
    return (row: Found & Readonly<Record<string, unknown>>): Found | LookupError => {
      const column = columns.find(({ name, read }) => read(row[name]) === undefined)
      return column === undefined ? row : refuse(observe, relation, row.id, column.name)
    }
  }
  return { checkUser: checkOf<User>(relations.users), checkApp: checkOf<App>(relations.apps) }
}

/** The columns that a store selects of a relation. */
export function selectList(relation: Relation): string {
  return responseColumns(relation)
    .map(({ sql }) => sql)
    .join(', ')
}
