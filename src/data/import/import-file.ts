// Imports a file: stages its records in the database, lists the problems, and commits all rows or none.

import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { OwnDatabase } from '../../config/database.ts'
import type { Importer, RecordProblem } from '../../stores/importer.ts'
import type { StagedRecord } from '../../stores/staging.ts'
import { openImporter } from '../../stores/transfer.ts'
import { unlessAborted } from '../../terminal/interrupt.ts'
import type { Relation } from '../relation.ts'
import { readCsv } from './csv.ts'
import { readJsonLines } from './json-lines.ts'
import { FileError, type FileOptions, type RawRecord, readChunks } from './lines.ts'
import { columnFinder, readRecord } from './record.ts'
import { openRejects, type Rejects } from './rejects.ts'

export const fileFormats = { csv: readCsv, jsonl: readJsonLines } as const
export type FileFormat = keyof typeof fileFormats

interface ImportRequest {
  readonly database: OwnDatabase
  readonly relation: Relation
  /** A path, or standard input. */
  readonly file: string | Readable
  readonly format: FileFormat
  readonly options?: FileOptions
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
  readonly leftOut?: { readonly file: string; readonly count: number } | null
  /** Called after each chunk of the file. */
  readonly onProgress: (bytes: number, rows: number) => void
  /**
   * Called while the rows move into the table.
   * @param share of them, up to 1
   * @param step such as `creating the indexes`
   */
  readonly onMove?: (share: number, step: string) => void
  /** Ends the import, unless it is being committed. The file, or a connection, may stay open. */
  readonly signal?: AbortSignal
}

export interface ImportReport {
  /** Whether the rows are in the store now. */
  readonly committed: boolean
  /** The state of the store and what to do, for the operator; null if there is nothing to do. */
  readonly warning: string | null
  readonly rows: number
  readonly invalid: number
  /** Whether rows clash with rows of the database: the operator may want `--replace`. */
  readonly replaceable: boolean
  /** The first of them, such as `line 5: rank is missing`. */
  readonly problems: readonly string[]
}

/**
 * Bytes of a chunk of the file. With larger chunks, garbage collection copies more records: 10 % more time.
 */
const CHUNK_BYTES = 32 * 1024
/** How many problems a report lists. */
const LISTED_PROBLEMS = 20

/**
 * Imports a file of any size in constant memory; all or nothing.
 * @throws FileError if the file cannot be read to its end; RejectsError if the invalid rows cannot be
 * written; the signal's reason if it was aborted
 */
export async function importFile(request: ImportRequest): Promise<ImportReport> {
  const { database, relation, replace, signal, leftOut = null } = request
  const rejects = request.rejects === null ? null : openRejects(request.rejects, leftOut?.file)
  let isComplete = false
  try {
    const importer = await unlessAborted(openImporter(database, relation, replace), signal)
    try {
      const records = await unlessAborted(stageFile(importer, request), signal)
      const { found, ...listed } = await unlessAborted(listProblems(importer, rejects, request), signal)
      rejects?.finish()
      isComplete = true
      const rows = records - found
      const invalid = found + (leftOut?.count ?? 0)
      const committed = invalid === 0 || rejects !== null
      if (committed && rows === 0 && replace) throw nothingToReplace(invalid, request)
      if (committed) await importer.commit(request)
      return { ...listed, committed, rows, invalid, warning: importer.warning() }
    } finally {
      await importer.close(signal)
    }
  } finally {
    if (!isComplete) rejects?.discard()
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
async function stageFile(
  importer: Importer,
  { relation, format, options, file, rejects, leftOut, onProgress }: ImportRequest,
): Promise<number> {
  const { delimiter, findColumn } = options ?? { delimiter: null, findColumn: columnFinder(relation) }
  const keepsSource = rejects !== null || leftOut != null
  let count = 0
  let bytes = 0

  async function* counted(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of stream) {
      yield chunk
      bytes += chunk.length
      onProgress(bytes, count)
    }
  }

  function toStaged({ line, texts, problem, source }: RawRecord): StagedRecord {
    const row = problem ?? readRecord(relation, texts)
    const sourceText = keepsSource ? JSON.stringify(source) : null
    return typeof row === 'string'
      ? { line, row: null, problem: row, source: sourceText }
      : { line, row, problem: null, source: sourceText }
  }

  const stream = typeof file === 'string' ? createReadStream(file, { highWaterMark: CHUNK_BYTES }) : file
  const chunks = readChunks(counted(stream))
  for await (const records of fileFormats[format](chunks, relation, { delimiter, findColumn })) {
    await importer.stage(records.map(toStaged))
    count += records.length
  }
  return count
}

/** Lists the first problems, and writes all to the rejects. */
async function listProblems(importer: Importer, rejects: Rejects | null, request: ImportRequest) {
  const { relation, leftOut = null } = request
  const clashes = new Set(Object.values(relation.taken))
  const problems: string[] = []
  let found = 0
  let replaceable = false
  for await (const { line, problem, source } of importer.findProblems(request)) {
    found++
    replaceable ||= importer.hadRows && clashes.has(problem)
    const id = leftOut === null ? null : idOf(source)
    if (problems.length < LISTED_PROBLEMS)
      problems.push(`${leftOut === null ? `line ${line}` : `id ${id}`}: ${problem}`)
    const name = leftOut === null ? `"line":${line}` : `"id":${JSON.stringify(id)}`
    rejects?.write(`{${name},"problem":${JSON.stringify(problem)},"row":${source}}\n`)
  }
  return { found, replaceable, problems }
}

/** The id in a line of JSON; null if it has none. */
function idOf(source: RecordProblem['source']): string | null {
  try {
    const { id }: { id?: unknown } = JSON.parse(JSON.parse(source ?? ''))
    return id === undefined ? null : String(id)
  } catch {
    return null
  }
}
