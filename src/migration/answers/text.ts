import { isAscii } from 'node:buffer'
import type { Reply } from '../../stores/old-service/call.ts'
import { shorten } from '../../text.ts'
import { UnreadableBody } from './meaning.ts'

/** Characters of what an answer says of its encoding, in a message. */
const MAX_CHARSET_LENGTH = 40

/** The encoding that a header names, in lower case; empty where it names none. */
function charsetOf(headers: Reply['headers']): string {
  return /charset="?([\w.:-]+)/i.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? ''
}

/**
 * The text of an answer, in the encoding that its header or its XML declaration names; otherwise in UTF-8.
 * @throws UnreadableBody
 */
export function textOf({ headers, body }: Pick<Reply, 'headers' | 'body'>): string {
  const start = body.subarray(0, 200).toString('latin1')
  const declared = /^\s*<\?xml[^>]*\bencoding=["']([\w.:-]+)/.exec(start)?.[1]
  const named = charsetOf(headers) || (declared ?? 'utf-8')
  try {
    return new TextDecoder(named, { fatal: true }).decode(body)
  } catch {
    throw new UnreadableBody(`not ${shorten(named, MAX_CHARSET_LENGTH)}`)
  }
}

/**
 * Whether two replies have the same status and the same text. The same bytes are another text in another
 * encoding.
 */
export function isSame(old: Reply, fresh: Reply): boolean {
  if (old.status !== fresh.status || !old.body.equals(fresh.body)) return false
  return charsetOf(old.headers) === charsetOf(fresh.headers) || isAscii(old.body)
}
