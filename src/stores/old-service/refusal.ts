// Responses that say that values match nothing, as the dialect recorded them. Any other error is an outage and
// never means that nothing was found.

import { isDeepStrictEqual } from 'node:util'
import { readReferences } from '../../html-text.ts'
import type { Dialect, RecordedReply, Subject } from '../../legacy/dialect.ts'
import { errorIn } from './answer.ts'
import type { ReadNumbers } from './number-texts.ts'
import { SEPARATOR } from './values.ts'

/** Bytes of a body that is read: longer bodies are pages. */
export const MAX_REFUSAL_BYTES = 10_000

/** What a response says of the values of a call. */
export interface Refusal {
  /** They match nothing; it says nothing of the other values. */
  readonly missing: ReadonlySet<string>
}

/** Returns null for any other response. */
export type ReadRefusal = (status: number, body: string, asked: ReadonlySet<string>) => Refusal | null

export function createRefusals(dialect: Dialect, subject: Subject): ReadRefusal {
  const nothing = dialect.nothing[subject].json
  const { replies } = dialect.errors
  const missing =
    dialect.read.missing === 'refuse'
      ? replies[subject === 'users' ? 'missingUser' : 'missingApp']?.json
      : undefined
  const readNothing = nothing === null ? null : valueReader(nothing)
  const readMissing = missing === undefined ? null : valueReader(missing)
  return (status, body, asked) => {
    if (body.length > MAX_REFUSAL_BYTES) return null
    const namedByMissing = namedIn(readMissing?.(status, body) ?? null, asked)
    if (namedByMissing !== null) return { missing: asked.size === 1 ? asked : new Set(namedByMissing) }
    if (namedIn(readNothing?.(status, body) ?? null, asked) === null) return null
    // PHP also sends no body for a row that it cannot encode, so it says something only of a single value.
    return { missing: body !== '' || asked.size === 1 ? asked : new Set() }
  }
}

/** Reads the value that a recorded reply names; an empty text if it names none, null if the reply is another. */
function valueReader({ status, body }: RecordedReply): (status: number, body: string) => string | null {
  const parts = body.split('{value}')
  const read = /^\s*</.test(body) ? readReferences : unescapeJson
  const start = parts[0]?.length ?? 0
  const fixedLength = parts.join('').length
  return (given, text) => {
    if (given !== status) return null
    if (parts.length === 1) return text.trim() === body.trim() ? '' : null
    // The value may be there several times.
    const length = (text.length - fixedLength) / (parts.length - 1)
    const value = length > 0 ? text.slice(start, start + length) : ''
    return value !== '' && fill(body, value) === text ? read(value) : null
  }
}

const fill = (body: string, value: string) => body.replaceAll('{value}', () => value)

/** A value as JSON has it within quotation marks. */
function unescapeJson(value: string): string {
  try {
    const read: unknown = JSON.parse(`"${value}"`)
    return typeof read === 'string' ? read : value
  } catch {
    return value
  }
}

/** The values of the call that a text names: one, or a list. Null if it names other values. */
function namedIn(text: string | null, asked: ReadonlySet<string>): readonly string[] | null {
  if (text === null) return null
  if (text === '') return []
  if (asked.has(text)) return [text]
  for (const separator of [SEPARATOR, ', ', ',']) {
    const named = text.split(separator)
    if (named.every((value) => asked.has(value))) return named
  }
  return null
}

/** Whether an entry that has no fields stands for a value that matches nothing. */
export function createUnknownEntries(
  { missing }: Pick<Dialect, 'missing'>,
  subject: Subject,
  readNumbers?: ReadNumbers,
): (entry: unknown, value: string) => boolean {
  const recorded = missing[subject].json
  if (recorded === null) return (entry) => errorIn(entry) !== null
  return (entry, value) => {
    const filled = fill(recorded, JSON.stringify(value).slice(1, -1))
    try {
      return isDeepStrictEqual(JSON.parse(filled, readNumbers), entry)
    } catch {
      return false
    }
  }
}
