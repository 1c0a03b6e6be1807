// The URL of an old service with its login, and the headers of requests to the service.

export type ServiceHeaders = Readonly<Record<string, string>>

/** An old service as requests need it. */
export interface OldServiceTarget {
  /** Without a query and without a login. */
  readonly url: string
  readonly headers: ServiceHeaders
}

/** A URL and its login, apart: code that shows the URL cannot show the login. */
export interface ServiceAddress {
  /** Without a query: each request appends one. */
  readonly url: string
  /** The Authorization header with the login, or `null`. */
  readonly authorization: string | null
}

const serviceUrl = /^(https?:\/\/)(?:([^/?#@\s]*)@)?([^/?#@\s]+(?:\/[^?#@\s]*)?)$/

export function parseServiceUrl(text: string): ServiceAddress | undefined {
  const [, scheme = '', login, rest = ''] = serviceUrl.exec(text) ?? []
  const url = scheme + rest
  const authorization = login === undefined ? null : readLogin(login)
  return authorization !== undefined && URL.canParse(url) ? { url, authorization } : undefined
}

/** Characters of a percent-encoded login. */
const MAX_LOGIN_LENGTH = 1_024

/** @returns the Authorization header (RFC 7617, in UTF-8), or `undefined` if the login is malformed */
function readLogin(login: string): string | undefined {
  const [user = '', ...rest] = login.split(':')
  if (login.length > MAX_LOGIN_LENGTH || login === '' || login === ':') return undefined
  try {
    const name = decodeURIComponent(user)
    const credentials = `${name}:${decodeURIComponent(rest.join(':'))}`
    // The password begins after the first colon, so a user name cannot have a colon.
    if (name.includes(':') || /\p{Cc}/u.test(credentials)) return undefined
    return `Basic ${Buffer.from(credentials).toString('base64')}`
  } catch {
    return undefined
  }
}

const MAX_HEADERS = 32
/** Bytes of all of them: most servers accept 8 KiB for all headers of a request. */
const MAX_BYTES = 6 * 1024

/** Headers about the connection or the framing of a message (RFC 9110, RFC 9112). */
const forbidden = [
  ...['Connection', 'Keep-Alive', 'Proxy-Connection', 'Upgrade', 'HTTP2-Settings', 'TE', 'Trailer'],
  ...['Transfer-Encoding', 'Content-Length', 'Content-Encoding', 'Expect', 'Accept-Encoding'],
]

export const allowedHeaders = `headers such as X-Api-Key: abc, one per line, ${MAX_HEADERS} and ${MAX_BYTES / 1024} KiB at most; not ${forbidden.slice(0, -1).join(', ')} or ${forbidden.at(-1)}`

/** A character of a header name: `tchar` of RFC 9110. */
const nameCharacter = String.raw`[\w!#$%&'*+.^|~\`-]`
/** The pattern of a header name in a setting. */
export const headerName = `${nameCharacter}{1,64}`
const form = new RegExp(`^(${nameCharacter}+):[ \\t]*([^]*?)[ \\t]*$`)
/** The `field-value` of RFC 9110. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]+$/

/**
 * The headers in a text, one per line. In a text of one line, the two characters `\n` before a name and a
 * colon are a line break: several headers fit in one line of a file such as `.env`.
 */
export function linesOf(text: string): string[] {
  const lines = text.includes('\n')
    ? text.split(/\r?\n/)
    : text.split(new RegExp(`\\\\n(?=${nameCharacter}+:)`))
  return lines.filter((line) => line.trim() !== '')
}

/**
 * @param lines each `Name: value`
 * @param nameOf what a complaint calls a line
 * @returns the headers, or a complaint without any part of their text, which may be a secret
 */
export function readHeaders(
  lines: readonly string[],
  nameOf = (at: number) => `header ${at + 1}`,
): ServiceHeaders | string {
  if (lines.length > MAX_HEADERS) return `there are more than ${MAX_HEADERS} headers`
  if (lines.join('').length > MAX_BYTES) return `the headers have more than ${MAX_BYTES / 1024} KiB`
  const headers = new Map<string, readonly [name: string, value: string]>()
  for (const [at, line] of lines.entries()) {
    const [, name = '', value = ''] = form.exec(line) ?? []
    const key = name.toLowerCase()
    if (name === '') return `${nameOf(at)} is not of the form "Name: value"`
    if (!fieldValue.test(value)) return `${nameOf(at)} has no value, or a character that no header carries`
    if (headers.has(key)) return `${nameOf(at)} has the same name as another one`
    const refused = forbidden.find((one) => one.toLowerCase() === key)
    if (refused !== undefined)
      return `${nameOf(at)} is ${refused}, which only this program may set: remove it`
    headers.set(key, [name, value])
  }
  return Object.freeze(Object.fromEntries(headers.values()))
}

/** @param name in lower case */
export function hasHeader(headers: ServiceHeaders, name: string): boolean {
  return Object.keys(headers).some((one) => one.toLowerCase() === name)
}

/** Adds the login of an address. @returns `null` if the headers have their own Authorization */
export function withLogin(headers: ServiceHeaders, authorization: string | null): ServiceHeaders | null {
  if (authorization === null) return headers
  return hasHeader(headers, 'authorization') ? null : { ...headers, Authorization: authorization }
}
