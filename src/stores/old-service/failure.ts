// The meaning of a failed call to an old service: an outage, or values that were not found.

import { readReferences } from '../../html-text.ts'
import type { Dialect, LookupSubject } from '../../legacy/dialect.ts'
import { NoResponse, type OldServiceResponse } from './call.ts'

/**
 * - `outage`: the service cannot be reached, or reports that it is overloaded.
 * - `timeout`: the service did not respond in time.
 * - `unusable`: the service closed the connection, or sent something else than the interface has. One of the
 *   values may be the reason.
 * - `redirected`: the same, with another address.
 * - `unclear`: the response does not say which of the values exist.
 */
type FailureKind = 'outage' | 'timeout' | 'unusable' | 'redirected' | 'unclear'

/**
 * The field of an entry that is unreadable, and its value, which may be data of a user: the operator of a
 * copy sees the value, and the log does not.
 */
interface EntryFault {
  readonly problem: string
  /** Null if the whole entry is unreadable. */
  readonly field: string | null
  readonly value: unknown
}

/** The message is for the log: its only data are addresses and ids. */
export class OldServiceError extends Error {
  readonly kind: FailureKind
  /** The status of the response, if that is the failure. */
  readonly status: number | undefined
  /** Private, so that nothing that writes errors to a log can see it. */
  readonly #fault: EntryFault | undefined

  constructor(message: string, kind: FailureKind = 'unusable', status?: number, fault?: EntryFault) {
    super(message)
    this.kind = kind
    this.status = status
    this.#fault = fault
  }

  /** Set if one entry is unreadable, and the others are fine. */
  get fault(): EntryFault | undefined {
    return this.#fault
  }
}

export function faultyEntry(problem: string, field: string | null, value: unknown): OldServiceError {
  const fault = { problem, field, value }
  return new OldServiceError(`the old service answers with ${problem}`, 'unusable', undefined, fault)
}

/** Statuses that are about the service rather than about a request. */
const outages: ReadonlySet<number> = new Set([408, 425, 429, 503])

const kinds: Readonly<Record<NoResponse['kind'], FailureKind>> = {
  ...{ unreachable: 'outage', timeout: 'timeout', broken: 'unusable', redirected: 'redirected' },
}

/** The text of a response, which must have the status 200 and be UTF-8. @throws OldServiceError */
export function textOf(outcome: OldServiceResponse | NoResponse): string {
  if (outcome instanceof NoResponse)
    throw new OldServiceError(`the old service failed: ${outcome.message}`, kinds[outcome.kind])
  const { status, headers, body } = outcome
  const isOutage = outages.has(status) || headers['retry-after'] !== undefined
  if (isOutage || status !== 200) {
    const kind = isOutage ? 'outage' : 'unusable'
    throw new OldServiceError(`the old service answers with status ${status}`, kind, status)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new OldServiceError('the old service answers with text that is not UTF-8')
  }
}

/** Separates the values of a list. No value that is sent contains it. */
export const SEPARATOR = ':'

/** Bytes. A longer response is a page. */
const MAX_REFUSAL_BYTES = 10_000

/** The values of the call that were not found; null if the response is not a recorded one. */
type ReadRefusal = (response: OldServiceResponse, values: ReadonlySet<string>) => ReadonlySet<string> | null

/**
 * Reads whole responses that say that values were not found, as the dialect recorded them. Any other error is
 * an outage, and never means that nothing was found.
 */
export function createReadRefusal(dialect: Dialect, subject: LookupSubject): ReadRefusal {
  const recorded = dialect.errors.replies[subject === 'users' ? 'missingUser' : 'missingApp']?.json
  const missing = dialect.read.missing === 'refuse' ? recorded : null
  const nothing = dialect.nothing[subject].json
  return ({ status, headers, body }, values) => {
    // Retry-After means that the service is overloaded.
    if (body.length > MAX_REFUSAL_BYTES || headers['retry-after'] !== undefined) return null
    const text = body.toString()
    const named = missing?.status === status ? valuesIn(text, missing.body, values) : null
    if (named !== null) return values.size === 1 ? values : new Set(named)
    if (nothing?.status !== status || valuesIn(text, nothing.body, values) === null) return null
    // PHP also sends no body if it cannot encode one row, so an empty body of several values is unclear.
    return text !== '' || values.size === 1 ? values : new Set()
  }
}

/**
 * Returns the values that a text names in the place of `{value}`: one, or a list, such as all that are
 * missing; none if the recorded text has no such place. Null if the text is another one, or names other
 * values.
 */
function valuesIn(text: string, recorded: string, values: ReadonlySet<string>): readonly string[] | null {
  const form = formOf(recorded)
  const given = normalise(text, form)
  const known = normalise(recorded, form)
  const parts = known.split('{value}')
  if (parts.length === 1) return given === known ? [] : null
  // The response may have the value several times.
  const length = (given.length - parts.join('').length) / (parts.length - 1)
  const start = parts[0]?.length ?? 0
  const place = given.slice(start, start + Math.max(length, 0))
  if (fillValue(known, place) !== given) return null
  const named = form === 'json' ? fromJson(place) : place
  const lists = [[named], ...[SEPARATOR, ', ', ','].map((separator) => named.split(separator))]
  return lists.find((list) => list.every((value) => values.has(value))) ?? null
}

type TextForm = 'json' | 'markup' | 'plain'

function formOf(recorded: string): TextForm {
  if (/^\s*</.test(recorded)) return 'markup'
  return toJson(recorded) === null ? 'plain' : 'json'
}

/** Returns the same text for JSON, or XML, that differs in escapes and in outer white space only. */
function normalise(text: string, form: TextForm): string {
  if (form === 'json') return toJson(text) ?? text
  return (form === 'markup' ? readReferences(text) : text).trim()
}

/** Null if the text is no JSON. */
function toJson(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return null
  }
}

/** Reads the inside of a JSON string. */
function fromJson(inside: string): string {
  try {
    return String(JSON.parse(`"${inside}"`))
  } catch {
    return inside
  }
}

/** A recorded body with a value in it. */
export function fillValue(body: string, value: string): string {
  return body.replaceAll('{value}', () => value)
}

/** A text as JSON has it within quotation marks. */
export const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
