// Converts a row of an old service into a row of an import file, or finds the reason why it is invalid.

import type { App } from '../../data/apps.ts'
import { readRecord } from '../../data/import/record.ts'
import type { Relation } from '../../data/relation.ts'
import type { User } from '../../data/users.ts'
import { OldServiceError } from '../../stores/old-service/failure.ts'
import { count, counted, shorten, visible } from '../../text.ts'

/** A row, or why the old service has none that can be read. */
export type CopyRow = User | App | Error

/** An id that cannot be copied, as the file of rejects has it. */
interface InvalidRow {
  readonly id: string
  /** Left out if the whole entry, or the whole call, is invalid. */
  readonly field?: string
  readonly problem: string
  /** The value of the field in JSON; left out if there is none. */
  readonly value?: string
}

/** Ids that a message lists. */
const MAX_LISTED = 20
/** Characters of a value in a message. */
const MAX_SHOWN_LENGTH = 60
/** Characters of a value in the file of rejects. */
const MAX_SAVED_LENGTH = 1_000

/** @returns a line of JSON, in which the fields of the model have the names of the columns */
export function readRow(relation: Relation, id: string, row: CopyRow): string | InvalidRow {
  if (row instanceof OldServiceError && row.fault !== undefined) {
    const { problem, field, value } = row.fault
    return invalidRow(id, problem, field, value)
  }
  if (row instanceof Error) return { id, problem: visible(row.message) }
  const values = new Map<string, unknown>(Object.entries(row))
  const cells = readRecord(
    relation,
    relation.columns.map(({ name }) => textOf(values.get(name))),
  )
  if (typeof cells !== 'string') return `${JSON.stringify(row)}\n`
  const field = relation.columns.find(({ name }) => cells.startsWith(`${name} `))?.name
  // The problem shows the value already, if it is short.
  const problem = visible(cells)
  return field === undefined ? { id, problem } : { ...invalidRow(id, '', field, values.get(field)), problem }
}

function textOf(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value)
}

function invalidRow(id: string, text: string, field: string | null, value: unknown): InvalidRow {
  const named = field === null ? {} : { field }
  if (value === undefined) return { id, ...named, problem: visible(text) }
  const problem = value === null ? visible(text) : `${visible(text)}: ${json(value, MAX_SHOWN_LENGTH)}`
  return { id, ...named, problem, value: json(value, MAX_SAVED_LENGTH) }
}

function json(value: unknown, maxLength: number): string {
  return visible(shorten(JSON.stringify(value) ?? 'nothing', maxLength))
}

export function describeInvalid(invalid: readonly InvalidRow[]): string {
  const listed = invalid.slice(0, MAX_LISTED).map(({ id, problem }) => `  id ${id}: ${problem}\n`)
  const more = invalid.length - listed.length
  if (more > 0) listed.push(`  … and ${count(more)} more\n`)
  return `${counted(invalid.length, 'id')} cannot be copied. Nothing was changed.\n${listed.join('')}Import the valid rows with --skip-invalid FILE.`
}
