// One request of a log, made from the fields of its line.

import { isIP } from 'node:net'

/** Texts hold one character for each byte, as the client sent it. */
export interface LoggedRequest {
  readonly method: string
  readonly target: string
  /** Empty if the log does not say, like the next two. */
  readonly address: string
  readonly userAgent: string
  readonly referer: string
  /** Milliseconds since 1970; null if the line has no time that can be read. */
  readonly time: number | null
}

/**
 * Why a line has no request: it is not of the format; the client sent something else than a request; no
 * #Fields line has named its fields yet; it is too long; or it is a header or a part of a line.
 */
export type NoRequest = 'unreadable' | 'no request' | 'no fields' | 'too long' | 'comment'

/** Reads the lines of one file in their order, each in time linear in its length. */
export type LineReader = (line: string) => LoggedRequest | NoRequest

/** Helpers that all formats of a file share. */
interface FormatParts {
  /** Reads the line of another format that a line holds. */
  readonly readInner: LineReader
  /** Reads the members of a line of JSON; null if the line is no object. */
  readonly membersOf: (line: string) => RequestMembers | null
  /** Texts whose last piece has not come; each format adds its own. */
  readonly unfinished: ReadonlyMap<string, string>[]
}

export interface LogFormat {
  /** The name that operators know. */
  readonly name: string
  /** Matches each line that the format may read. */
  readonly detect: RegExp
  readonly open: (parts: FormatParts) => LineReader
  /** Whether lines of the format hold lines of other formats; those then have the name. */
  readonly isWrapper?: boolean
  /** Whether a file of another format may have some of its lines: then the format is not named. */
  readonly isFallback?: boolean
}

/** Characters of a line; a longer one is not read. Servers take no longer requests than this. */
export const MAX_LINE_LENGTH = 256 * 1024

/** The parts of a request that a field of a line can hold. */
export type Role =
  | 'request'
  | 'method'
  | 'target'
  | 'query'
  | 'address'
  | 'forwarded'
  | 'userAgent'
  | 'referer'
  | 'time'
  | 'date'
  | 'zone'

/** The parts of a request that the members of an object hold; `text` is a line of another format. */
export type RequestMembers = Partial<Record<Role | 'text', string>>

export type LogFields = { readonly [Name in Role]?: string | undefined }

/** @param decode decodes a text that the server has escaped */
export function requestOf(
  fields: LogFields,
  timeOf: (text: string) => number | null,
  decode: (text: string) => string = unescaped,
): LoggedRequest | 'no request' {
  const line = requestIn(textOf(fields.request, decode))
  // The request line is what the client sent; a path beside it may have been rewritten.
  const isWhole = line?.target.includes('?') === true
  const path = (isWhole ? line?.target : textOf(fields.target, decode) || line?.target) ?? ''
  if (path === '') return 'no request'
  // Apache's %q begins with the question mark.
  const query = textOf(fields.query, decode).replace(/^\?/, '')
  const method = textOf(fields.method, decode) || line?.method || 'GET'
  // `method=GET, path=/` is of another format.
  if (!/^[\w-]{1,20}$/.test(method)) return 'no request'
  const time = [fields.date, fields.time, fields.zone].filter((text) => text !== undefined).join(' ')
  return {
    // Some loggers write methods in lower case; servers refuse a client that sends them so.
    method: /^[a-z]+$/.test(method) ? method.toUpperCase() : method,
    target: query === '' || path.includes('?') ? path : `${path}?${query}`,
    address: addressIn(textOf(fields.forwarded, decode) || textOf(fields.address, decode)),
    userAgent: textOf(fields.userAgent, decode),
    referer: textOf(fields.referer, decode),
    time: time === '' ? null : timeOf(time),
  }
}

/** Servers write `-` for a value that is missing. */
function textOf(field: string | undefined, decode: (text: string) => string): string {
  return field === undefined || field === '-' ? '' : decode(field)
}

