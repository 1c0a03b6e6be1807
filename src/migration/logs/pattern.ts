// Formats whose lines one regex reads: its groups are named by the roles of fields. Other formats are names
// and values in any order.

import { meaningOf } from './names.ts'
import { type LogFields, type LogFormat, type LoggedRequest, type Role, requestOf } from './request.ts'

export type FieldsOfMatch = (groups: Readonly<Record<string, string>>) => LogFields

interface PatternOptions {
  /** Decodes what the server has escaped. */
  readonly decode?: (text: string) => string
  readonly fieldsOf?: FieldsOfMatch
}

/** @param source of a regex that takes time linear in the length of a line */
export function patternFormat(
  name: string,
  source: string,
  { decode, fieldsOf = (groups) => groups }: PatternOptions = {},
): LogFormat {
  const pattern = new RegExp(source, 's')
  return {
    name,
    read: (line) => {
      const found = pattern.exec(line)
      if (found?.groups === undefined) return 'unreadable'
      const request = requestOf(fieldsOf(found.groups), decode)
      if (typeof request === 'string') return request
      const end = found.index + found[0].length
      return isCut(line, found.groups) || isFollowed(line, end, request) ? 'unreadable' : request
    },
  }
}

/** A target may hold the separator or quote that ends the request: the protocol then is in the next value. */
function isCut(line: string, { request }: Readonly<Record<string, string>>): boolean {
  return request !== undefined && !request.includes(' HTTP/') && line.includes(' HTTP/')
}

/** Files that were joined may have two requests in a line: neither of them is read. */
function isFollowed(line: string, end: number, { target }: LoggedRequest): boolean {
  const rest = line.slice(end)
  if (!/\b(?:GET|HEAD|POST) (?:[/?]|https?:|\S+ HTTP\/)/.test(rest)) return false
  // Some formats repeat the request. `/?Users=1` is no repetition of `/?Users=12`.
  return ![' ', '"'].some((after) => rest.includes(target + after))
}

/** Pairs of a line; no program writes more. */
const MAX_PAIRS = 100

/**
 * Lines of names and values in any order. The names are those of `names.ts`.
 * @param pair matches one of them: the name, and its value in quotes or without
 */
export function pairsFormat(name: string, line: RegExp, pair: RegExp): LogFormat {
  return {
    name,
    read: (text) => {
      if (!line.test(text)) return 'unreadable'
      const fields: Partial<Record<Role | 'text', string>> = {}
      const seen = new Set<string>()
      for (const found of text.matchAll(pair)) {
        const [all, key = '', quoted, value = ''] = found
        // Two lines that were joined have two requests.
        if (seen.has(key)) return 'unreadable'
        if (seen.size < MAX_PAIRS) seen.add(key)
        // LTSV calls the client a host.
        const role = name === 'LTSV' && key === 'host' ? 'address' : meaningOf(key)?.role
        if (role === undefined) continue
        fields[role] ??= quoted ?? value
        // A raw blank or quote ends a target too early: the text after the target is no pair.
        const isTarget = role === 'request' || role === 'target' || role === 'query'
        if (isTarget && !/^\s*(?:$|[\w.@-]{1,60}[=:])/.test(text.slice(found.index + all.length)))
          return 'unreadable'
      }
      return fields.request === undefined && fields.target === undefined ? 'unreadable' : requestOf(fields)
    },
  }
}
