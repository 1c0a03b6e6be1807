// Reads what a response says.

import { isAscii } from 'node:buffer'
import type { Reply } from '../../stores/old-service/call.ts'
import { shorten } from '../../text.ts'
import { readJson } from './json.ts'
import { type Meaning, UnreadableBody } from './meaning.ts'
import { readXml } from './xml.ts'

export function meaningOf(reply: Reply): Meaning {
  const { status, body } = reply
  // The words and the shape of a refusal are each service's own: clients only rely on its status.
  if (status >= 400) {
    const text = body.toString('utf8')
    return { kind: 'refusal', format: formatOf(text), status, text }
  }
  try {
    const text = textOf(reply)
    const format = formatOf(text)
    if (format === 'other') {
      if (isMessage(text)) return { kind: 'refusal', format, status, text }
      throw new UnreadableBody('neither JSON nor XML')
    }
    const read = format === 'XML' ? readXml(text) : readJson(text)
    return read === null ? { kind: 'refusal', format, status, text } : { kind: 'entries', format, ...read }
  } catch (error) {
    if (error instanceof UnreadableBody) return { kind: 'unreadable', reason: error.message }
    throw error
  }
}

/** Characters of a message or of `null`: longer texts are pages. */
const MAX_MESSAGE_LENGTH = 500

/** `die('…')` of PHP leaves a sentence. PHP's own messages begin with a tag or a line end. */
function isMessage(text: string): boolean {
  return (
    text.length <= MAX_MESSAGE_LENGTH &&
    /^[^\s\p{Cc}][^\p{Cc}]*\r?\n?$/u.test(text) &&
    !/ on line \d/.test(text)
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
function charsetOf({ headers }: Pick<Reply, 'headers'>): string {
  return /charset="?([\w.:-]+)/i.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? ''
}

/** Decodes the body by its header, by its XML declaration, or as UTF-8. @throws UnreadableBody */
function textOf(reply: Reply): string {
  const start = reply.body.subarray(0, 200).toString('latin1')
  const declared = /^\s*<\?xml[^>]*\bencoding=["']([\w.:-]+)/.exec(start)?.[1]
  const named = charsetOf(reply) || (declared ?? 'utf-8')
  try {
    return new TextDecoder(named, { fatal: true }).decode(reply.body)
  } catch {
    throw new UnreadableBody(`not ${shorten(named, MAX_CHARSET_LENGTH)}`)
  }
}

/** Whether status and text are the same: the same bytes in another encoding are another text. */
export function isSameText(old: Reply, fresh: Reply): boolean {
  if (old.status !== fresh.status || !old.body.equals(fresh.body)) return false
  return charsetOf(old) === charsetOf(fresh) || isAscii(old.body)
}
