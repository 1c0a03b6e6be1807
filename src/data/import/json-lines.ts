// Reads JSON Lines. A line that cannot be read is one record with a problem.

import { isDeeper, MAX_JSON_LEVELS } from '../../json.ts'
import type { Relation, StoreColumn } from '../relation.ts'
import { FileError, type FileOptions, type LineChunk, MAX_HEADER_LENGTH, type RawRecord } from './lines.ts'
import { complaintAbout, describeBad, describeUnknown, type FindColumn } from './record.ts'

/** Reads JSON Lines, one object a line, in batches. Empty lines are skipped. */
export async function* readJsonLines(
  chunks: AsyncIterable<LineChunk>,
  relation: Relation,
  { findColumn }: FileOptions,
): AsyncGenerator<RawRecord[]> {
  for await (const { text, firstLine, isBroken } of chunks) {
    const records: RawRecord[] = []
    let line = firstLine
    for (const source of text.split('\n')) {
      if (isBroken && source.includes('\ufffd'))
        records.push({ line, texts: [], problem: 'not valid UTF-8', source })
      else if (source !== '' && source !== '\r') records.push(toRecord(source, line, relation, findColumn))
      line++
    }
    yield records
  }
}

function toRecord(source: string, line: number, relation: Relation, findColumn: FindColumn): RawRecord {
  const refuse = (problem: string): RawRecord => ({ line, texts: [], problem, source })
  if (isDeeper(source, MAX_JSON_LEVELS)) return refuse('not a JSON object of plain values')
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch {
    if (line === 1 && isHeader(source, findColumn))
      throw new FileError(1, 'the file looks like CSV. Add --format csv')
    return refuse('not valid JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse('not a JSON object')
  const { columns } = relation
  const texts: (string | null)[] = columns.map(() => null)
  const names: string[] = []
  const unknown: string[] = []
  let isBad = false
  for (const [name, member] of Object.entries(value)) {
    const index = findColumn(name)
    const column = typeof index === 'number' ? columns[index] : undefined
    if (index === 'unknown') unknown.push(name)
    if (typeof index !== 'number' || column === undefined) continue
    if (names[index] !== undefined) return refuse(`the column ${column.name} is there twice`)
    names[index] = name
    const text = toText(member, column)
    texts[index] = text ?? null
    isBad ||= text === undefined || (typeof member === 'number' && column.parse(text ?? '') === undefined)
  }
  if (unknown.length > 0) return refuse(describeUnknown(unknown, relation))
  return isBad ? refuse(describeCells(source, names, relation)) : { line, texts, source }
}

function isHeader(source: string, findColumn: FindColumn): boolean {
  if (source.length > MAX_HEADER_LENGTH) return false
  const cells = source.trim().split(/[,;\t|]/)
  return cells.length > 1 && cells.some((cell) => typeof findColumn(cell) === 'number')
}

/** Complains about all cells if some are of another type, or are numbers that the column cannot have. */
function describeCells(source: string, names: readonly (string | undefined)[], relation: Relation): string {
  // A number that JavaScript does not have, such as 2^53+1, is shown as the file has it.
  const written = new Map<string, string>()
  const members: Readonly<Record<string, unknown>> = JSON.parse(
    source,
    (name: string, value: unknown, context?: { readonly source?: string }) => {
      if (context?.source !== undefined) written.set(name, context.source)
      return value
    },
  )
  return describeBad(relation, (column, index) => {
    const name = names[index]
    const member = name === undefined ? null : members[name]
    const text = toText(member, column)
    if (text === undefined) return `${column.name} must be ${kinds[column.type]}: ${column.allowed}`
    return complaintAbout(column, text, typeof member === 'number' ? written.get(name ?? '') : text)
  })
}

const kinds = {
  integer: 'a JSON number or a string of digits',
  boolean: 'true or false',
  string: 'a JSON string',
} satisfies Record<StoreColumn['type'], string>

/** The text of a member as CSV would have it; undefined if its type is wrong. */
function toText(value: unknown, { type }: StoreColumn): string | null | undefined {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value
  if (type === 'integer' && typeof value === 'number') return String(value)
  if (type === 'boolean' && (typeof value === 'boolean' || typeof value === 'number')) return String(value)
  return undefined
}
