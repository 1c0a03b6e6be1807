// The target of a request, and its limits.

/** Bytes of a request target (contract: a longer one is 414). */
export const MAX_TARGET_BYTES = 64 * 1024

/**
 * Bytes of the headers of a request; longer ones are 431. Node's own limit also counts the target, and is
 * larger.
 */
export const MAX_HEADER_BYTES = 32 * 1024

const origin = /^https?:\/\/[^/?#]*/i

/** Removes the scheme and host of the absolute form, which clients send to proxies (RFC 9112, 3.2.2). */
export function withoutOrigin(url: string): string {
  return url.startsWith('/') ? url : url.replace(origin, '')
}

/**
 * Splits a target into its path and its query (without `?`), byte for byte. `new URL` would rewrite the
 * target: `//host/path` becomes another host, and backslashes become slashes. A fragment is cut off, as PHP's
 * servers do.
 */
export function parseTarget(url: string): { readonly pathname: string; readonly query: string } {
  const whole = withoutOrigin(url)
  const end = whole.indexOf('#')
  const target = end === -1 ? whole : whole.slice(0, end)
  const mark = target.indexOf('?')
  const pathname = mark === -1 ? target : target.slice(0, mark)
  return { pathname: pathname === '' ? '/' : pathname, query: mark === -1 ? '' : target.slice(mark + 1) }
}
