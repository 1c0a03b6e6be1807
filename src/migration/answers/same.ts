import { isAscii } from 'node:buffer'
import type { Reply } from '../../stores/old-service/call.ts'
import { charsetOf } from './text.ts'

/**
 * Whether two replies have the same status and the same text. The same bytes are another text in another
 * encoding.
 */
export function isSame(old: Reply, fresh: Reply): boolean {
  if (old.status !== fresh.status || !old.body.equals(fresh.body)) return false
  return charsetOf(old.headers) === charsetOf(fresh.headers) || isAscii(old.body)
}
