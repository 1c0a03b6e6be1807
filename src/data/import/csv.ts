// Reads CSV. A row that cannot be read is one record with a problem; a header that is wrong ends the import.

import Papa from 'papaparse'
import type { Relation } from '../relation.ts'
import type { FileOptions, LineChunk, RawRecord } from './lines.ts'
import { countNewlines, FileError, MAX_HEADER_LENGTH, MAX_RECORD_LENGTH } from './lines.ts'
import { columnMeantBy, complaintAbout, describeBad, describeUnknown, type FindColumn } from './record.ts'

/** The result of the parser: complete rows, and the position after the last one. */
interface ParseResult {
  readonly data: string[][]
  /** About quotes. `index` is the place of the quote that opened the cell. */
  readonly errors: readonly { readonly message: string; readonly row?: number; readonly index?: number }[]
  readonly meta: { readonly cursor: number }
}

/** For each column of a relation, its index in the rows of the file; -1 if the file lacks the column. */
interface Header {
  readonly places: readonly number[]
  readonly width: number
}

/** The delimiters that programs write, the most likely first. */
const delimiters = [',', ';', '\t', '|']

/**
 * Reads CSV (RFC 4180, with a header) in batches. Excel's first line `sep=;` names the delimiter; otherwise
 * the delimiter is the one with which the header has the most columns.
 * @throws FileError if the header is not one of this relation, or an open quote takes in several lines
 */
export async function* readCsv(
  chunks: AsyncIterable<LineChunk>,
  relation: Relation,
  { delimiter, findColumn }: FileOptions,
): AsyncGenerator<RawRecord[]> {
  let chosen = delimiter
  let parser: Papa.Parser | null = null
  let header: Header | null = null
  let rest = ''
  let line = 1
  let isBroken = false

  /** Chooses the delimiter. @returns the text without the line that names it */
  function begin(text: string): string {
    const [first = '', named] = (line === 1 && /^"?sep=(.)"?\r?(?:\n|$)/i.exec(text)) || []
    const start = text.slice(first.length)
    line += countNewlines(first)
    chosen ??= named ?? null
    // Some or all lines may end in CRLF: see `withoutCarriageReturn`.
    if (start !== '')
      parser = new Papa.Parser({ delimiter: chosen ?? likeliestDelimiter(start, findColumn), newline: '\n' })
    return start
  }

  function parse(whole: string, isLast: boolean): RawRecord[] {
    const text = parser === null ? begin(whole) : whole
    rest = ''
    if (parser === null) return []
    const { data, errors, meta }: ParseResult = parser.parse(text, 0, !isLast)
    const consumed = isLast ? text : text.slice(0, meta.cursor)
    rest = isLast ? '' : text.slice(meta.cursor)
    const firstLine = line
    // There are as many newlines as rows, unless a quoted cell has a newline.
    const hasNewlines = countNewlines(consumed) !== data.length
    const records: RawRecord[] = []
    for (let row = 0; row < data.length; row++) {
      const cells = withoutCarriageReturn(data[row] ?? [])
      const start = line
      line += hasNewlines ? 1 + countNewlines(cells.join()) : 1
      if (header === null) header = readHeader(cells, start, relation, findColumn)
      // Excel writes empty rows as delimiters alone.
      else if (cells.some((cell) => cell !== '')) {
        const error = errors.length === 0 ? undefined : errors.find((found) => found.row === row)
        const lines = error === undefined ? 0 : countNewlines(cells.join().trimEnd())
        if (lines > 0) throw openQuote(firstLine + countNewlines(text.slice(0, error?.index)), start + lines)
        const isUnreadable = isBroken && cells.some((cell) => cell.includes('\ufffd'))
        const problem = isUnreadable ? 'not valid UTF-8' : error?.message.toLowerCase()
        records.push(toRecord(cells, header, start, relation, problem))
      }
    }
    return records
  }

  for await (const chunk of chunks) {
    isBroken = chunk.isBroken || (isBroken && rest !== '')
    yield parse(rest + chunk.text, false)
    if (rest.length > MAX_RECORD_LENGTH) {
      parse(rest, true) // throws if a quote is left open
      throw new FileError(line, `a record of more than ${MAX_RECORD_LENGTH} characters`)
    }
  }
  if (rest !== '') yield parse(rest, true)
  if (header === null) throw new FileError(line, `there is no header. It must be ${headerOf(relation)}`)
}

