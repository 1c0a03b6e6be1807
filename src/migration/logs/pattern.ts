// Formats whose lines one regex reads: its groups are named by the roles of fields. An operator describes a
// format by the variables of nginx's log_format, which become a regex.

import { meaningOf } from './names.ts'
import {
  type LogFields,
  type LogFormat,
  type LoggedRequest,
  type RequestMembers,
  type Role,
  requestOf,
  unescaped,
} from './request.ts'
import { createTimeReader } from './time.ts'

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
  { decode = unescaped, fieldsOf = (groups) => groups }: PatternOptions = {},
): LogFormat {
  const pattern = new RegExp(source, 's')
  return {
    name,
    detect: pattern,
    open: () => {
      const timeOf = createTimeReader()
      return (line) => {
        const found = pattern.exec(line)
        if (found?.groups === undefined) return 'unreadable'
        const request = requestOf(fieldsOf(found.groups), timeOf, decode)
        const isWhole =
          !isCut(line, found.groups) && !isFollowed(line, found.index + found[0].length, request)
        return typeof request === 'string' || isWhole ? request : 'unreadable'
      }
    },
  }
}

/**
 * Lines of names and values in any order. The names are those of `names.ts`.
 * @param pair matches one of them: the name, and its value in quotes or without
 */
export function pairsFormat(name: string, detect: RegExp, pair: RegExp): LogFormat {
  return {
    name,
    detect,
    open: () => {
      const timeOf = createTimeReader()
      return (line) => {
        const fields: RequestMembers = {}
        const seen = new Set<string>()
        for (const found of line.matchAll(pair)) {
          const [all, key = '', quoted, value = ''] = found
          // Two lines that were joined have two requests.
          if (seen.has(key)) return 'unreadable'
          if (seen.size < MAX_PAIRS) seen.add(key)
          // LTSV calls the client a host.
          const role = name === 'LTSV' && key === 'host' ? 'address' : meaningOf(key)?.role
          if (role === undefined) continue
          fields[role] ??= quoted ?? value
          // A raw blank or quote ends a target too early: what follows is no pair.
          const isTarget = role === 'request' || role === 'target' || role === 'query'
          if (isTarget && !/^\s*(?:$|[\w.@-]{1,60}[=:])/.test(line.slice(found.index + all.length)))
            return 'unreadable'
        }
        return fields.request === undefined && fields.target === undefined
          ? 'unreadable'
          : requestOf(fields, timeOf)
      }
    },
  }
}

/** Pairs of a line; no program writes more. */
const MAX_PAIRS = 100

/** A target may hold the separator or quote that ends the request: the protocol then is in the next value. */
function isCut(line: string, { request }: Readonly<Record<string, string>>): boolean {
  return request !== undefined && !request.includes(' HTTP/') && line.includes(' HTTP/')
}

/** Files that were joined may have two requests in a line: neither of them is read. */
function isFollowed(line: string, end: number, request: LoggedRequest | 'no request'): boolean {
  const rest = line.slice(end)
  if (typeof request === 'string' || !/\b(?:GET|HEAD|POST) (?:[/?]|https?:|\S+ HTTP\/)/.test(rest))
    return false
  // Some formats repeat the request. `/?Users=1` is no repetition of `/?Users=12`.
  return ![' ', '"'].some((after) => rest.includes(request.target + after))
}

/** The variables that are read; all others are skipped. Of these, nginx does not have date and zone. */
const roles = new Map<string, Role>([
  ['request', 'request'],
  ['request_method', 'method'],
  ['request_uri', 'target'],
  ['uri', 'target'],
  ['document_uri', 'target'],
  ['args', 'query'],
  ['query_string', 'query'],
  ['remote_addr', 'address'],
  ['realip_remote_addr', 'address'],
  ['proxy_protocol_addr', 'address'],
  ['http_x_forwarded_for', 'forwarded'],
  ['http_user_agent', 'userAgent'],
  ['http_referer', 'referer'],
  ['time_local', 'time'],
  ['time_iso8601', 'time'],
  ['msec', 'time'],
  ['time', 'time'],
  ['date', 'date'],
  ['zone', 'zone'],
])

/**
 * The only values of these variables. If a target holds the separator that follows it, such as a raw blank,
 * another value is here: the line is then not read, rather than with half of its target.
 */
