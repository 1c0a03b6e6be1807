// Reads JSON Lines. A line that cannot be read is one record with a problem.

import { isDeeper, MAX_JSON_LEVELS } from '../../json.ts'
import type { Relation } from '../relation.ts'
import type { FileOptions, LineChunk } from './lines.ts'
import { describeUnknown, type FileRecord, type FindColumn, readRecord } from './record.ts'

/** Reads JSON Lines, one object a line, in batches. Empty lines are skipped. */
export async function* readJsonLines(
  chunks: AsyncIterable<LineChunk>,
  relation: Relation,
  { findColumn }: FileOptions,
): AsyncGenerator<FileRecord[]> {
  for await (const { text, firstLine, isBroken } of chunks) {
    const records: FileRecord[] = []
    let line = firstLine
    for (const source of text.split('\n')) {
      const isUnreadable = isBroken && source.includes('\ufffd')
      if (source !== '' && source !== '\r')
        records.push({
          line,
          cells: isUnreadable ? 'not valid UTF-8' : readLine(source, relation, findColumn),
          source,
        })
      line++
    }
    yield records
  }
}

function readLine(source: string, relation: Relation, findColumn: FindColumn): FileRecord['cells'] {
  if (isDeeper(source, MAX_JSON_LEVELS)) return 'not a JSON object of plain values'
  let object: unknown
  try {
    object = JSON.parse(source)
  } catch {
    return 'not valid JSON'
  }
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return 'not a JSON object'
  const names = relation.columns.map((): string | null => null)
  const values: unknown[] = names.map(() => null)
  const unknown: string[] = []
  for (const [name, value] of Object.entries(object)) {
    const index = findColumn(name)
    if (index === 'unknown') unknown.push(name)
    if (typeof index !== 'number') continue
    if (names[index] !== null) return `the column ${relation.columns[index]?.name} is there twice`
    names[index] = name
    values[index] = value
  }
  if (unknown.length > 0) return describeUnknown(unknown)
  return readRecord(relation, values, () => valuesAsWritten(source, names))
}

/** The values of an object; numbers as they are written: JavaScript cannot have 2^53+1. */
function valuesAsWritten(source: string, names: readonly (string | null)[]): unknown[] {
  const object: Readonly<Record<string, unknown>> = JSON.parse(
    source,
    (_, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'number' ? context?.source : value,
  )
  return names.map((name) => (name === null ? null : object[name]))
}
