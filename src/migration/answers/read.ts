// An answer as it came → what it says.

import type { Reply } from '../../stores/old-service/call.ts'
import { readJson } from './json.ts'
import { type Meaning, UnreadableBody } from './meaning.ts'
import { textOf } from './text.ts'
import { readXml } from './xml.ts'

/** Reads what an answer says. */
export function meaningOf(reply: Reply): Meaning {
  const { status, body } = reply
  // The words and the shape of a refusal are each service's own: no client relies on more than that it is
  // one.
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

/** Characters of what a script ends with: longer texts are pages. */
const MAX_MESSAGE_LENGTH = 500

/** What `die('…')` leaves: a sentence. Where PHP failed, its messages begin with a tag, or a line end. */
function isMessage(text: string): boolean {
  return (
    text.length <= MAX_MESSAGE_LENGTH &&
    /^[^\s\p{Cc}][^\p{Cc}]*\r?\n?$/u.test(text) &&
    !/ on line \d/.test(text)
  )
}

/** What json_encode makes of a variable that nothing was put in. */
function isNull(text: string): boolean {
  return text.length <= MAX_MESSAGE_LENGTH && text.trim() === 'null'
}

/** By its first character, since not every service says it in a header, or says it right. */
function formatOf(text: string): 'JSON' | 'XML' | 'other' {
  const [first] = text.trimStart()
  if (first === '<') return 'XML'
  return first === '{' || first === '[' || isNull(text) ? 'JSON' : 'other'
}
