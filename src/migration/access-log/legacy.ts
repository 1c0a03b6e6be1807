// Which of the logged requests are legacy lookups, and what they are about.

import { parseQueryString } from '../../gateway/legacy/query-string.ts'
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

/** @param paths where the legacy interface is, on the server whose log it is */
export function legacyCallOf(request: LoggedRequest | null, paths: readonly string[]): LegacyCall | Skipped {
  if (request === null) return 'unreadable'
  if (request.method !== 'GET' && request.method !== 'HEAD') return 'other method'
  const target = request.target.replace(/^https?:\/\/[^/?#]*/i, '')
  const mark = target.indexOf('?')
  if (mark === -1 || (mark > 0 && !paths.includes(target.slice(0, mark)))) return 'other path'
  const query = target.slice(mark + 1)
  // The first is the quicker one; the second takes a query that cannot be read for a lookup, whatever it was.
  return /event|users|apps/i.test(query) && isLookup(query) ? { query } : 'no lookup'
}

/**
 * In any case: how the old service read names is not known here. Some took a request for a lookup that has a
 * list and no event; `users` of another page is none.
 */
function isLookup(query: string): boolean {
  try {
    const parameters = parseQueryString(query)
    const hasList = parameters.some((name, at) => at % 2 === 0 && (name === 'Users' || name === 'Apps'))
    return hasList || findName('Event', parameters) !== -1
  } catch {
    return true
  }
}

/** @returns its place among names and values in turn; -1 where there is none */
function findName(wanted: string, parameters: readonly string[]): number {
  const folded = wanted.toLowerCase()
  return parameters.findIndex(
    (name, at) => at % 2 === 0 && name.length === wanted.length && name.toLowerCase() === folded,
  )
}

/** Characters of a name that came from a client. */
const MAX_NAME_LENGTH = 40

export function askedBy(query: string): Asked {
  const value = readerOf(query)
  const event = value('Event')
  return {
    event: event || 'none',
    method: /^profilelookup$/i.test(event) ? value('MethodOfAccessingUserInformation') || 'id' : '',
    format: value('Format') || 'JSON',
  }
}

/** @returns what reads a parameter; whatever is asked of a query that cannot be read is `?` */
function readerOf(query: string): (name: string) => string {
  try {
    const parameters = parseQueryString(query)
    return (name) => {
      const at = findName(name, parameters)
      return at === -1 ? '' : cut(parameters[at + 1] ?? '')
    }
  } catch {
    return () => '?'
  }
}

function cut(text: string): string {
  return shorten(text.replace(/\p{Cc}/gu, ' ').toWellFormed(), MAX_NAME_LENGTH)
}