/** The text of such a cell contains other rows, which would be lost if only its row were rejected. */
function openQuote(line: number, last: number): FileError {
  return new FileError(
    line,
    `a quoted cell begins here, and takes in the lines up to ${last}, since its quote is left open or ` +
      'followed by more text. Close the quote, and write "" for a quote within the cell',
  )
}

function likeliestDelimiter(text: string, findColumn: FindColumn): string {
  const [header = ''] = text.slice(0, MAX_HEADER_LENGTH).split(/\r?\n/, 1)
  const columnsBy = delimiters.map((delimiter) => {
    const [cells = []] = Papa.parse<string[]>(header, { delimiter }).data
    return cells.filter((cell) => typeof findColumn(cell) === 'number').length
  })
  return delimiters[columnsBy.indexOf(Math.max(...columnsBy))] ?? ','
}

function readHeader(
  cells: readonly string[],
  line: number,
  relation: Relation,
  findColumn: FindColumn,
): Header {
  const meant = cells.map(findColumn)
  const places = relation.columns.map((_, index) => meant.indexOf(index))
  const refuse = (complaint: string) =>
    new FileError(line, `${complaint} The header must be ${headerOf(relation)}`)
  const unknown = cells.filter((_, index) => meant[index] === 'unknown')
  if (unknown.length > 0) {
    if (cells[0]?.trimStart().startsWith('{') === true)
      throw new FileError(line, 'the file looks like JSON Lines. Add --format jsonl')
    throw refuse(describeUnknownHeader(unknown, cells.length, relation))
  }
  const repeated = cells.find(
    (_, index) => typeof meant[index] === 'number' && meant.indexOf(meant[index]) < index,
  )
  if (repeated !== undefined) throw refuse(`the column ${repeated} is there twice.`)
  const missing = relation.columns.find(({ optional }, index) => !optional && places[index] === -1)
  if (missing !== undefined) throw refuse(`the column ${missing.name} is missing.`)
  return { places, width: cells.length }
}

function describeUnknownHeader(unknown: readonly string[], width: number, relation: Relation): string {
  const meant = unknown.filter((cell) => columnMeantBy(cell, relation) !== null)
  const text = describeUnknown(unknown, relation)
  const sentence = text.endsWith('?') ? text : `${text}.`
  // A cell of a row may resemble a name by chance, such as "chat-1".
  if (unknown.length === width && meant.length * 2 < width)
    return `${sentence} Is the header missing? Insert it as the first line.`
  return meant.length > 0 ? sentence : `${sentence} To import the others, add --ignore-columns.`
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
  relation: Relation,
  problem?: string,
): RawRecord {
  const mismatch = cells.length === width ? undefined : `${cells.length} cells, but the header has ${width}`
  const complaint = problem ?? mismatch
  if (complaint !== undefined) return { line, texts: [], problem: complaint, source: cells }
  const texts = places.map((place) => cells[place] ?? null)
  return texts.some(isNull) ? withNulls(texts, line, relation, cells) : { line, texts, source: cells }
}

/** Databases export NULL as one of these texts, because an empty cell is an empty text. */
const isNull = (text: string | null) => text === 'NULL' || text === '\\N'

function withNulls(
  texts: readonly (string | null)[],
  line: number,
  relation: Relation,
  source: readonly string[],
): RawRecord {
  const { columns } = relation
  const read = texts.map((text, index) => (isNull(text) && columns[index]?.optional ? null : text))
  if (!read.some(isNull)) return { line, texts: read, source }
  const problem = describeBad(relation, (column, index) => {
    const text = read[index] ?? null
    if (!isNull(text)) return complaintAbout(column, text)
    return `${column.name} cannot be ${text}, which means no value: it must be ${column.allowed}`
  })
  return { line, texts: [], problem, source }
}

/** Removes the CR of a line that ends in CRLF. */
function withoutCarriageReturn(cells: string[]): string[] {
  const last = cells.at(-1)
  if (last?.endsWith('\r')) cells[cells.length - 1] = last.slice(0, -1)
  return cells
}
