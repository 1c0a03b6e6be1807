// Whole responses that say that values were not found, as the dialect recorded them. Any other error is an
// outage, and never means that nothing was found.

import { readReferences } from '../../html-text.ts'
import type { Dialect, RecordedReply, Subject } from '../../legacy/dialect.ts'
import type { Reply } from './call.ts'

/** Separates the values of a list. No value that is sent contains it. */
export const SEPARATOR = ':'

/** Bytes. A longer response is a page. */
const MAX_REFUSAL_BYTES = 10_000

/** The values of the call that were not found; null if the response is not a recorded one. */
type ReadRefusal = (reply: Reply, values: ReadonlySet<string>) => ReadonlySet<string> | null

export function createReadRefusal(dialect: Dialect, subject: Subject): ReadRefusal {
  const reply = dialect.errors.replies[subject === 'users' ? 'missingUser' : 'missingApp']?.json
  const readMissing = createReadValue(dialect.read.missing === 'refuse' ? reply : undefined)
  const readNothing = createReadValue(dialect.nothing[subject].json)
  return ({ status, headers, body }, values) => {
    // With Retry-After, the service asks for patience.
    if (body.length > MAX_REFUSAL_BYTES || headers['retry-after'] !== undefined) return null
    const text = body.toString()
    const missing = namedIn(readMissing(status, text), values)
    if (missing !== null) return values.size === 1 ? values : new Set(missing)
    if (namedIn(readNothing(status, text), values) === null) return null
    // PHP also sends no body for a row that it cannot encode: that says nothing of several values.
    return text !== '' || values.size === 1 ? values : new Set()
  }
}

/** Reads the value that a recorded reply names: '' if it names none, null if the response is another one. */
function createReadValue(recorded?: RecordedReply | null): (status: number, text: string) => string | null {
  if (!recorded) return () => null
  const { status, body } = recorded
  const parts = body.split('{value}')
  const start = parts[0]?.length ?? 0
  const readValue = /^\s*</.test(body) ? readReferences : unescapeJson
  return (given, text) => {
    if (given !== status) return null
    if (parts.length === 1) return text.trim() === body.trim() ? '' : null
    // The reply may have the value several times.
    const length = (text.length - parts.join('').length) / (parts.length - 1)
    const value = length > 0 ? text.slice(start, start + length) : ''
    return value !== '' && fillValue(body, value) === text ? readValue(value) : null
  }
}

/** A recorded body with a value in it. */
export function fillValue(body: string, value: string): string {
  return body.replaceAll('{value}', () => value)
}

/** Reads the inside of a JSON string. */
function unescapeJson(value: string): string {
  try {
    return String(JSON.parse(`"${value}"`))
  } catch {
    return value
  }
}

/** The values that a text names: one, or a list. Null if it names values that the call does not have. */
function namedIn(text: string | null, values: ReadonlySet<string>): readonly string[] | null {
  if (text === null) return null
  if (text === '') return []
  const lists = [[text], ...[SEPARATOR, ', ', ','].map((separator) => text.split(separator))]
  return lists.find((list) => list.every((value) => values.has(value))) ?? null
}
