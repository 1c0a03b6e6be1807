// Which of the logged requests are legacy lookups, and what they are about.

import { parseQueryString } from '../../gateway/legacy/query-string.ts'
import { isLookup } from '../../gateway/legacy/request.ts'
import { shorten } from '../../text.ts'
import type { LoggedRequest } from './line.ts'

/** Why a line counts for nothing. */
export type Skipped = 'unreadable' | 'other method' | 'other path' | 'no lookup'

export interface LegacyCall {
  /** Without its `?`, one character for each byte, as it was sent. */
  readonly query: string
}

/** What a query asks for, to be counted: names as they were sent, cut to a length. */
export interface Asked {
  readonly event: string
  readonly method: string
  readonly format: string
}

/** @param path where the legacy interface is, on the server whose log it is */
export function legacyCallOf(request: LoggedRequest | null, path: string): LegacyCall | Skipped {
  if (request === null) return 'unreadable'
  if (request.method !== 'GET' && request.method !== 'HEAD') return 'other method'
  const target = request.target.replace(/^https?:\/\/[^/?#]*/i, '')
  const mark = target.indexOf('?')
  if (mark === -1 || (mark > 0 && target.slice(0, mark) !== path)) return 'other path'
  const query = target.slice(mark + 1)
  // The first is the quicker one; the second takes a query that cannot be read for a lookup, whatever it was.
  return query.includes('Event') && isLookup(query) ? { query } : 'no lookup'
}

/** Characters of a name that came from a client. */
const MAX_NAME_LENGTH = 40

export function askedBy(query: string): Asked {
  const value = readerOf(query)
  const event = value('Event')
  return {
    event: event || 'none',
    method: event === 'ProfileLookup' ? value('MethodOfAccessingUserInformation') || 'id' : '',
    format: value('Format') || 'JSON',
  }
}

/** @returns what reads a parameter; whatever is asked of a query that cannot be read is `?` */
function readerOf(query: string): (name: string) => string {
  try {
    const parameters = parseQueryString(query)
    return (name) => {
      const at = parameters.findIndex((parameter, index) => index % 2 === 0 && parameter === name)
      return at === -1 ? '' : cut(parameters[at + 1] ?? '')
    }
  } catch {
    return () => '?'
  }
}

function cut(text: string): string {
  return shorten(text.replace(/\p{Cc}/gu, ' ').toWellFormed(), MAX_NAME_LENGTH)
}
