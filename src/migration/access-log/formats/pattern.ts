// A format that the operator describes, with the variables of nginx's log_format: for logs that no table can
// know.

import { addressIn, type LoggedRequest, type NoRequest, requestIn, textOf } from '../line.ts'
import { createTimeReader } from '../time.ts'
import { type LogFormat, plainFormat } from './format.ts'
import { type Role, roleOf } from './pattern-variables.ts'

/** What is wrong with a pattern, as an operator is told. */
export class PatternError extends Error {}

/** Characters of a pattern. */
const MAX_PATTERN_LENGTH = 4_000

/** A variable, and the text that ends it; an empty one at the end of the line. */
interface Part {
  readonly name: string
  readonly role: Role | null
  readonly end: string
}

/** @throws PatternError */
export function formatOf(pattern: string): LogFormat {
  const { before, parts } = partsOf(pattern)
  const createReader = () => {
    const timeOf = createTimeReader()
    return (line: string) => {
      const values = valuesIn(line, before, parts)
      return values === null ? 'unreadable' : callOf(values, timeOf)
    }
  }
  return plainFormat('described by --format', createReader)
}

function partsOf(pattern: string): { readonly before: string; readonly parts: readonly Part[] } {
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw new PatternError(`It must not be longer than ${MAX_PATTERN_LENGTH} characters.`)
  if (pattern.includes('\n'))
    throw new PatternError('It must be one line: join the parts of log_format into one.')
  // The two together are what `$request_uri` is.
  const whole = pattern.replace(
    /\$(?:document_)?uri(?:\$is_args|\?)\$(?:args|query_string)\b/,
    '$$request_uri',
  )
  const [before = '', ...texts] = Buffer.from(whole, 'utf8').toString('latin1').split('$')
  if (texts.length === 0)
    throw new PatternError(
      /%[>{a-zA-Z]/.test(pattern)
        ? 'It has Apache directives. Use the variables of nginx\'s log_format: "$request" for "%r".'
        : 'It has no variable such as $request. In a shell, put the pattern in single quotes.',
    )
  const parts = texts.map(partOf)
  checkOrder(parts)
  checkRoles(parts)
  return { before, parts }
}

function partOf(text: string): Part {
  const [all, braced, plain] = /^(?:\{(\w+)\}|(\w+))/.exec(text) ?? []
  const name = braced ?? plain
  if (all === undefined || name === undefined)
    throw new PatternError(`A name must follow each $; "$${text.slice(0, 10)}" has none.`)
  const role = roleOf(name)
  if (role === undefined)
    throw new PatternError(`There is no variable $${name.slice(0, 40)}. Use $_ for text to skip.`)
  return { name, role, end: text.slice(all.length) }
}

/** Values that may hold a blank. */
const withBlanks: readonly (Role | null)[] = ['request', 'userAgent']

/** What says the same in parts that hold none. */
const otherwise: Readonly<Record<string, string>> = {
  request: '$request_method $request_uri $server_protocol',
  time_local: '$date $zone',
}

function checkOrder(parts: readonly Part[]): void {
  for (const [at, { name, role, end }] of parts.entries()) {
    const next = parts[at + 1]
    if (next === undefined) continue
    if (end === '') throw new PatternError(`Put a separator between $${name} and $${next.name}.`)
    // No server takes a request with two of them; programs have any name.
    const isEnd = end.startsWith('  ') && role !== 'userAgent'
    if (end.startsWith(' ') && !isEnd && (withBlanks.includes(role) || name === 'time_local'))
      throw new PatternError(
        `$${name} may contain spaces, and a space follows it. Add the delimiters that the log has, such as "$${name}"` +
          `${otherwise[name] === undefined ? '' : `, or write ${otherwise[name]}`}.`,
      )
  }
}

function checkRoles(parts: readonly Part[]): void {
  const roles = parts.map(({ role }) => role).filter((role) => role !== null)
  const again = parts.find(
    ({ role }, at) => role !== null && parts.findIndex((part) => part.role === role) < at,
  )
  if (again !== undefined)
    throw new PatternError(`$${again.name} repeats what an earlier variable says. Write $_ for one of them.`)
  if (!roles.some((role) => role === 'request' || role === 'target'))
    throw new PatternError('The request is missing. Add $request or $request_uri.')
}

/** Each value ends where the text after it begins: no way is tried twice. */
function valuesIn(
  line: string,
  before: string,
  parts: readonly Part[],
): Partial<Record<Role, string>> | null {
  if (!line.startsWith(before)) return null
  const values: Partial<Record<Role, string>> = {}
  let at = before.length
  for (const [index, { role, end }] of parts.entries()) {
    const isLast = index === parts.length - 1
    const to = isLast && end === '' ? line.length : endOf(line, end, at)
    if (to === -1) return null
    if (role !== null) values[role] = line.slice(at, to)
    at = to + end.length
  }
  return values
}

/** A quote after a backslash is a part of the value. */
function endOf(line: string, end: string, from: number): number {
  let at = line.indexOf(end, from)
  if (!end.startsWith('"')) return at
  while (at !== -1 && isEscaped(line, at, from)) at = line.indexOf(end, at + 1)
  return at
}

function isEscaped(line: string, at: number, from: number): boolean {
  let first = at
  while (first > from && line[first - 1] === '\\') first--
  return (at - first) % 2 === 1
}

function callOf(
  values: Partial<Record<Role, string>>,
  timeOf: (text: string) => number | null,
): LoggedRequest | NoRequest {
  const line = values.request === undefined ? null : requestIn(textOf(values.request))
  const path = line?.target ?? textOf(values.target)
  if (path === '') return 'no request'
  // Apache's `%q` begins with the question mark.
  const query = textOf(values.query).replace(/^\?/, '')
  const time = [values.date, values.time, values.zone].filter((text) => text !== undefined).join(' ')
  return {
    method: textOf(values.method) || (line?.method ?? 'GET'),
    target: query === '' || path.includes('?') ? path : `${path}?${query}`,
    address: addressIn(textOf(values.forwarded) || textOf(values.address)),
    userAgent: textOf(values.userAgent),
    referer: textOf(values.referer),
    time: time === '' ? null : timeOf(time),
  }
}
