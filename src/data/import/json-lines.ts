import { isDeeper, MAX_JSON_LEVELS } from '../../json-depth.ts'
import type { Column, Relation } from '../relation.ts'
import { FileError, MAX_HEADER_LENGTH, type Piece, type RawRecord } from './lines.ts'
import { complaintAbout, describeBad, describeUnknown } from './record.ts'

/** Reads JSON Lines, one object a line, in batches. Empty lines are passed over. */
export async function* readJsonLines(
  pieces: AsyncIterable<Piece>,
  relation: Relation,
): AsyncGenerator<RawRecord[]> {
  const names = new Set(relation.columns.map((column) => column.name))
  for await (const { text, firstLine, brokenLines } of pieces) {
    const records: RawRecord[] = []
    let line = firstLine
    for (const source of text.split('\n')) {
      if (brokenLines.has(line)) records.push({ line, texts: [], problem: 'not valid UTF-8', source })
      else if (source !== '' && source !== '\r') records.push(toRecord(source, line, relation, names))
      line++
    }
    yield records
  }
}

function toRecord(source: string, line: number, relation: Relation, names: ReadonlySet<string>): RawRecord {
  const { columns } = relation
  const refuse = (problem: string): RawRecord => ({ line, texts: [], problem, source })
  if (isDeeper(source, MAX_JSON_LEVELS)) return refuse('not a JSON object of plain values')
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch {
    if (line === 1 && isHeader(source, relation))
      throw new FileError(1, 'the file looks like CSV. Add --format csv')
    return refuse('not valid JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse('not a JSON object')
  const members = new Map<string, unknown>(Object.entries(value))
  const unknown = [...members.keys()].filter((name) => !names.has(name))
  if (unknown.length > 0) return refuse(describeUnknown(unknown, relation))
  const texts: (string | null)[] = []
  let isBad = false
  for (const column of columns) {
    const text = toText(members.get(column.name), column)
    if (text === undefined) isBad = true
    texts.push(text ?? null)
  }
  return isBad ? refuse(describeCells(members, relation)) : { line, texts, source }
}

function isHeader(source: string, { columns }: Relation): boolean {
  if (source.length > MAX_HEADER_LENGTH) return false
  const cells = source.trim().split(/[,;\t|]/)
  return cells.length > 1 && columns.some(({ name }) => cells.includes(name))
}

/** Where members are of another type: all that is wrong with the cells. */
function describeCells(members: ReadonlyMap<string, unknown>, relation: Relation): string {
  return describeBad(relation, (column) => {
    const text = toText(members.get(column.name), column)
    if (text !== undefined) return complaintAbout(column, text)
    return `${column.name} must be ${kinds[column.type]}: ${column.allowed}`
  })
}

const kinds = {
  integer: 'a JSON number or a string of digits',
  boolean: 'true or false',
  string: 'a JSON string',
} satisfies Record<Column['type'], string>

/** The text of a member as CSV would have it; `undefined` where its type is wrong. */
function toText(value: unknown, { type }: Column): string | null | undefined {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value
  if (type === 'integer' && typeof value === 'number') return String(value)
  if (type === 'boolean' && (typeof value === 'boolean' || typeof value === 'number')) return String(value)
  return undefined
}
