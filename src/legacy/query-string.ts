import { LookupError } from '../errors.ts'

const AMPERSAND = 0x26
const EQUALS = 0x3d
const PERCENT = 0x25
const PLUS = 0x2b

/**
 * Reads a query string as form decoding does: `&` between parameters, `+` for a space, percent-encoded UTF-8,
 * bytes beyond ASCII as they are. PHP would patch over broken encoding; here it is an error, since the value
 * meant can only be guessed.
 * @returns names and values in turn, in order; a name may come more than once
 * @throws LookupError `MalformedQuery`
 */
export function parseQueryString(query: string): string[] {
  const parameters: string[] = []
  let start = 0
  let equals = -1
  let encoded = false
  for (let at = 0; at <= query.length; at++) {
    const unit = at === query.length ? AMPERSAND : query.charCodeAt(at)
    if (unit === AMPERSAND) {
      if (at > start) {
        const name = query.slice(start, equals === -1 ? at : equals)
        const value = equals === -1 ? '' : query.slice(equals + 1, at)
        if (encoded) parameters.push(decode(name), decode(value))
        else parameters.push(name, value)
      }
      start = at + 1
      equals = -1
      encoded = false
    } else if (unit === EQUALS) {
      if (equals === -1) equals = at
    } else if (unit === PERCENT || unit === PLUS || unit >= 0x80 || unit === 0) encoded = true
  }
  return parameters
}

function decode(text: string): string {
  // Node hands over the bytes of the request line as Latin-1 characters; raw UTF-8 is read like encoded UTF-8.
  const ascii = text
    .replaceAll('+', ' ')
    .replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`)
  let decoded: string
  try {
    decoded = decodeURIComponent(ascii)
  } catch (cause) {
    throw new LookupError('MalformedQuery', [], cause)
  }
  if (decoded.includes('\0')) throw new LookupError('MalformedQuery')
  return decoded
}
