// Query strings of the legacy interface, as people write and paste them.

/** The first line of a request, alone or in a web server's log. */
const requestLine = /(?:^|")(?:[A-Z]+ (\S+) HTTP\/\d|(?:GET|HEAD) (\S+))/
/** An address with a query between quotation marks, as in a program. */
const quoted = /(['"])((?:https?:\/)?\/[^\s'"]*\?[^\s'"]*)\1/
/** A query string begins with a name. */
const parameter = /^[\w%.-]+=/

/** Whatever may not stand in a URL's query as it is, or would have to be quoted in a shell or a program. */
const unsafe = /[^\w\-.~:%&=+*!(),;/?@]/gu

/**
 * The query string within what a user pasted: a whole URL, a target, a line of a log or of a program, or the
 * query string itself. Characters that a URL cannot hold are encoded; everything else stays as it is, what is
 * wrong with it included.
 */
export function queryWithin(pasted: string): string {
  const text = pasted.trim()
  const [, versioned, bare] = requestLine.exec(text) ?? []
  const address = versioned ?? bare ?? quoted.exec(text)?.[2] ?? text
  const [beforeFragment = ''] = address.split('#', 1)
  if (parameter.test(beforeFragment)) return encodeQuery(beforeFragment)
  const mark = beforeFragment.indexOf('?')
  if (mark !== -1) return encodeQuery(beforeFragment.slice(mark + 1))
  // An address without a query asks for nothing.
  return /^(?:\w+:)?\/|^$/.test(beforeFragment) ? '' : encodeQuery(beforeFragment)
}

function encodeQuery(query: string): string {
  return query.toWellFormed().replace(unsafe, (character) =>
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

/** The format that a query string seems to ask for. */
export function formatOf(query: string): 'JSON' | 'XML' {
  return readQuery(query).get('Format') === 'XML' ? 'XML' : 'JSON'
}

/** The same request in another format; `null` where what is wrong with it is its format. */
export function inFormat(query: string, format: 'JSON' | 'XML'): string | null {
  const isFormat = (part: string) => new URLSearchParams(part).has('Format')
  const parts = query.split('&').filter((part) => part !== '')
  const given = parts.filter(isFormat).map((part) => new URLSearchParams(part).get('Format') ?? '')
  if (given.length > 1 || !given.every((value) => /^(?:|json)$/i.test(value) || value === 'XML')) return null
  const others = parts.filter((part) => !isFormat(part))
  return [...others, ...(format === 'XML' ? ['Format=XML'] : [])].join('&')
}
