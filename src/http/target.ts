/** Bytes of a request target (contract: longer is 414). */
export const MAX_TARGET_BYTES = 64 * 1024

/**
 * Bytes of the headers of a request; longer ones are 431. Node's own limit, which counts the target as well,
 * is larger.
 */
export const MAX_HEADER_BYTES = 32 * 1024

/** The two parts of a request target that matter here, exactly as they came. */
export interface Target {
  readonly pathname: string
  /** Without its `?`. */
  readonly query: string
}

const origin = /^https?:\/\/[^/?#]*/i

/** A client that takes the gateway for a proxy sends the absolute form (RFC 9112, 3.2.2). */
export function withoutOrigin(url: string): string {
  return url.startsWith('/') ? url : url.replace(origin, '')
}

/**
 * Splits a request target. PHP's servers cut a fragment off. `new URL` would rewrite the target (`//host/…` becomes
 * another host, backslashes become slashes), and what is routed must be what was sent.
 */
export function parseTarget(url: string): Target {
  const whole = withoutOrigin(url)
  const end = whole.indexOf('#')
  const target = end === -1 ? whole : whole.slice(0, end)
  const mark = target.indexOf('?')
  const pathname = mark === -1 ? target : target.slice(0, mark)
  return { pathname: pathname === '' ? '/' : pathname, query: mark === -1 ? '' : target.slice(mark + 1) }
}
