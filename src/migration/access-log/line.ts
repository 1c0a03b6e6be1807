// What a line of a log says, and how servers write texts in it.

import { isIP } from 'node:net'

/** Characters of a line; of a longer one, nothing is read. Servers take no longer requests than this. */
export const MAX_LINE_LENGTH = 256 * 1024

/** What a line says. Texts hold one character for each byte, as the client sent it. */
export interface LoggedRequest {
  readonly method: string
  readonly target: string
  /** Empty where the line does not say. */
  readonly address: string
  readonly userAgent: string
  /** The page it came from. */
  readonly referer: string
  /** Milliseconds since 1970; `null` where the line does not say. */
  readonly time: number | null
}

/**
 * Why a line has no request: it is not of the format, it is, but the client sent something else than a
 * request, nothing has said yet which fields it has, or it is too long.
 */
export type NoRequest = 'unreadable' | 'no request' | 'no fields' | 'too long'

/** The method and target of `GET /?a=b HTTP/1.1`; clients send anything. */
export function requestIn(text: string): { readonly method: string; readonly target: string } | null {
  const blank = text.indexOf(' ')
  const method = text.slice(0, Math.max(blank, 0))
  if (!/^[A-Z]{1,20}$/.test(method)) return null
  // A target may have blanks that are none of HTTP's: the protocol is what comes last.
  const protocol = text.lastIndexOf(' HTTP/')
  const hasProtocol = protocol > blank && /^ HTTP\/\d(?:\.\d)?$/.test(text.slice(protocol))
  const target = text.slice(blank + 1, hasProtocol ? protocol : text.length)
  return target === '' ? null : { method, target }
}

/** Where there is none, servers write `-`. */
export function textOf(field: string | undefined): string {
  return field === undefined || field === '-' ? '' : unescaped(field)
}

/**
 * The address of a client. Some servers write a host's name before it, or several addresses with commas
 * between them; a port may follow it.
 */
export function addressIn(text: string): string {
  const end = text.indexOf(' ')
  const first = end === -1 ? text : text.slice(0, end)
  if (isIP(first) !== 0) return first
  const words = text.split(/[\s",]+/).filter((word) => word !== '')
  const address = words.map(withoutPort).find((word) => isIP(word) !== 0)
  return address ?? (words[0] === '-' ? '' : (words[0] ?? ''))
}

/** `203.0.113.9:4711` and `[2001:db8::1]:4711` */
function withoutPort(text: string): string {
  return (
    /^([\d.]{7,15}):\d{1,5}$/.exec(text)?.[1] ??
    /^\[([\da-f:.]{2,45})\](?::\d{1,5})?$/i.exec(text)?.[1] ??
    text
  )
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', v: '\v', f: '\f' }

/** `\x22`, `\"` and the like: how servers write what would break a line. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(?:x([0-9A-Fa-f]{2})|(.))/g, (_, hex: string | undefined, letter: string) =>
    hex === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

/** A text in quotes, which may have quotes in it after a backslash. */
export const quoted = '"((?:[^"\\\\]|\\\\.)*)"'
