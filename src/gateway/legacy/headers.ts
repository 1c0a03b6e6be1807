import type { Dialect } from '../../settings.ts'

/** The headers every legacy answer carries, whatever its status: names and values in turn. */
export function legacyHeaders({ deprecation, sunset, sunsetLink }: Dialect): readonly string[] {
  const headers = ['Access-Control-Allow-Origin', '*', 'X-Content-Type-Options', 'nosniff']
  /** What a page of another site may read, besides what every page may (Fetch: safelisted names). */
  const exposed = ['ETag', 'Retry-After', 'X-Request-Id']
  function add(name: string, value: string): void {
    headers.push(name, value)
    exposed.push(name)
  }
  // RFC 9745 writes the date as a structured field, RFC 8594 as an HTTP date.
  if (deprecation !== null) add('Deprecation', `@${Math.floor(deprecation.getTime() / 1000)}`)
  if (sunset !== null) add('Sunset', sunset.toUTCString())
  // RFC 9745 section 3, RFC 8594 section 6: one page tells of both.
  if (sunsetLink !== null) add('Link', `<${sunsetLink}>; rel="deprecation", <${sunsetLink}>; rel="sunset"`)
  return [...headers, 'Access-Control-Expose-Headers', exposed.join(', ')]
}
