// Query string → the names and values of its parameters, decoded.

import { isUtf8 } from 'node:buffer'
import { LookupError } from '../errors.ts'

const PERCENT = 0x25
const PLUS = 0x2b
const SPACE = 0x20

/**
 * Reads a query string as form decoding does: `&` between parameters, `+` for a space, percent-encoded UTF-8,
 * bytes beyond ASCII as they are. PHP would patch over broken encoding; here it is an error, since the value
 * meant can only be guessed.
 * @param query one character for each byte, as Node reads a request line
 * @returns names and values in turn, in order; a name may come more than once
 * @throws LookupError `MalformedQuery`
 */
export function parseQueryString(query: string): string[] {
  const parameters: string[] = []
  for (const part of query.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = equals === -1 ? part : part.slice(0, equals)
    const value = equals === -1 ? '' : part.slice(equals + 1)
    if (isEncoded.test(part)) parameters.push(decodeOrThrow(name), decodeOrThrow(value))
    else parameters.push(name, value)
  }
  return parameters
}

/** Whether a text has a character that does not stand for itself, or must not be there. */
const isEncoded = /[%+\0\x80-\uffff]/

function decodeOrThrow(text: string): string {
  const decoded = decode(text)
  if (decoded === null) throw new LookupError('MalformedQuery')
  return decoded
}

/** The values of hexadecimal digits by their ASCII codes; -1 for anything else. */
const hexDigits = Int8Array.from({ length: 0x100 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
)

/** Where bytes are decoded: nothing is awaited between writing and reading them. */
const space = Buffer.allocUnsafeSlow(64 * 1024)

/**
 * Decodes a name or a value, byte by byte. `decodeURIComponent` would need bytes beyond ASCII encoded first,
 * and throws: a query of nothing but broken escapes would cost 0.3 s.
 * @returns `null` for broken percent-encoding, invalid UTF-8, NUL, and characters that are no bytes
 */
export function decode(text: string): string | null {
  const bytes = text.length <= space.length ? space : Buffer.allocUnsafeSlow(text.length)
  let length = 0
  let bits = 0
  for (let at = 0; at < text.length; at++) {
    let byte = text.charCodeAt(at)
    if (byte === PLUS) byte = SPACE
    else if (byte === PERCENT) {
      const high = hexDigits[text.charCodeAt(at + 1)] ?? -1
      const low = hexDigits[text.charCodeAt(at + 2)] ?? -1
      if (high === -1 || low === -1) return null
      byte = (high << 4) | low
      at += 2
    }
    if (byte === 0 || byte > 0xff) return null
    bits |= byte
    bytes[length++] = byte
  }
  if (bits < 0x80) return bytes.toString('latin1', 0, length)
  return isUtf8(bytes.subarray(0, length)) ? bytes.toString('utf8', 0, length) : null
}
