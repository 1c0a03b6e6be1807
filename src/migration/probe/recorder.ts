// Records responses that the dialect repeats instead of describing: errors, and the text for a missing entry.

import { readReferences } from '../../html-text.ts'
import type { ErrorResponses, Format, RecordedResponse } from '../../legacy/dialect.ts'
import { decodeBody } from '../../legacy/text.ts'
import type { OldServiceResponse } from '../../stores/old-service/call.ts'
import { type EntryMeaning, isFields } from '../compare/meaning.ts'
import { type ChangePrefixes, withoutChanges } from './changes.ts'
import { sharedEnds } from './evidence.ts'
import { foundIn, meaningOfResponse } from './responses.ts'
import type { ProbeRows } from './rows.ts'

/**
 * Records the response to a request with a value. Returns null if there is none, or none that a file may
 * contain.
 */
export type RecordResponse = (response: OldServiceResponse | null, value: string) => RecordedResponse | null

/** Longer responses are pages, which are not recorded. */
const MAX_RECORDED_BYTES = 20_000

export function createRecorder(rows: ProbeRows, changing: ChangePrefixes): RecordResponse {
  return (response, value) => {
    if (response === null || response.body.length > MAX_RECORDED_BYTES || holdsRow(response, rows))
      return null
    // Mask values that change first: one of them may come after the value.
    const body = withPlaceholder(withoutChanges(decodeBody(response.body), changing), value)
    return { status: response.status, type: response.headers['content-type'] ?? '', body }
  }
}

/** Replaces the value by `{value}`. A part of another number is not the value, as the 1 in version="1.0". */
function withPlaceholder(text: string, value: string): string {
  if (value === '') return text
  if (!/^\d+$/.test(value)) return text.replaceAll(value, '{value}')
  return text.replace(new RegExp(`(?<![\\w.])${value}(?![\\w]|\\.\\d)`, 'g'), '{value}')
}

/** Whether a response has data, which no file may contain: an entry, or two texts of one row. */
function holdsRow(response: OldServiceResponse, { users, apps }: ProbeRows): boolean {
  if (foundIn(response).size > 0) return true
  const meaning = meaningOfResponse(response)
  const isFilled = (entry: EntryMeaning) =>
    isFields(entry) && entry.filter(([, { text }]) => text !== '').length > 2
  if (meaning.kind === 'entries' && [...meaning.entries.values()].some(isFilled)) return true
  const text = wordsOf(decodeBody(response.body))
  return [...users, ...apps].some(({ id: _, ...row }) => {
    const values = Object.values(row).filter((value) => typeof value !== 'boolean')
    const texts = values.map((value) => wordsOf(String(value))).filter(({ length }) => length > 2)
    return new Set(texts.filter((value) => text.includes(value))).size > 1
  })
}

/**
 * The letters and digits of a text, however JSON, XML or HTML has escaped them. ? stands for a letter that
 * HTML has a name for, such as &euml;.
 */
const wordsOf = (text: string) =>
  readReferences(text)
    .replace(/\\u([\da-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\[bfnrt]/g, ' ')
    .replace(/[\u00c0-\u017f]|&\w+;/g, '?')
    .replace(/[^\p{L}\p{N}?]+/gu, ' ')
    .trim()

/** A code, and the end of its member and the start of the next one. */
const codeBefore = /^(\w*)(<\/[\w:-]+>\s*<[\w:-]+>|"?\s*,\s*"[^"]*"\s*:\s*")/

/** Returns the common parts of two errors, with `{message}`, or `{code}` and `{message}`, for the rest. */
export function templateOf(replies: ErrorResponses, format: Format): RecordedResponse | null {
  const one = replies.otherEvent?.[format]
  const other = replies.noUsers?.[format] ?? replies.otherMethod?.[format] ?? one
  if (one === undefined || other === undefined) return null
  if (one.body === other.body) return one.body.includes('{value}') ? null : one
  const { start, end } = sharedEnds(one.body, other.body)
  // Both texts may begin or end with the same words, and with parts of escapes: \u00fc, &#252;.
  const before = one.body.slice(0, start).replace(/[\p{L}\p{N} \\&#;]+$/u, '')
  const after = one.body.slice(one.body.length - end).replace(/^[\p{L}\p{N} .\\&#;]+/u, '')
  const rest = one.body.slice(before.length, one.body.length - after.length)
  const [, code = '', between = ''] = codeBefore.exec(rest) ?? []
  // The gateway has no numbers for its errors.
  const shownCode = between === '' || /^\d/.test(code) ? code : '{code}'
  return { ...one, body: `${before}${shownCode}${between}{message}${after}` }
}

/** Returns the text for an unknown value in a response, or null. @param value letters and digits */
export function missingIn(text: string, format: Format, value: string): string | null {
  const flat = String.raw`(?:\{[^{}]{0,1000}\}|\[[^[\]]{0,1000}\]|"[^"]{0,1000}"|[\w.+-]+)`
  const pattern =
    format === 'json'
      ? `(?<="${value}"\\s{0,9}:\\s{0,9})${flat}`
      : `<Data [^<>]*["']${value}["'](?:[^<>]*/>|[^]{0,1000}?</Data>)`
  const missing = new RegExp(pattern).exec(text)?.[0]
  return missing === undefined ? null : withPlaceholder(missing, value)
}
