// The headers of pages, among them the Content-Security-Policy, and the response with a page.

import { hash } from 'node:crypto'
import { etagOf, type HttpResponse } from '../response.ts'

/** The sources that a Content-Security-Policy allows, by directive. */
type Policy = Readonly<Record<string, string>>

/**
 * The headers of a page for browsers. The page runs only its own scripts, loads nothing from other hosts, and
 * no other site can frame it.
 * @param policy directives in which the page differs
 */
export function pageHeaders(html: string, policy: Policy = {}): Readonly<Record<string, string>> {
  const directives = Object.entries({
    'default-src': "'none'",
    'script-src': hashesOf('script', html),
    'style-src': hashesOf('style', html),
    'img-src': 'data:',
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...policy,
  })
  const allowed = directives.filter(([, sources]) => sources !== '')
  return {
    'Content-Type': 'text/html; charset=utf-8',
    Vary: 'Accept',
    'Content-Security-Policy': allowed.map((directive) => directive.join(' ')).join('; '),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  }
}

/** The hashes of a page's elements of one kind without attributes: a policy calls these elements inline. */
function hashesOf(element: 'script' | 'style', html: string): string {
  const inline = html.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))
  return Array.from(inline, ([, text = '']) => `'sha256-${hash('sha256', text, 'base64')}'`).join(' ')
}

/**
 * A page that sends requests to its own gateway. Browsers revalidate the page by its ETag.
 * @param gzipped the page, if it is sent compressed
 */
export function pageResponse(html: string, policy: Policy = {}, gzipped?: Buffer): HttpResponse {
  const headers = {
    ...pageHeaders(html, { 'connect-src': "'self'", ...policy }),
    'Cache-Control': 'no-cache',
    ...(gzipped && { 'Content-Encoding': 'gzip' }),
  }
  const body = gzipped ?? Buffer.from(html)
  const about = { event: 'page', format: 'HTML', outcome: 'ok', values: 0 } as const
  return { status: 200, headers: Object.entries(headers).flat(), body, etag: etagOf(body), about }
}
