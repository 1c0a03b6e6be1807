// Imports a file: stages its records in the database, lists the problems, and commits all rows or none.

import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { OwnDatabase } from '../../config/database.ts'
import type { Importer, Watcher } from '../../stores/importer.ts'
import { openImporter } from '../../stores/transfer.ts'
import { unlessAborted } from '../../terminal/interrupt.ts'
import type { Relation } from '../relation.ts'
import { readCsv } from './csv.ts'
import { readJsonLines } from './json-lines.ts'
import { FileError, readChunks } from './lines.ts'
import { columnFinder } from './record.ts'
import { openRejects, type Rejects } from './rejects.ts'

export const fileFormats = { csv: readCsv, jsonl: readJsonLines } as const
export type FileFormat = keyof typeof fileFormats

/** `onMove` shows how the rows move into the table. `signal` ends the import until the commit begins. */
interface ImportRequest extends Watcher {
  readonly database: OwnDatabase
  readonly relation: Relation
  /** A path, or standard input. */
  readonly file: string | Readable
  readonly format: FileFormat
  /** The delimiter of CSV; null to find the delimiter in the header. */
  readonly delimiter?: string | null
  /** The columns of the file to ignore; `true` for all that are unknown. */
  readonly ignored?: readonly string[] | true | undefined
  readonly replace: boolean
  /**
   * A path that invalid rows are written to, while the others are imported; null if one bad row stops the
   * import.
   */
  readonly rejects: string | null
  /**
   * For JSON Lines that were copied: a file with the rejects of the copy, and their number. Rows are named by
   * their ids, because the operator has never seen the lines.
   */
  readonly leftOut?: { readonly file: string; readonly count: number } | undefined
  /** Called after each chunk of the file. */
  readonly onProgress: (bytes: number, rows: number) => void
}

export interface ImportReport {
  /** Whether the rows are in the store now. */
  readonly committed: boolean
  readonly rows: number
  readonly invalid: number
  /** Whether rows clash with rows of the database: the operator may want `--replace`. */
  readonly replaceable: boolean
  /** The first of them, such as `line 5: rank is missing`. */
  readonly problems: readonly string[]
}

/** Bytes of a chunk of the file. Larger chunks take 10 % more time: garbage collection copies more. */
const CHUNK_BYTES = 32 * 1024
/** How many problems a report lists. */
const LISTED_PROBLEMS = 20

/**
 * Imports a file of any size in constant memory; all or nothing.
 * @throws FileError if the file cannot be read to its end; RejectsError if the invalid rows cannot be
 * written; the signal's reason if it was aborted
 */
export async function importFile(request: ImportRequest): Promise<ImportReport> {
  const { database, relation, replace, signal, leftOut } = request
  const rejects = request.rejects === null ? null : openRejects(request.rejects, leftOut?.file)
  const importer = await unlessAborted(openImporter(database, relation, replace), signal)
  try {
    const records = await unlessAborted(stageFile(importer, request), signal)
    const { found, ...listed } = await unlessAborted(listProblems(importer, rejects, request), signal)
    rejects?.finish()
    const rows = records - found
    const invalid = found + (leftOut?.count ?? 0)
    const committed = invalid === 0 || rejects !== null
    if (committed && rows === 0 && replace) throw nothingToReplace(invalid, request)
    if (committed) await importer.commit(request)
    return { ...listed, committed, rows, invalid }
  } finally {
    await importer.close()
  }
}

function nothingToReplace(invalid: number, { rejects }: ImportRequest): FileError {
  return new FileError(
    1,
    invalid === 0
      ? 'there are no rows, so the existing rows were kept'
      : `no row is valid, so the existing rows were kept. The reasons are in ${rejects}`,
  )
}

/** @returns the number of records */
async function stageFile(importer: Importer, request: ImportRequest): Promise<number> {
  const { relation, format, file, rejects, leftOut, onProgress, delimiter = null, ignored } = request
  const keepsSource = rejects !== null || leftOut !== undefined
  let count = 0
  let bytes = 0

  async function* counted(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of stream) {
      yield chunk
      bytes += chunk.length
      onProgress(bytes, count)
    }
  }

  const stream = typeof file === 'string' ? createReadStream(file, { highWaterMark: CHUNK_BYTES }) : file
  const options = { delimiter, findColumn: columnFinder(relation, ignored) }
  for await (const records of fileFormats[format](readChunks(counted(stream)), relation, options)) {
    await importer.stage(
      records.map(({ line, cells, source }) => ({
        line,
        cells,
        source: keepsSource ? JSON.stringify(source) : null,
      })),
    )
    count += records.length
  }
  return count
}

/** Lists the first problems, and writes all to the rejects. */
async function listProblems(importer: Importer, rejects: Rejects | null, request: ImportRequest) {
  const { relation, leftOut } = request
  const clashes = new Set(Object.values(relation.taken))
  const problems: string[] = []
  let found = 0
  let replaceable = false
  for await (const { line, problem, source } of importer.findProblems(request)) {
    found++
    replaceable ||= importer.hadRows && clashes.has(problem)
    const [kind, name] = leftOut === undefined ? ['line', line] : ['id', idOf(source)]
    if (problems.length < LISTED_PROBLEMS) problems.push(`${kind} ${name}: ${problem}`)
    rejects?.write(
      `{"${kind}":${JSON.stringify(name)},"problem":${JSON.stringify(problem)},"row":${source}}\n`,
    )
  }
  return { found, replaceable, problems }
}

/** The id of a copied row, whose source is its line as a string of JSON. */
function idOf(source: string | null): string {
  const { id }: { readonly id: unknown } = JSON.parse(JSON.parse(source ?? '""'))
  return String(id)
}
