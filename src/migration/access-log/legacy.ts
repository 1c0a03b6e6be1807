// Which of the logged requests are legacy lookups, and what they are about.

import { parseQueryString } from '../../legacy/query-string.ts'
import { shorten } from '../../text.ts'
import type { LoggedRequest, NoRequest } from './line.ts'

/** Why a line counts for nothing. A lookup by POST counts, but it cannot be sent again by GET. */
export type Skipped = NoRequest | 'other method' | 'other path' | 'no lookup' | 'POST lookup'

export interface LegacyCall {
  /** Without its `?`, one character for each byte, as it was sent. */
  readonly query: string
  /** The client sent it by POST, with the parameters in the target. */
  readonly posted?: true
}

/** What a query asks for, to be counted: names as they were sent, cut to a length. */
export interface Asked {
  readonly event: string
  readonly method: string
  readonly format: string
}

/** @param paths where the legacy interface is, on the server whose log it is */
export function legacyCallOf(request: LoggedRequest, paths: readonly string[]): LegacyCall | Skipped {
  const { method, target } = request
  const isPost = method === 'POST'
  if (method !== 'GET' && method !== 'HEAD' && !isPost) return 'other method'
  const { path, query } = partsOf(target)
  if (query === null || (path !== '' && !paths.includes(path))) return isPost ? 'other method' : 'other path'
  if (!mayBeLookup(query)) return isPost ? 'other method' : 'no lookup'
  return isPost ? { query, posted: true } : { query }
}

/** A target, or an absolute URL as proxies log it. @returns its path, and its query where it has one */
function partsOf(target: string): { readonly path: string; readonly query: string | null } {
  const relative = target.charCodeAt(0) === SLASH ? target : target.replace(/^https?:\/\/[^/?#]*/i, '')
  const mark = relative.indexOf('?')
  if (mark === -1) return { path: relative, query: null }
  return { path: relative.slice(0, mark), query: relative.slice(mark + 1) }
}

const SLASH = 0x2f

/**
 * The first is the quicker one; the second takes a query that cannot be read for a lookup, whatever it was.
 */
function mayBeLookup(query: string): boolean {
  return /event|users|apps/i.test(query) && isLookup(query)
}

/** Characters of a path that is named to an operator. */
const MAX_PATH_LENGTH = 100

/** The path of a request that is surely a lookup; `null` of any other. Its path may not have been named. */
export function lookupPathOf({ target }: LoggedRequest): string | null {
  const { path, query } = partsOf(target)
  const isSure = /(?:^|&)event=(?:profile|app)lookup(?:&|$)/i.test(query ?? '')
  return isSure ? shorten(path || '/', MAX_PATH_LENGTH) : null
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
