// Which headers of a message go on to the other end (RFC 9110, 7.6.1).

/** Headers of one connection, whether or not `Connection` names them. */
const hopByHop: ReadonlySet<string> = new Set([
  ...['connection', 'proxy-connection', 'keep-alive', 'te', 'transfer-encoding', 'upgrade'],
  // Names the fields after a body. Bodies are passed on whole, without such fields.
  'trailer',
])

/** The headers, names and values in turn, without those of the connection. */
export function endToEnd(headers: readonly string[]): string[] {
  const named = headerOf(headers, 'connection')?.toLowerCase().split(',') ?? []
  const dropped = new Set([...hopByHop, ...named.map((name) => name.trim())])
  return filterHeaders(headers, (name) => !dropped.has(name))
}

/** @param isKept gets names in lower case */
export function filterHeaders(headers: readonly string[], isKept: (name: string) => boolean): string[] {
  const kept: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? ''
    if (isKept(name.toLowerCase())) kept.push(name, headers[at + 1] ?? '')
  }
  return kept
}

/** All values of a header; `null` if there are none. @param wanted the name in lower case */
export function headerOf(headers: readonly string[], wanted: string): string | null {
  const values = filterHeaders(headers, (name) => name === wanted).filter((_, at) => at % 2 === 1)
  return values.length === 0 ? null : values.join(', ')
}
