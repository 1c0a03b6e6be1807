// An old service: its address with a login, and the headers that requests to it carry.

export type ServiceHeaders = Readonly<Record<string, string>>

/** An old service, and what each request to it carries. */
export interface Service {
  /** Without a query and without a login. */
  readonly url: string
  readonly headers: ServiceHeaders
}

/** What is wrong with a header. The message never holds any part of its text, which may be a secret. */
export class HeaderError extends Error {}

const MAX_HEADERS = 32
/** Bytes of all of them: most servers take 8 KiB for all headers together. */
const MAX_BYTES = 6 * 1024

/** Those that belong to the connection, or to how a message is framed (RFC 9110, RFC 9112). */
const forbidden = [
  ...['Connection', 'Keep-Alive', 'Proxy-Connection', 'Upgrade', 'HTTP2-Settings', 'TE', 'Trailer'],
  ...['Transfer-Encoding', 'Content-Length', 'Content-Encoding', 'Expect', 'Accept-Encoding'],
]

/** As RFC 9110 has a `token`, and the characters of a `field-value`. */
const token = String.raw`[\w!#$%&'*+.^|~\`-]+`
const form = new RegExp(`^(${token}):[ \\t]*([^]*?)[ \\t]*$`)
const value = /^[\t\x20-\x7e\x80-\xff]+$/

/** What settings say about it. */
export const allowedHeaders = `headers such as X-Api-Key: abc, one per line, ${MAX_HEADERS} and ${MAX_BYTES / 1024} KiB at most; not ${forbidden.slice(0, -1).join(', ')} or ${forbidden.at(-1)}`

/**
 * The headers in a text, one per line. Where it has no line break, the two characters `\n` before a name and
 * a colon are one: so several headers fit in one line of a file such as `.env`.
 */
export function linesOf(text: string): string[] {
  const lines = text.includes('\n') ? text.split(/\r?\n/) : text.split(new RegExp(`\\\\n(?=${token}:)`))
  return lines.filter((line) => line.trim() !== '')
}

/**
 * @param lines each `Name: value`
 * @param nameOf what a line is called in a complaint
 * @throws HeaderError
 */
export function readHeaders(
  lines: readonly string[],
  nameOf = (at: number) => `header ${at + 1}`,
): ServiceHeaders {
  if (lines.length > MAX_HEADERS) throw new HeaderError(`there are more than ${MAX_HEADERS} headers`)
  if (lines.join('').length > MAX_BYTES)
    throw new HeaderError(`the headers have more than ${MAX_BYTES / 1024} KiB`)
  const headers = lines.map((line, at) => readHeader(line, nameOf(at)))
  const known = new Set<string>()
  for (const [at, [name]] of headers.entries()) {
    const folded = name.toLowerCase()
    if (known.has(folded)) throw new HeaderError(`${nameOf(at)} has the same name as another one`)
    known.add(folded)
  }
  return Object.freeze(Object.fromEntries(headers))
}

function readHeader(line: string, called: string): readonly [name: string, value: string] {
  const [, name = '', text = ''] = form.exec(line) ?? []
  if (name === '') throw new HeaderError(`${called} is not of the form "Name: value"`)
  const refused = forbidden.find((one) => one.toLowerCase() === name.toLowerCase())
  if (refused !== undefined)
    throw new HeaderError(`${called} is ${refused}, which only this program may set: remove it`)
  if (text === '') throw new HeaderError(`${called} has no value`)
  if (!value.test(text))
    throw new HeaderError(
      `${called} has a character that no header carries: only Latin-1 without control characters is allowed`,
    )
  return [name, text]
}

/** Whether there is one of this name, which is given in lower case. */
export function hasHeader(headers: ServiceHeaders, name: string): boolean {
  return Object.keys(headers).some((one) => one.toLowerCase() === name)
}

/**
 * The headers with the login of an address, if it has one.
 * @returns `null` where they have an Authorization of their own
 */
export function withLogin(headers: ServiceHeaders, authorization: string | null): ServiceHeaders | null {
  if (authorization === null) return headers
  return hasHeader(headers, 'authorization') ? null : { ...headers, Authorization: authorization }
}

/** Characters of a login, as it is written in a URL. */
const MAX_LOGIN_LENGTH = 1_024

/**
 * The Authorization (RFC 7617, in UTF-8) of the login in a URL.
 * @returns `undefined` where it cannot be one
 */
export function readLogin(login: string): string | undefined {
  const [user = '', ...rest] = login.split(':')
  if (login.length > MAX_LOGIN_LENGTH || login === '' || login === ':') return undefined
  try {
    const name = decodeURIComponent(user)
    const credentials = `${name}:${decodeURIComponent(rest.join(':'))}`
    // No user may have a colon: what follows would be taken for the password.
    if (name.includes(':') || /\p{Cc}/u.test(credentials)) return undefined
    return `Basic ${Buffer.from(credentials).toString('base64')}`
  } catch {
    return undefined
  }
}

/** The address of an old service, apart from its login: what shows the address never shows that. */
export interface ServiceAddress {
  /** Without a query, since what it is asked comes behind it. */
  readonly url: string
  /** The Authorization that the login stands for; `null` where there is none. */
  readonly authorization: string | null
}

const serviceUrl = /^(https?:\/\/)(?:([^/?#@\s]*)@)?([^/?#@\s]+(?:\/[^?#@\s]*)?)$/

export function parseServiceUrl(text: string): ServiceAddress | undefined {
  const [, scheme = '', login, rest = ''] = serviceUrl.exec(text) ?? []
  const url = scheme + rest
  const authorization = login === undefined ? null : readLogin(login)
  return authorization !== undefined && URL.canParse(url) ? { url, authorization } : undefined
}
