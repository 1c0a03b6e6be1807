// Records responses that the dialect repeats instead of describing: errors, and the text for a missing entry.

import { readReferences } from '../../html-text.ts'
import type { Dialect, ErrorResponses, Format, RecordedResponse } from '../../legacy/dialect.ts'
import { decodeBody } from '../../legacy/text.ts'
import type { OldServiceResponse } from '../../stores/old-service/call.ts'
import { type EntryMeaning, isFields } from '../compare/meaning.ts'
import { type ChangePrefixes, withoutChanges } from './changes.ts'
import type { ProbeOutcome } from './client.ts'
import { sharedEnds } from './likeness.ts'
import type { ListLimit } from './limit.ts'
import { errorRequests, inFormat, type RequestErrorKind, type ServiceData, UNKNOWN } from './requests.ts'
import { foundIn, meaningOfResponse, responseTo } from './responses.ts'
import type { ProbeRows } from './rows.ts'

/** Records the response to a request. Returns null if there is none, or none that a file may contain. */
type RecordResponse = (query: string, value: string) => RecordedResponse | null

export const formats = ['json', 'xml'] as const

export function createRecorder(
  outcomes: ReadonlyMap<string, ProbeOutcome>,
  rows: ProbeRows,
  changing: ChangePrefixes,
): RecordResponse {
  return (query, value) => {
    const response = responseTo(outcomes, query)
    if (response === null || !isRecordable(response, rows)) return null
    // Mask values that change first: one of them may come after the value.
    const body = withPlaceholder(withoutChanges(decodeBody(response.body), changing), value)
    return { status: response.status, type: response.headers['content-type'] ?? '', body }
  }
}

/** A number is not the part of another one, as the 1 of version="1.0". */
function withPlaceholder(text: string, value: string): string {
  if (value === '') return text
  if (!/^\d+$/.test(value)) return text.replaceAll(value, '{value}')
  return text.replace(new RegExp(`(?<![\\w.])${value}(?![\\w]|\\.\\d)`, 'g'), '{value}')
}

/** Records the errors of each kind, and a template for other errors. */
export function errorsOf(
  record: RecordResponse,
  known: ServiceData,
  { most, example }: Pick<ListLimit, 'most' | 'example'>,
): Pick<Dialect['errors'], 'replies' | 'other'> {
  const replies: { -readonly [Kind in keyof ErrorResponses]: ErrorResponses[Kind] } = {}
  const questions = {
    ...errorRequests(known),
    ...(example !== null && { tooMany: ['', example.query, String(most)] as const }),
  }
  for (const [kind, [, query, value]] of Object.entries(questions))
    for (const format of formats) {
      const response = record(inFormat(format, query), value)
      // Object.entries forgets which keys there are.
      const name = kind as RequestErrorKind
      if (response !== null) replies[name] = { ...replies[name], [format]: response }
    }
  return { replies, other: { json: templateOf(replies, 'json'), xml: templateOf(replies, 'xml') } }
}

/** Returns the text for an unknown id in a response, or null. @param value letters and digits */
export function missingIn(text: string, format: Format, value = UNKNOWN): string | null {
  const missing = format === 'json' ? memberIn(text, value) : elementIn(text, value)
  return missing === null ? null : withPlaceholder(missing, value)
}

/** Longer responses are pages, which are not recorded. */
const MAX_RECORDED_BYTES = 20_000

const isRecordable = (response: OldServiceResponse, rows: ProbeRows) =>
  response.body.length <= MAX_RECORDED_BYTES && !holdsRow(response, rows)

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

/** The letters and digits of a text, however JSON, XML or HTML has escaped them. */
function wordsOf(text: string): string {
  return (
    readReferences(text)
      .replace(/&([a-z])(?:uml|acute|grave|circ|tilde|cedil|ring|caron);/gi, '$1')
      .replace(/\\u([\da-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/\\[bfnrt]/g, ' ')
      .normalize('NFD')
      .replace(/\p{M}+/gu, '')
      // Letters that no accent is taken from: HTML has names for them, such as &oslash;.
      .replace(/[øđłß]|&(?:[od]slash|lstrok|szlig);/gi, '?')
      .replace(/[^\p{L}\p{N}?]+/gu, ' ')
      .trim()
  )
}

/** Returns the common parts of two errors, with `{message}` for the rest. */
function templateOf(replies: ErrorResponses, format: Format): RecordedResponse | null {
  const [one, other] = [
    replies.otherEvent?.[format],
    replies.noUsers?.[format] ?? replies.otherMethod?.[format],
  ]
  if (one === undefined || other === undefined)
    return one === undefined || one.body.includes('{value}') ? null : one
  if (one.body === other.body) return one.body.includes('{value}') ? null : one
  const { start, end } = sharedEnds(one.body, other.body)
  // Both texts may begin or end with the same words, and with parts of escapes: \u00fc, &#252;.
  const before = one.body.slice(0, start).replace(/[\p{L}\p{N} \\&#;]+$/u, '')
  const after = one.body.slice(one.body.length - end).replace(/^[\p{L}\p{N} .\\&#;]+/u, '')
  return { ...one, body: `${before}{message}${after}` }
}

/** The JSON at the unknown id. */
function memberIn(text: string, value: string): string | null {
  const start = new RegExp(`"${value}"\\s*:\\s*`).exec(text)
  if (start === null) return null
  const from = start.index + start[0].length
  for (let end = from + 1; end <= Math.min(text.length, from + MAX_MEMBER_LENGTH); end++)
    try {
      JSON.parse(text.slice(from, end))
      // A number may go on.
      if (!/[\d.eE+-]/.test(text.charAt(end))) return text.slice(from, end)
    } catch {}
  return null
}

/** Characters of the text for a missing entry: the search for its end takes quadratic time. */
const MAX_MEMBER_LENGTH = 1_000

function elementIn(text: string, value: string): string | null {
  return new RegExp(`<Data [^<>]*["']${value}["'](?:[^<>]*/>|[^]{0,1000}?</Data>)`).exec(text)?.[0] ?? null
}
