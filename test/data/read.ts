import type { Cell } from '../../src/data/fields.ts'
import { readCsv } from '../../src/data/import/csv.ts'
import { readJsonLines } from '../../src/data/import/json-lines.ts'
import { type FileOptions, readChunks } from '../../src/data/import/lines.ts'
import { columnFinder, type FileRecord } from '../../src/data/import/record.ts'
import type { Relation } from '../../src/data/relation.ts'
import { users } from '../../src/data/users.ts'

const readers = { csv: readCsv, jsonl: readJsonLines } as const
export type Format = keyof typeof readers

/** What became of one record: its cells, or why it was refused. */
export interface Read {
  readonly line: number
  readonly result: readonly Cell[] | string
  readonly source: unknown
}

/** Reads a whole file as the import does, in chunks of some number of bytes, or of several in turn. */
export async function readFile(
  format: Format,
  content: string | Buffer,
  chunkSize: number | readonly number[] = 64 * 1024,
  relation: Relation = users,
  options: Partial<FileOptions> = {},
): Promise<Read[]> {
  const records: FileRecord[] = []
  const pieces = readChunks(chunks(Buffer.from(content), chunkSize))
  const all = { delimiter: null, findColumn: columnFinder(relation), ...options }
  for await (const batch of readers[format](pieces, relation, all)) records.push(...batch)
  return records.map(({ line, source, cells }) => ({ line, source, result: cells }))
}

async function* chunks(bytes: Buffer, size: number | readonly number[]): AsyncGenerator<Buffer> {
  const sizes = typeof size === 'number' ? [size] : size
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const end = at + (sizes[turn % sizes.length] ?? 1)
    // A copy, because a stream may use its memory again.
    yield Buffer.from(bytes.subarray(at, end))
    at = end
  }
}

/** The problems of the records that were refused, as `line: problem`. */
export function problems(records: readonly Read[]): string[] {
  return records.flatMap(({ line, result }) => (typeof result === 'string' ? [`${line}: ${result}`] : []))
}

/** The values of one column of the records that can be read. */
export function column(name: string, records: readonly Read[], relation: Relation = users): Cell[] {
  const at = relation.columns.findIndex((known) => known.name === name)
  return records.flatMap(({ result }) => (typeof result === 'string' ? [] : [result[at] ?? null]))
}