const shapes = new Map([
  ['status', String.raw`(?:\d{3}|-1?|0)`],
  ['server_protocol', String.raw`(?:HTTP\/\d(?:\.\d)?|-|)`],
])

/** Why a description cannot be used. */
export class PatternError extends Error {}

/** Characters of a description. */
const MAX_DESCRIPTION_LENGTH = 4_000

/** A variable, and the text that ends its value; empty at the end of the line. */
interface PatternPart {
  readonly name: string
  readonly role: Role | null
  readonly end: string
}

/** @throws PatternError */
export function describedFormat(description: string): LogFormat {
  if (description.length > MAX_DESCRIPTION_LENGTH)
    throw new PatternError(`It must not be longer than ${MAX_DESCRIPTION_LENGTH} characters.`)
  if (description.includes('\n'))
    throw new PatternError('It must be one line: join the parts of log_format into one.')
  // The two together are what `$request_uri` is.
  const whole = description.replace(
    /\$(?:document_)?uri(?:\$is_args|\?)\$(?:args|query_string)\b/,
    '$$request_uri',
  )
  const [before = '', ...texts] = Buffer.from(whole, 'utf8').toString('latin1').split('$')
  if (texts.length === 0)
    throw new PatternError(
      /%[>{a-zA-Z]/.test(description)
        ? 'It has Apache directives. Use the variables of nginx\'s log_format: "$request" for "%r".'
        : 'It has no variable such as $request. In a shell, put the pattern in single quotes.',
    )
  const parts = texts.map(partOf)
  checkOrder(parts)
  checkRoles(parts)
  return patternFormat('described by --format', `^${literal(before)}${parts.map(sourceOf).join('')}`)
}

function partOf(text: string): PatternPart {
  const [all, braced, plain] = /^(?:\{(\w+)\}|(\w+))/.exec(text) ?? []
  const name = braced ?? plain
  if (all === undefined || name === undefined)
    throw new PatternError(`A name must follow each $; "$${text.slice(0, 10)}" has none.`)
  return { name, role: roles.get(name) ?? null, end: text.slice(all.length) }
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|-]/g, '\\$&')
}

/** A value ends where the text after its variable begins: no text is tried in two ways. */
function sourceOf({ name, role, end }: PatternPart): string {
  const text = literal(end)
  const shape = shapes.get(name)
  // A description may end before the line does.
  if (shape !== undefined) return shape + (text || String.raw`(?![\w:])`)
  const [first = ''] = end
  const other = `[^${literal(first)}]*`
  const value =
    end === ''
      ? '.*'
      : first === '"'
        ? // A quotation mark after a backslash is a part of the value.
          String.raw`[^"\\]*(?:(?:\\.|(?!${text})")[^"\\]*)*`
        : `${other}(?:(?!${text})${literal(first)}${other})*`
  return `${role === null ? value : `(?<${role}>${value})`}${text}`
}

/** Values that may hold a blank. */
const withBlanks: readonly (Role | null)[] = ['request', 'userAgent']

/** Variables with blanks, and their parts without blanks. */
const otherwise: Readonly<Record<string, string>> = {
  request: '$request_method $request_uri $server_protocol',
  time_local: '$date $zone',
}

function checkOrder(parts: readonly PatternPart[]): void {
  for (const [at, { name, role, end }] of parts.entries()) {
    const next = parts[at + 1]
    if (next === undefined) continue
    if (end === '') throw new PatternError(`Put a separator between $${name} and $${next.name}.`)
    // No server accepts a request with two spaces; a User-Agent may have them.
    const isEnd = end.startsWith('  ') && role !== 'userAgent'
    if (end.startsWith(' ') && !isEnd && (withBlanks.includes(role) || name === 'time_local'))
      throw new PatternError(
        `$${name} may contain spaces, and a space follows it. Add the delimiters that the log has, such as "$${name}"` +
          `${otherwise[name] === undefined ? '' : `, or write ${otherwise[name]}`}.`,
      )
  }
}

function checkRoles(parts: readonly PatternPart[]): void {
  const named = parts.map(({ role }) => role).filter((role) => role !== null)
  const again = parts.find(
    ({ role }, at) => role !== null && parts.findIndex((part) => part.role === role) < at,
  )
  if (again !== undefined)
    throw new PatternError(`$${again.name} repeats what an earlier variable says. Write $_ for one of them.`)
  if (!named.some((role) => role === 'request' || role === 'target'))
    throw new PatternError('The request is missing. Add $request or $request_uri.')
}
