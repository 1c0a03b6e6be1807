import { createReadStream, statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import type { OwnDatabase } from '../../config/database.ts'
import { ClashError, type Importer, type Row } from '../../stores/importer.ts'
import { openImporter } from '../../stores/transfer.ts'
import { unlessAborted } from '../../terminal/interrupt.ts'
import type { Relation } from '../relation.ts'
import { readCsv } from './csv.ts'
import { readJsonLines } from './json-lines.ts'
import type { RawRecord } from './lines.ts'
import { FileError, type FileOptions, readPieces } from './lines.ts'
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
   * A path that invalid rows are written to, while the rest goes in; `null` where one bad row stops it all.
   */
  readonly rejects: string | null
  /** What was left out before: a file of lines that the rejects begin with, and their number. */
  readonly leftOut?: { readonly file: string; readonly count: number } | null
  /** Called now and then with what has been read so far. */
  readonly onProgress: (bytes: number, rows: number) => void
  /**
   * Breaks the import off, unless it is being committed. The file, or an address that does not answer, may be
   * left open.
   */
  readonly signal?: AbortSignal
}

interface ImportReport {
  /** Whether the rows are in the store now. */
  readonly committed: boolean
  /** What the operator has to know of the store now, and do. */
  readonly warning: string | null
  readonly rows: number
  readonly invalid: number
  /** Whether rows clash where others were before: `--replace` may be what is meant. */
  readonly replaceable: boolean
  /** The first of them. */
  readonly problems: readonly Problem[]
}

interface Problem {
  readonly line: number
  /** As the file has it; `null` where it has none. */
  readonly id: string | null
  readonly problem: string
}

/** How many problems a report lists. */
const LISTED_PROBLEMS = 20

/**
 * Imports a file of any size in constant memory; all or nothing.
 * @throws FileError when the file cannot be read to its end; RejectsError when the invalid rows cannot be
 * written; the signal's reason when it was broken off
 */
export async function importFile(request: ImportRequest): Promise<ImportReport> {
  // A file that proves to be bad is read again in the way that can name its clashes. A pipe cannot be.
  if (typeof request.file === 'string' && statSync(request.file).isFile()) {
    const report = await readAndAdd(request, true)
    if (report !== null) return report
  }
  const report = await readAndAdd(request, false)
  if (report === null) throw new Error('a careful import always has a report')
  return report
}

/** @returns `null` where a bulk import met a bad row */
async function readAndAdd(request: ImportRequest, bulk: boolean): Promise<ImportReport | null> {
  const { database, relation, replace, signal } = request
  const rejects = request.rejects === null ? null : openRejects(request.rejects, request.leftOut?.file)
  let complete = false
  try {
    const importer = await unlessAborted(openImporter(database, relation, { replace, bulk }), signal)
    try {
      const report = await unlessAborted(readInto(importer, rejects, request, bulk), signal)
      if (report === null) return null
      complete = true
      rejects?.finish()
      // Invalid rows that are not left out are listed instead.
      if (report.committed && report.rows === 0 && replace) throw nothingToReplace(report, request)
      if (report.committed) await importer.commit(signal)
      return { ...report, warning: importer.warning?.() ?? null }
    } finally {
      await importer.close(signal)
    }
  } catch (error) {
    if (error instanceof ClashError) return null
    throw error
  } finally {
    if (!complete) rejects?.discard()
  }
}

function nothingToReplace({ invalid }: ImportReport, { rejects }: ImportRequest): FileError {
  return new FileError(
    1,
    invalid === 0
      ? 'there are no rows, so the existing rows were kept'
      : `no row is valid, so the existing rows were kept. The reasons are in ${rejects}`,
  )
}

const defaultsFor = (relation: Relation): FileOptions => ({
  delimiter: null,
  findColumn: columnFinder(relation),
})

/** @returns what there is to commit, or `null` where a bulk import met a bad row */
async function readInto(
  importer: Importer,
  rejects: Rejects | null,
  { relation, format, options = defaultsFor(relation), file, leftOut = null, onProgress }: ImportRequest,
  bulk: boolean,
): Promise<ImportReport | null> {
  const problems: Problem[] = []
  let rows = 0
  let clashes = 0
  let invalid = leftOut?.count ?? 0
  let bytes = 0

  /** @returns whether all went in */
  async function add(records: readonly RawRecord[]): Promise<boolean> {
    const refused: [RawRecord, string][] = []
    const read: RawRecord[] = []
    const cells: Row[] = []
    for (const record of records) {
      const row = record.problem ?? readRecord(relation, record.texts)
      if (typeof row === 'string') refused.push([record, row])
      else {
        read.push(record)
        cells.push(row)
      }
    }
    if (bulk && refused.length > 0) return false
    for (const { index, reason } of await importer.add(cells)) {
      const record = read[index]
      if (record !== undefined) refused.push([record, reason])
      clashes++
    }
    rows += records.length - refused.length
    for (const [record, problem] of refused.toSorted(([a], [b]) => a.line - b.line)) refuse(record, problem)
    return refused.length === 0
  }

  function refuse({ line, texts, source }: RawRecord, problem: string): void {
    // The id is the first column of every relation.
    const [id = null] = texts
    invalid++
    if (problems.length < LISTED_PROBLEMS) problems.push({ line, id, problem })
    // Lines of a file that was copied mean nothing to the operator.
    rejects?.write(leftOut === null ? { line, problem, row: source } : { id, problem, row: source })
  }

  async function* counted(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of stream) {
      yield chunk
      bytes += chunk.length
      onProgress(bytes, rows)
    }
  }

  const stream = typeof file === 'string' ? createReadStream(file, { highWaterMark: 128 * 1024 }) : file
  for await (const records of fileFormats[format](readPieces(counted(stream)), relation, options)) {
    if (!(await add(records)) && bulk) return null
  }
  return {
    committed: invalid === 0 || rejects !== null,
    warning: null,
    rows,
    invalid,
    replaceable: clashes > 0 && importer.hadRows,
    problems,
  }
}
