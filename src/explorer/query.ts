// Query strings of the legacy interface, as people write and paste them.

/** A line of a web server's log, or the first line of a request. */
const requestLine = /(?:^|")(?:GET|HEAD|POST) (\S+)/

/** Everything that a URL's query may hold as it is, and that needs no quoting in any language. */
const plain = /[^\w\-.~:%&=+*!(),;/?@[\]]/gu

/**
 * The query string within what someone pasted: a whole URL, a target, a line of a log, or the query string itself.
 * Characters that a URL cannot hold are encoded; everything else stays as it is, what is wrong with it included.
 */
export function queryWithin(pasted: string): string {
  const text = pasted.trim()
  const target = requestLine.exec(text)?.[1] ?? text
  const [beforeFragment = ''] = target.split('#', 1)
  const mark = beforeFragment.indexOf('?')
  if (mark !== -1) return encodeQuery(beforeFragment.slice(mark + 1))
  // An address without a query asks for nothing.
  return /^(?:\w+:)?\/|^$/.test(beforeFragment) ? '' : encodeQuery(beforeFragment)
}

function encodeQuery(query: string): string {
  return query.toWellFormed().replace(plain, (character) =>
    // encodeURIComponent leaves the apostrophe alone, which ends texts in many languages.
    character === "'" ? '%27' : encodeURIComponent(character),
  )
}

/** A query string of names and values; colons stay readable, since lists are made of them. */
export function writeQuery(parameters: Iterable<readonly [name: string, value: string]>): string {
  const encode = (text: string) => encodeQuery(encodeURIComponent(text.toWellFormed())).replaceAll('%3A', ':')
  return Array.from(parameters, ([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
}

/** What can be read of a query string; of a parameter that comes twice, the first. */
export function readQuery(query: string): ReadonlyMap<string, string> {
  const read = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(query)) if (!read.has(name)) read.set(name, value)
  return read
}

/** The same request in another format. */
export function inFormat(query: string, format: 'JSON' | 'XML'): string {
  const others = query.split('&').filter((part) => !new URLSearchParams(part).has('Format') && part !== '')
  return [...others, ...(format === 'XML' ? ['Format=XML'] : [])].join('&')
}
