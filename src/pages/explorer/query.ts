// Query strings of the legacy interface, as people type and paste them.

/** A typed query string begins with the name of a parameter. */
const typed = /^\/?\??([\w%.-]+=[^#]*)/
/** A query string within a URL, or within a line of a log or of a program. */
const pasted = /\?([^\s"'#]*)/

/**
 * Finds the query string in a text, and encodes what a URL cannot hold. Mistakes stay, for example a broken
 * percent-encoding: the gateway is to explain the mistake.
 */
export function queryWithin(text: string): string {
  const [, query = ''] = typed.exec(text.trim()) ?? pasted.exec(text) ?? []
  // curl expands brackets and braces.
  return new URL(`http://gateway/?${query}`).search.slice(1).replace(/[[\]{}]/g, encodeURIComponent)
}

/** In a POSIX shell, nothing is special between apostrophes but the apostrophe. */
export function curlFor(url: string): string {
  return `curl '${url.replaceAll("'", String.raw`'\''`)}'`
}