/** The method and target of `GET /?a=b HTTP/1.1`; null for anything else that clients send. */
export function requestIn(text: string): { readonly method: string; readonly target: string } | null {
  const blank = text.indexOf(' ')
  const method = text.slice(0, Math.max(blank, 0))
  if (!/^[A-Z]{1,20}$/.test(method)) return null
  // A target may have raw blanks, which HTTP does not allow: the protocol follows the last one.
  const protocol = text.lastIndexOf(' HTTP/')
  const hasProtocol = protocol > blank && /^ HTTP\/\d(?:\.\d)?$/.test(text.slice(protocol))
  const target = text.slice(blank + 1, hasProtocol ? protocol : text.length)
  return target === '' ? null : { method, target }
}

const escapes: Readonly<Record<string, string>> = {
  ...{ n: '\n', r: '\r', t: '\t', b: '\b', v: '\v', f: '\f' },
  ...{ '\\': '\\', '"': '"' },
}

/**
 * nginx and Apache escape quotes as `\x22` or `\"`, Tomcat other bytes as `\u00fc`. Any other backslash is
 * the client's. A callback for each escape takes ten times as long.
 */
export function unescaped(text: string): string {
  let plain = ''
  let from = 0
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', from)) {
    const letter = text[at + 1] ?? ''
    const digits = letter === 'x' ? 2 : letter === 'u' ? 4 : 0
    const code = text.slice(at + 2, at + 2 + digits)
    const isCode = digits > 0 && code.length === digits && /^[0-9A-Fa-f]+$/.test(code)
    plain += text.slice(from, at)
    plain += isCode ? String.fromCharCode(Number.parseInt(code, 16)) : (escapes[letter] ?? `\\${letter}`)
    from = at + 2 + (isCode ? digits : 0)
  }
  return from === 0 ? text : plain + text.slice(from)
}

/** The first address of a text that may have ports, names and several addresses; else its first word. */
export function addressIn(text: string): string {
  if (isIP(text) !== 0) return text
  const words = text.split(/[\s",]+/, MAX_WORDS).filter((word) => word !== '')
  const address = words.map(withoutPort).find((word) => isIP(word) !== 0)
  return address ?? (words[0] === '-' ? '' : (words[0] ?? ''))
}

/** Words of a text that may be an address. */
const MAX_WORDS = 50

/** `203.0.113.9:4711` and `[2001:db8::1]:4711` */
function withoutPort(text: string): string {
  return (
    /^([\d.]{7,15}):\d{1,5}$/.exec(text)?.[1] ??
    /^\[([\da-f:.]{2,45})\](?::\d{1,5})?$/i.exec(text)?.[1] ??
    text
  )
}

/** nginx and Apache repeat a request in their error logs. */
const errorLine =
  /\d\d:\d\d:\d\d \[(?:warn|error|crit|alert|emerg)\] \d+#|\] \[\w{1,20}:(?:warn|error|crit|alert|emerg)\] \[pid /

/** Names of the parameters of a lookup; some programs write `=` as `%3D` or as `\u003d`. */
const parameter = /(?<![A-Za-z_])(?:[Ee][Vv][Ee][Nn][Tt]|Users|Apps)(?:=|%3[Dd]|\\u003[Dd])|%45vent=/

/** A lookup in any notation: `Event=AppLookup`, also encoded, or `"Event":"AppLookup"` of JSON. */
const lookup = /event(?:=|%3d|\\u003d|["'\\]{0,4}\s?[:=]\s?["'\\]{0,4})(?:profile|app)lookup/i

export function hasLookup(text: string): boolean {
  return lookup.test(text)
}

/** Whether a line that was not read may be a lookup. */
export function looksLikeLookup(line: string): boolean {
  return (parameter.test(line) || lookup.test(line)) && !errorLine.test(line)
}

/** journalctl leaves out fields over 4 KB without --all, and texts that cannot be printed. */
const leftOut = /"MESSAGE" ?: ?null|\[[\d.]+[KMG]?B? blob data\]\s*$/

/** Whether a line that was not read may be a request. */
export function looksLikeRequest(line: string): boolean {
  const isLikely = line.includes('HTTP/') && /\b(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) /.test(line)
  return looksLikeLookup(line) || leftOut.test(line) || (isLikely && !errorLine.test(line))
}
