// One request of a log, made from the fields of its line.

import { isIP } from 'node:net'
import { readTime } from './time.ts'

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
 * #Fields line has named its fields yet; it is too long; or it is a header of the log.
 */
type NoRequest = 'unreadable' | 'no request' | 'no fields' | 'too long' | 'comment'

/** Reads the lines of one file in their order, each in time linear in its length. */
export type LineReader = (line: string) => LoggedRequest | NoRequest

/** State that the formats of a file share. */
export interface LogState {
  /** Reads the line of another format that a line holds. */
  readonly readInner: LineReader
  /** The latest line `#Fields:` of W3C formats. */
  w3c: { readonly columns: readonly (Role | null)[]; readonly isCloudFront: boolean } | null
}

export interface LogFormat {
  /** The name that operators know; empty for a wrapper, of which the format inside is named. */
  readonly name: string
  readonly read: (line: string, state: LogState) => LoggedRequest | NoRequest
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

export type LogFields = { readonly [Name in Role]?: string | undefined }

/** @param decode decodes a text that the server has escaped */
export function requestOf(
  fields: LogFields,
  decode: (text: string) => string = unescaped,
): LoggedRequest | 'no request' {
  // Servers write `-` for a value that is missing.
  const textOf = (field?: string) => (field === undefined || field === '-' ? '' : decode(field))
  const line = requestIn(textOf(fields.request))
  // The request line is what the client sent; a path beside it may have been rewritten.
  const isWhole = line?.target.includes('?') === true
  const path = (isWhole ? line?.target : textOf(fields.target) || line?.target) ?? ''
  if (path === '') return 'no request'
  // Apache's %q begins with the question mark.
  const query = textOf(fields.query).replace(/^\?/, '')
  const method = textOf(fields.method) || line?.method || 'GET'
  // `method=GET, path=/` is of another format.
  if (!/^[\w-]{1,20}$/.test(method)) return 'no request'
  const time = [fields.date, fields.time, fields.zone].filter((text) => text !== undefined).join(' ')
  return {
    // Some loggers write methods in lower case; servers refuse a client that sends them so.
    method: /^[a-z]+$/.test(method) ? method.toUpperCase() : method,
    target: query === '' || path.includes('?') ? path : `${path}?${query}`,
    address: addressIn(textOf(fields.forwarded) || textOf(fields.address)),
    userAgent: textOf(fields.userAgent),
    referer: textOf(fields.referer),
    time: time === '' ? null : readTime(time),
  }
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
 * the client's.
 */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(?:x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|([nrtbvf\\"]))/g, (all, byte, code, letter) =>
    letter === undefined ? String.fromCharCode(Number.parseInt(byte ?? code, 16)) : (escapes[letter] ?? all),
  )
}

/** Words of a text that may be an address. */
const MAX_WORDS = 50

/** The first address of a text that may have ports, names and several addresses; else its first word. */
export function addressIn(text: string): string {
  if (isIP(text) !== 0) return text
  const words = text.split(/[\s",]+/, MAX_WORDS).filter((word) => word !== '')
  const address = words.map(withoutPort).find((word) => isIP(word) !== 0)
  return address ?? (words[0] === '-' ? '' : (words[0] ?? ''))
}

/** `203.0.113.9:4711` and `[2001:db8::1]:4711` */
function withoutPort(text: string): string {
  const [, four, six] = /^(?:([\d.]{7,15}):\d{1,5}|\[([\da-f:.]{2,45})\](?::\d{1,5})?)$/i.exec(text) ?? []
  return four ?? six ?? text
}
