// Formats that an operator describes by the variables of nginx's log_format, which become a regex.

import { patternFormat } from './pattern.ts'
import type { LogFormat, Role } from './request.ts'

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

/** A variable, and the text that ends its value; empty at the end of the line. */
interface PatternPart {
  readonly name: string
  readonly role: Role | null
  readonly end: string
}

/** Characters of a description. */
const MAX_DESCRIPTION_LENGTH = 4_000

/** @throws PatternError */
export function describedFormat(description: string): LogFormat {
  if (description.length > MAX_DESCRIPTION_LENGTH || description.includes('\n'))
    throw new PatternError(`It must be one line of at most ${MAX_DESCRIPTION_LENGTH} characters.`)
  // The two together are what `$request_uri` is.
  const whole = description.replace(
    /\$(?:document_)?uri(?:\$is_args|\?)\$(?:args|query_string)\b/,
    '$$request_uri',
  )
  const [before = '', ...texts] = Buffer.from(whole, 'utf8').toString('latin1').split('$')
  if (texts.length === 0)
    throw new PatternError(
      'It has no variable such as $request. Use the variables of nginx\'s log_format ("$request" for "%r" of Apache), in single quotes.',
    )
  const parts = texts.map(partOf)
  check(parts)
  return patternFormat('described by --format', `^${literal(before)}${parts.map(sourceOf).join('')}`)
}

function partOf(text: string): PatternPart {
  const [all = '', braced, plain] = /^(?:\{(\w+)\}|(\w+))/.exec(text) ?? []
  const name = braced ?? plain
  if (name === undefined)
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

/** Variables with blanks, and their parts without blanks. */
const partsWithoutBlanks: Readonly<Record<string, string>> = {
  request: ', or write $request_method $request_uri $server_protocol',
  time_local: ', or write $date $zone',
  http_user_agent: '',
}

function check(parts: readonly PatternPart[]): void {
  const known = new Set<Role>()
  for (const [at, { name, role, end }] of parts.entries()) {
    if (role !== null && known.has(role))
      throw new PatternError(`$${name} repeats what an earlier variable says. Write $_ for one of them.`)
    if (role !== null) known.add(role)
    const next = parts[at + 1]
    if (next === undefined) break
    if (end === '') throw new PatternError(`Put a separator between $${name} and $${next.name}.`)
    const otherwise = partsWithoutBlanks[name]
    // No server accepts a request with two spaces; a User-Agent may have them.
    const isEnd = end.startsWith('  ') && role !== 'userAgent'
    if (otherwise !== undefined && end.startsWith(' ') && !isEnd)
      throw new PatternError(
        `$${name} may contain spaces, and a space follows it. Add the delimiters that the log has, such as "$${name}"${otherwise}.`,
      )
  }
  if (!known.has('request') && !known.has('target'))
    throw new PatternError('The request is missing. Add $request or $request_uri.')
}
