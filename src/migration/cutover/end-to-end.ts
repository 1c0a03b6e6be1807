// Which headers of a message go on to the other end (RFC 9110, 7.6.1).

/** Headers of one connection, whether or not `Connection` names them. */
const hopByHop: ReadonlySet<string> = new Set([
  ...['connection', 'proxy-connection', 'keep-alive', 'te', 'transfer-encoding', 'upgrade'],
  // The names of fields behind a body: bodies are passed whole, and nothing behind them.
  'trailer',
])

/** Headers, names and values in turn, without those of the connection that they came over. */
export function endToEnd(headers: readonly string[]): string[] {
  const named = namedByConnection(headers)
  return filterHeaders(headers, (name) => !hopByHop.has(name) && !named.has(name))
}

/** @param isKept is given names in lower case */
export function filterHeaders(headers: readonly string[], isKept: (name: string) => boolean): string[] {
  const kept: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? ''
    if (isKept(name.toLowerCase())) kept.push(name, headers[at + 1] ?? '')
  }
  return kept
}

/** All values of a header, whose name is given in lower case; `null` where it is not there. */
export function headerOf(headers: readonly string[], wanted: string): string | null {
  const values = filterHeaders(headers, (name) => name === wanted).filter((_, at) => at % 2 === 1)
  return values.length === 0 ? null : values.join(', ')
}

function namedByConnection(headers: readonly string[]): ReadonlySet<string> {
  const names = headerOf(headers, 'connection')?.toLowerCase().split(',') ?? []
  return new Set(names.map((name) => name.trim()))
}
