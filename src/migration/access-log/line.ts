// A line of a web server's log: common or combined format (Apache and nginx write the same), or one request
// target.

import { isIP } from 'node:net'

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

const quoted = '"((?:[^"\\\\]|\\\\.)*)"'
const logged = new RegExp(`^(.*?)\\[([^[\\]]{1,40})\\] ${quoted} \\d{3} \\S+(?: ${quoted} ${quoted})?`)

/** @returns `null` for what is no request */
export function parseLogLine(line: string): LoggedRequest | null {
  const [, before, time, request, referer, userAgent] = logged.exec(line) ?? []
  if (before === undefined || time === undefined || request === undefined) return parseTargetLine(line)
  const asked = /^([A-Z]{1,20}) (.+?)(?: HTTP\/\d(?:\.\d)?)?$/s.exec(unescaped(request))
  if (asked === null) return null
  const [, method = '', target = ''] = asked
  return {
    method,
    target,
    address: addressIn(before),
    userAgent: textOf(userAgent),
    referer: textOf(referer),
    time: timeOf(time),
  }
}

/** Where there is none, servers write `-`. */
function textOf(field: string | undefined): string {
  return field === undefined || field === '-' ? '' : unescaped(field)
}

/** A target by itself, or with a method before it. */
function parseTargetLine(line: string): LoggedRequest | null {
  const [, method = 'GET', target] =
    /^(?:([A-Z]{1,20}) )?((?:\/|\?|https?:\/\/)\S*)(?: HTTP\/\d(?:\.\d)?)?\s*$/.exec(line) ?? []
  return target === undefined ? null : { method, target, address: '', userAgent: '', referer: '', time: null }
}

/**
 * Some servers write a host's name before the client's address, or several addresses with commas between
 * them.
 */
function addressIn(before: string): string {
  const words = before.split(/[\s",]+/).filter((word) => word !== '')
  return words.find((word) => isIP(word) !== 0) ?? words[0] ?? ''
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', v: '\v', f: '\f' }

/** `\x22`, `\"` and the like: how servers write what would break a line. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(?:x([0-9A-Fa-f]{2})|(.))/g, (_, hex: string | undefined, letter: string) =>
    hex === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** `22/Nov/2026:13:55:36 +0100` */
function timeOf(text: string): number | null {
  const [, day, month = '', year, time, zone, minutes] =
    /^(\d\d)\/(\w{3})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)$/.exec(text) ?? []
  const number = months.indexOf(month) + 1
  const value = Date.parse(`${year}-${String(number).padStart(2, '0')}-${day}T${time}${zone}:${minutes}`)
  return Number.isNaN(value) ? null : value
}
