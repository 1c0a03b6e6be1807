import { LookupError } from '../errors.ts'

/**
 * Reads a query string as form decoding does: `&` between parameters, `+` for a space, percent-encoded UTF-8,
 * bytes beyond ASCII as they are. PHP would patch over broken encoding; here it is an error, since the value
 * meant can only be guessed.
 * @returns the parameters in order; a name may come more than once.
 * @throws LookupError `MalformedQuery`
 */
export function parseQueryString(query: string): [name: string, value: string][] {
  const parameters: [string, string][] = []
  for (const part of query.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    if (equals === -1) parameters.push([decode(part), ''])
    else parameters.push([decode(part.slice(0, equals)), decode(part.slice(equals + 1))])
  }
  return parameters
}

// Where none of these occurs, decoding changes nothing.
const encoded = /[%+\x00\x80-\xff]/

function decode(text: string): string {
  if (!encoded.test(text)) return text
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
