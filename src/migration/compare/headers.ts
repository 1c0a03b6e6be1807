// The headers that clients and caches act on: they are compared by what they mean, not by their text.

import type { OldServiceResponse } from '../../stores/old-service/call.ts'

/** A header whose text is shown, and compared by its meaning. A null means anything. */
interface HeaderComparison {
  readonly read: (headers: OldServiceResponse['headers']) => string
  readonly meaning: (text: string) => string | null
}

export const comparedHeaders = {
  'Content-Type': { read: (headers) => headers['content-type'] ?? '', meaning: mediaTypeOf },
  'Cache-Control': { read: (headers) => headers['cache-control'] ?? '', meaning: lifetimeOf },
  // The values are secrets.
  'Set-Cookie': {
    read: (headers) => (headers['set-cookie'] ?? []).map((cookie) => `${cookie.split('=')[0]}=…`).join(' '),
    meaning: (cookies) => (cookies === '' ? 'none' : 'some'),
  },
} satisfies Readonly<Record<string, HeaderComparison>>

export type HeaderName = keyof typeof comparedHeaders
export const headerNames: readonly HeaderName[] = ['Content-Type', 'Cache-Control', 'Set-Cookie']

export function isOtherHeader(name: HeaderName, old: OldServiceResponse, fresh: OldServiceResponse): boolean {
  const { read, meaning } = comparedHeaders[name]
  const [was, is] = [meaning(read(old.headers)), meaning(read(fresh.headers))]
  return was !== null && is !== null && was !== is
}

/** Clients parse a body by its media type; application/xml and text/xml are parsed alike. */
function mediaTypeOf(contentType: string): string | null {
  const [essence = ''] = contentType.toLowerCase().split(';')
  if (essence.trim() === '') return null
  return essence.trim().replace(/^(?:application|text)\/(?:[\w.-]+\+)?(?:x-)?(xml|json)$/, '$1')
}

/** How long a cache may keep a response. Nothing, `max-age=0` and `no-store` are the same: not at all. */
function lifetimeOf(cacheControl: string): string {
  const text = cacheControl.toLowerCase()
  const ages = /\bno-(?:store|cache)\b/.test(text) ? [] : (text.match(/\b(?:s-)?max-?age=0*[1-9]\d*/g) ?? [])
  return [...ages, ...(ages.length > 0 && /\bprivate\b/.test(text) ? ['private'] : [])].toSorted().join()
}
