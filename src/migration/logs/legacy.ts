// Decides which of the logged requests are legacy lookups, and names their event, method and format.

import { parseQueryString } from '../../legacy/query-string.ts'
import { OWN_AGENT } from '../../stores/old-service/call.ts'
import { shorten } from '../../text.ts'
import type { SkipReason } from './account.ts'
import type { LoggedRequest } from './request.ts'

export interface LegacyCall {
  /** Without its `?`, one character for each byte, as it was sent. */
  readonly query: string
  /** The client sent it by POST, with the parameters in the target. It cannot be sent again by GET. */
  readonly posted?: true
}

/** The event, method and format of a query, for counts: names as they were sent, cut to a length. */
export interface QueryNames {
  readonly event: string
  readonly method: string
  readonly format: string
}

/** @param paths where the legacy interface is, on the server whose log it is */
export function legacyCallOf(request: LoggedRequest, paths: readonly string[]): LegacyCall | SkipReason {
  const { method, target } = request
  // Probes and comparisons fill the log of the old service, some at other paths, and are no client of it.
  if (request.userAgent.startsWith(OWN_AGENT)) return 'own'
  const isPost = method === 'POST'
  if (method !== 'GET' && method !== 'HEAD' && !isPost) return 'other method'
  const { path, query } = partsOf(target)
  if (query === null || (path !== '' && !paths.includes(path))) return isPost ? 'other method' : 'other path'
  if (!isLookup(query)) return isPost ? 'other method' : 'no lookup'
  return isPost ? { query, posted: true } : { query }
}

/**
 * A target, or an absolute URL as proxies log it, some without its scheme.
 * @returns its path, and its query if it has one
 */
function partsOf(target: string): { readonly path: string; readonly query: string | null } {
  const relative = target.startsWith('/')
    ? target
    : target.replace(/^https?:\/\/[^/?#]*|^[\w.-]{1,253}(?::\d{1,5})?(?=\/)/i, '')
  const mark = relative.indexOf('?')
  if (mark === -1) return { path: relative, query: null }
  return { path: relative.slice(0, mark), query: relative.slice(mark + 1) }
}

/** Characters of a query that is parsed. A gateway refuses a longer target. */
const MAX_QUERY_LENGTH = 64 * 1024

/**
 * Accepts `Event` in any case, since the case of the old service is not known here. Some old services accept
 * a list without an event: `Users` and `Apps` count in this case only, because other pages have a parameter
 * `users`. PHP removes blanks before a name. A query that cannot be parsed is a lookup if it may be one.
 */
function isLookup(query: string): boolean {
  // Names are rarely encoded: this regex decides nearly always, at a fraction of the cost.
  if (/(?:^|&)(?:[Ee][Vv][Ee][Nn][Tt]|Users|Apps)(?:[=&]|$)/.test(query)) return true
  const mayBe = /event|users|apps/i.test(query)
  if (query.length > MAX_QUERY_LENGTH || !(mayBe || query.includes('%'))) return mayBe
  try {
    const names = parseQueryString(query).filter((_, at) => at % 2 === 0)
    return names.some((name) => /^ *(?:event|(?-i:Users|Apps))$/i.test(name))
  } catch {
    return mayBe
  }
}

/**
 * Whether a query has bytes that HTTP does not allow in a target. Node's client can only send them encoded,
 * which is another request.
 */
export function hasRawBytes(query: string): boolean {
  return /[^\x21-\xff]/.test(query)
}

/** Characters of a path that is named to an operator. */
const MAX_PATH_LENGTH = 100

/** The path of a request that is surely a lookup; null for any other. */
export function lookupPathOf({ target }: LoggedRequest): string | null {
  const { path, query } = partsOf(target)
  const isSure = /(?:^|&)event=(?:profile|app)lookup(?:&|$)/i.test(query ?? '')
  return isSure ? shorten(path || '/', MAX_PATH_LENGTH) : null
}

/** Characters of a name that came from a client. */
const MAX_NAME_LENGTH = 40

export function namesIn(query: string): QueryNames {
  const value = readerOf(query)
  const event = value('Event')
  return {
    event: event || 'none',
    method: /^profilelookup$/i.test(event) ? value('MethodOfAccessingUserInformation') || 'id' : '',
    format: value('Format') || 'JSON',
  }
}

/** @returns reads a parameter in any case; any parameter of a query that cannot be read is `?` */
function readerOf(query: string): (name: string) => string {
  try {
    const parameters = parseQueryString(query)
    return (wanted) => {
      const isWanted = (name: string) =>
        name.length === wanted.length && name.toLowerCase() === wanted.toLowerCase()
      const at = parameters.findIndex((name, index) => index % 2 === 0 && isWanted(name))
      const text = at === -1 ? '' : (parameters[at + 1] ?? '')
      return shorten(text.replace(/\p{Cc}/gu, ' ').toWellFormed(), MAX_NAME_LENGTH)
    }
  } catch {
    return () => '?'
  }
}
