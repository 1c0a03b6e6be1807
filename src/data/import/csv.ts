import Papa from 'papaparse'
import { nearest } from '../../spelling.ts'
import type { Relation } from '../relation.ts'
import type { RawRecord } from './lines.ts'
import { countNewlines, FileError, MAX_HEADER_LENGTH, MAX_RECORD_LENGTH, type Piece } from './lines.ts'
import { columnMeantBy, describeUnknown } from './record.ts'

/** What the parser hands back: the rows it could finish, and how far it came. */
interface Parsed {
  readonly data: string[][]
  readonly errors: readonly { readonly message: string; readonly row?: number }[]
  readonly meta: { readonly cursor: number }
}

/** For each column of a relation, its place in the file's rows; -1 where the file has no such column. */
interface Header {
  readonly places: readonly number[]
  readonly width: number
}

/**
 * Reads CSV (RFC 4180, comma, header in the first line) in batches.
 * @throws FileError when the header is not one of this relation, or a quote is never closed
 */
export async function* readCsv(
  pieces: AsyncIterable<Piece>,
  relation: Relation,
): AsyncGenerator<RawRecord[]> {
  let parser: Papa.Parser | null = null
  let header: Header | null = null
  let rest = ''
  let line = 1
  const brokenLines = new Set<number>()

  function parse(text: string, isLast: boolean): RawRecord[] {
    // The first line tells how lines end.
    parser ??= new Papa.Parser({ delimiter: ',', newline: /^[^\n]*\r\n/.test(text) ? '\r\n' : '\n' })
    const { data, errors, meta }: Parsed = parser.parse(text, 0, !isLast)
    const consumed = isLast ? text : text.slice(0, meta.cursor)
    rest = isLast ? '' : text.slice(meta.cursor)
    // Rows and newlines are equally many unless a quoted cell holds a newline.
    const multiline = countNewlines(consumed) !== data.length
    const records: RawRecord[] = []
    for (let row = 0; row < data.length; row++) {
      const cells = withoutCarriageReturn(data[row] ?? [])
      const start = line
      line += multiline ? 1 + countNewlines(cells.join()) : 1
      if (header === null) header = readHeader(cells, relation)
      else if (cells.length > 1 || cells[0] !== '') {
        const error = errors.length === 0 ? undefined : errors.find((found) => found.row === row)
        const broken = brokenLines.size > 0 && hasAny(brokenLines, start, line)
        records.push(
          toRecord(cells, header, start, broken ? 'not valid UTF-8' : error?.message.toLowerCase()),
        )
      }
    }
    return records
  }

  for await (const piece of pieces) {
    for (const broken of piece.brokenLines) brokenLines.add(broken)
    yield parse(rest + piece.text, false)
    if (rest.length > MAX_RECORD_LENGTH) {
      throw new FileError(
        line,
        `a record of more than ${MAX_RECORD_LENGTH} characters, so a quote may be left open`,
      )
    }
  }
  if (rest !== '') yield parse(rest, true)
  if (header === null) throw new FileError(1, `there is no header. It must be ${headerOf(relation)}`)
}

function readHeader(cells: readonly string[], relation: Relation): Header {
  const names = relation.columns.map((column) => column.name)
  const complaint = complaintAbout(cells, names, relation)
  if (complaint !== null) throw new FileError(1, complaint)
  return { places: names.map((name) => cells.indexOf(name)), width: cells.length }
}

function complaintAbout(
  cells: readonly string[],
  names: readonly string[],
  relation: Relation,
): string | null {
  const mustBe = `The header must be ${headerOf(relation)}`
  const unknown = cells.filter((cell) => !names.includes(cell))
  if (unknown.length > 0) {
    const form = otherFormOf(cells, names)
    if (form !== null) return form
    const meant = unknown.filter((cell) => columnMeantBy(cell, relation) !== null)
    // A cell of a row may be like a name by chance: "chat-1" is.
    const isRow = unknown.length === cells.length && meant.length * 2 < cells.length
    const missing = isRow ? 'Is the header missing? Insert it as the first line. ' : ''
    const said = describeUnknown(unknown, relation)
    return `${said}${said.endsWith('?') ? '' : '.'} ${missing}${mustBe}`
  }
  const repeated = cells.find((cell, index) => cells.indexOf(cell) !== index)
  if (repeated !== undefined) return `the column ${repeated} is there twice. ${mustBe}`
  const missing = relation.columns.find((column) => !column.optional && !cells.includes(column.name))
  return missing === undefined ? null : `the column ${missing.name} is missing. ${mustBe}`
}

/** What other programs put between cells. */
const otherDelimiters = [
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'vertical bars'],
] as const

/** What a first line is that is no header with commas, and what to do; `null` where that cannot be told. */
function otherFormOf(cells: readonly string[], names: readonly string[]): string | null {
  const [first = ''] = cells
  if (first.trimStart().startsWith('{')) return 'the file looks like JSON Lines. Add --format jsonl'
  if (cells.length > 1 || first.length > MAX_HEADER_LENGTH) return null
  const isColumn = (cell: string) => nearest(cell, names) !== null
  const found = otherDelimiters.find(([delimiter]) => {
    const parts = first.split(delimiter)
    return parts.length > 1 && parts.some(isColumn)
  })
  if (found === undefined) return null
  return `the columns are separated by ${found[1]}. Save the file with commas between columns`
}

function headerOf({ columns }: Relation): string {
  const optional = columns.filter((column) => column.optional).map((column) => column.name)
  const note = optional.length === 0 ? '' : ` (${optional.join(', ')} may be left out)`
  return `${columns.map((column) => column.name).join(',')} in any order${note}`
}

function toRecord(
  cells: readonly string[],
  { places, width }: Header,
  line: number,
  problem?: string,
): RawRecord {
  const mismatch = cells.length === width ? undefined : `${cells.length} cells, but the header has ${width}`
  const complaint = problem ?? mismatch
  if (complaint !== undefined) return { line, texts: [], problem: complaint, source: cells }
  return { line, texts: places.map((place) => cells[place] ?? null), source: cells }
}

// Where the header ends in a bare newline, some rows may still end as on Windows.
function withoutCarriageReturn(cells: string[]): string[] {
  const last = cells.at(-1)
  if (last?.endsWith('\r')) cells[cells.length - 1] = last.slice(0, -1)
  return cells
}

function hasAny(lines: ReadonlySet<number>, from: number, to: number): boolean {
  for (let line = from; line < to; line++) if (lines.has(line)) return true
  return false
}
