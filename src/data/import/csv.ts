// Reads CSV. A row that cannot be read is one record with a problem; a header that is wrong ends the import.

import Papa from 'papaparse'
import type { Relation } from '../relation.ts'
import { countNewlines, FileError, type FileOptions, type LineChunk, MAX_RECORD_LENGTH } from './lines.ts'
import { describeUnknown, type FileRecord, type FindColumn, readRecord } from './record.ts'

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

/**
 * Reads CSV (RFC 4180, with a header) in batches.
 * @throws FileError if the header is not one of this relation, or an open quote takes in several lines
 */
export async function* readCsv(
  chunks: AsyncIterable<LineChunk>,
  relation: Relation,
  { delimiter, findColumn }: FileOptions,
): AsyncGenerator<FileRecord[]> {
  let parser: Papa.Parser | null = null
  let header: Header | null = null
  let named: string | undefined
  let rest = ''
  let line = 1
  let isBroken = false

  /** Removes the first line if it is Excel's `sep=;`, and chooses the delimiter. */
  function begin(text: string): string {
    const [first = '', sign] = (line === 1 && /^"?sep=(.)"?\r?(?:\n|$)/i.exec(text)) || []
    const start = text.slice(first.length)
    line += countNewlines(first)
    named ??= sign
    const chosen = delimiter ?? named ?? likeliestDelimiter(start, findColumn)
    // Some or all lines may end in CRLF: see `withoutCarriageReturn`.
    if (start !== '') parser = new Papa.Parser({ delimiter: chosen, newline: '\n' })
    return start
  }

  function parse(whole: string, isLast: boolean): FileRecord[] {
    const text = parser === null ? begin(whole) : whole
    rest = ''
    if (parser === null) return []
    const { data, errors, meta }: ParseResult = parser.parse(text, 0, !isLast)
    const consumed = isLast ? text : text.slice(0, meta.cursor)
    rest = isLast ? '' : text.slice(meta.cursor)
    const firstLine = line
    // There are as many newlines as rows, unless a quoted cell has a newline.
    const hasNewlines = countNewlines(consumed) !== data.length
    const records: FileRecord[] = []
    for (const [row, found] of data.entries()) {
      const source = withoutCarriageReturn(found)
      const start = line
      line += hasNewlines ? 1 + countNewlines(source.join()) : 1
      if (header === null) header = readHeader(source, start, relation, findColumn)
      // Excel writes empty rows as delimiters alone.
      else if (source.some((cell) => cell !== '')) {
        const error = errors.length === 0 ? undefined : errors.find((one) => one.row === row)
        const lines = error === undefined ? 0 : countNewlines(source.join().trimEnd())
        if (lines > 0) throw openQuote(firstLine + countNewlines(text.slice(0, error?.index)), start + lines)
        const isUnreadable = isBroken && source.some((cell) => cell.includes('\ufffd'))
        const problem = isUnreadable ? 'not valid UTF-8' : error?.message.toLowerCase()
        records.push({ line: start, cells: problem ?? readRow(source, header, relation), source })
      }
    }
    return records
  }

  for await (const chunk of chunks) {
    isBroken = chunk.isBroken || (isBroken && rest !== '')
    yield parse(rest + chunk.text, false)
    // A quote is open. If it closes much later, the cell has other rows.
    if (rest.length > MAX_RECORD_LENGTH) yield parse(rest, true)
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

/** The delimiters that programs write, the most likely first. */
const delimiters = [',', ';', '\t', '|']

/** The delimiter with which the header has the most columns. */
function likeliestDelimiter(text: string, findColumn: FindColumn): string {
  const [header = ''] = text.split(/\r?\n/, 1)
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
  const refuse = (complaint: string, hint = '') =>
    new FileError(line, `${complaint}. The header must be ${headerOf(relation)}${hint}`)
  const unknown = cells.filter((_, index) => meant[index] === 'unknown')
  if (unknown.length > 0)
    throw refuse(describeUnknown(unknown), '. To import the others, add --ignore-columns')
  const repeated = cells.find(
    (_, index) => typeof meant[index] === 'number' && meant.indexOf(meant[index]) < index,
  )
  if (repeated !== undefined) throw refuse(`the column ${repeated} is there twice`)
  const missing = relation.columns.find(({ optional }, index) => !optional && places[index] === -1)
  if (missing !== undefined) throw refuse(`the column ${missing.name} is missing`)
  return { places, width: cells.length }
}

function headerOf({ columns }: Relation): string {
  const optional = columns.filter((column) => column.optional).map((column) => column.name)
  const note = optional.length === 0 ? '' : ` (${optional.join(', ')} may be left out)`
  return `${columns.map((column) => column.name).join(',')} in any order${note}`
}

function readRow(
  source: readonly string[],
  { places, width }: Header,
  relation: Relation,
): FileRecord['cells'] {
  if (source.length !== width) return `${source.length} cells, but the header has ${width}`
  const texts = places.map((place) => source[place] ?? null)
  return texts.some(isNull) ? readNulls(texts, relation) : readRecord(relation, texts)
}

/** Databases export NULL as one of these texts, because an empty cell is an empty text. */
const isNull = (text: string | null) => text === 'NULL' || text === '\\N'

function readNulls(texts: readonly (string | null)[], relation: Relation): FileRecord['cells'] {
  const complaints = relation.columns.flatMap(({ name, optional }, index) =>
    isNull(texts[index] ?? null) && !optional
      ? `${name} cannot be ${texts[index]}, which means no value`
      : [],
  )
  if (complaints.length > 0) return complaints.join('; ')
  return readRecord(
    relation,
    texts.map((text) => (isNull(text) ? null : text)),
  )
}

/** Removes the CR of a line that ends in CRLF. */
function withoutCarriageReturn(cells: string[]): string[] {
  const last = cells.at(-1)
  if (last?.endsWith('\r')) cells[cells.length - 1] = last.slice(0, -1)
  return cells
}
