// Reads the meaning of a response from its status, headers and body.

import { isAscii } from 'node:buffer'
import { fieldNames, plainName } from '../../legacy/events.ts'
import type { OldServiceResponse } from '../../stores/old-service/call.ts'
import { shorten } from '../../text.ts'
import { readJson } from './json.ts'
import { type EntriesMeaning, isFields, type Meaning, UnreadableBodyError } from './meaning.ts'
import { readXml } from './xml.ts'

/**
 * With the status of an error, clients do not read the words. Entries count all the same: some services send
 * 404 if one user of a list is missing.
 */
export function meaningOf(response: OldServiceResponse): Meaning {
  const { status, body } = response
  const meaning = meaningOfBody(response)
  if (status < 400 || (meaning.kind === 'entries' && hasRow(meaning))) return meaning
  const text = body.toString('utf8')
  return { kind: 'refusal', format: formatOf(text), status, text }
}

function meaningOfBody(response: OldServiceResponse): Meaning {
  const { status } = response
  try {
    const text = textOf(response)
    const format = formatOf(text)
    if (format === 'other') {
      if (isMessage(text)) return { kind: 'refusal', format, status, text }
      throw new UnreadableBodyError('neither JSON nor XML')
    }
    const read = format === 'XML' ? readXml(text) : readJson(text)
    return read === null ? { kind: 'refusal', format, status, text } : { kind: 'entries', format, ...read }
  } catch (error) {
    if (error instanceof UnreadableBodyError) return { kind: 'unreadable', reason: error.message }
    throw error
  }
}

const declared: ReadonlySet<string> = new Set(Object.values(fieldNames).flat())

/** Two fields of a user or an app. The description of an error may have one, such as an Id. */
function hasRow({ entries }: EntriesMeaning): boolean {
  return [...entries.values()].some(
    (entry) => isFields(entry) && entry.filter(([name]) => declared.has(plainName(name))).length > 1,
  )
}

/** Characters of a message or of `null`: longer texts are pages. */
const MAX_MESSAGE_LENGTH = 500

/**
 * `die('...')` of PHP leaves a sentence. PHP's own messages begin with a tag or a line end, or name a line.
 * A number or a boolean is no sentence.
 */
function isMessage(text: string): boolean {
  return (
    text.length <= MAX_MESSAGE_LENGTH &&
    /^[^\s\p{Cc}][^\p{Cc}]*\r?\n?$/u.test(text) &&
    /\p{L}/u.test(text) &&
    !/ on line \d|^(?:true|false)\s*$/.test(text)
  )
}

/** By the first character: some services have no Content-Type, or a wrong one. */
function formatOf(text: string): 'JSON' | 'XML' | 'other' {
  const [first] = text.trimStart()
  if (first === '<') return 'XML'
  // json_encode writes `null` for a variable without a value.
  const isNull = text.length <= MAX_MESSAGE_LENGTH && text.trim() === 'null'
  return first === '{' || first === '[' || isNull ? 'JSON' : 'other'
}

/** Characters of the name of an encoding, in a message. */
const MAX_CHARSET_LENGTH = 40

/** The encoding that the header names, in lower case; empty if it names none. */
function charsetOf({ headers }: Pick<OldServiceResponse, 'headers'>): string {
  return /charset="?([\w.:-]+)/i.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? ''
}

/** Encodings in which the bytes of ASCII are other characters. */
const isWide = (charset: string) => /^(?:utf-?(?:16|32|7)|ucs|iso-10646|ebcdic|ibm)/.test(charset)

/** Decodes the body by its header, by its XML declaration, or as UTF-8. @throws UnreadableBody */
function textOf(response: OldServiceResponse): string {
  const { body } = response
  const start = body.toString('latin1', 0, 200)
  const declaredCharset = /^\s*<\?xml[^>]*\bencoding=["']([\w.:-]+)/.exec(start)?.[1]
  const charset = charsetOf(response) || (declaredCharset ?? 'utf-8')
  // MySQL's `utf8mb4` is not the name of an encoding; clients ignore it.
  if (isAscii(body) && !isWide(charset.toLowerCase())) return body.toString('latin1')
  try {
    return new TextDecoder(charset, { fatal: true }).decode(body)
  } catch {
    throw new UnreadableBodyError(`not ${shorten(charset, MAX_CHARSET_LENGTH)}`)
  }
}

/** Whether status and text are the same: the same bytes in another encoding are another text. */
export function isSameText(old: OldServiceResponse, fresh: OldServiceResponse): boolean {
  if (old.status !== fresh.status || !old.body.equals(fresh.body)) return false
  const [was, is] = [charsetOf(old), charsetOf(fresh)]
  return was === is || (isAscii(old.body) && !isWide(was) && !isWide(is))
}

/**
 * Whether strict parsers refuse the first bytes: a byte order mark before JSON (PHP, Python), or white space
 * before the declaration of XML.
 */
export function hasOddStart({ body }: OldServiceResponse): boolean {
  return /^(?:\xef\xbb\xbf\s*[[{]|(?:\xef\xbb\xbf)?\s+<\?xml)/.test(body.toString('latin1', 0, 200))
}
