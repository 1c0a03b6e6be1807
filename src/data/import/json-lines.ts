import { isDeeper, MAX_JSON_LEVELS } from '../../json-depth.ts'
import type { Column, Relation } from '../relation.ts'
import type { Piece, RawRecord } from './lines.ts'

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

function toRecord(
  source: string,
  line: number,
  { columns }: Relation,
  names: ReadonlySet<string>,
): RawRecord {
  const refuse = (problem: string): RawRecord => ({ line, texts: [], problem, source })
  if (isDeeper(source, MAX_JSON_LEVELS)) return refuse('not a JSON object of plain values')
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch {
    return refuse('not valid JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse('not a JSON object')
  const members = new Map<string, unknown>(Object.entries(value))
  for (const name of members.keys()) {
    if (!names.has(name)) return refuse(`there is no column ${JSON.stringify(name.slice(0, 60))}`)
  }
  const texts: (string | null)[] = []
  for (const column of columns) {
    const text = toText(members.get(column.name), column)
    if (text === undefined) return refuse(`${column.name} must be ${kinds[column.type]}: ${column.allowed}`)
    texts.push(text)
  }
  return { line, texts, source }
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
