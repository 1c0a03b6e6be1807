import type { Dialect } from './dialect.ts'

/** The headers every legacy answer carries, whatever its status: names and values in turn. */
export function legacyHeaders({ deprecation, sunset, sunsetLink }: Dialect): readonly string[] {
  const headers = ['Access-Control-Allow-Origin', '*', 'X-Content-Type-Options', 'nosniff']
  // RFC 9745 writes the date as a structured field, RFC 8594 as an HTTP date.
  if (deprecation !== null) headers.push('Deprecation', `@${Math.floor(deprecation.getTime() / 1000)}`)
  if (sunset !== null) headers.push('Sunset', sunset.toUTCString())
  if (sunsetLink !== null) headers.push('Link', `<${sunsetLink}>; rel="sunset"`)
  return headers
}
