import { hash } from 'node:crypto'

/** What a Content-Security-Policy allows, by directive. */
type Policy = Readonly<Record<string, string>>

/**
 * The headers of a page for browsers. Everything is in the page itself: it runs the scripts it came with and
 * no others, talks to its own gateway and to no other host, and is shown in no other site's frame.
 * @param exceptions directives in which its policy differs
 */
export function pageHeaders(html: string, exceptions: Policy = {}): string[] {
  const policy: Policy = {
    'default-src': "'none'",
    'script-src': hashesOf('script', html),
    'style-src': hashesOf('style', html),
    'img-src': 'data:',
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...exceptions,
  }
  const directives = Object.entries(policy).map(([directive, sources]) => `${directive} ${sources}`)
  return [
    ...['Content-Type', 'text/html; charset=utf-8', 'Cache-Control', 'no-cache', 'Vary', 'Accept'],
    ...['Content-Security-Policy', directives.join('; ')],
    ...['X-Content-Type-Options', 'nosniff', 'X-Frame-Options', 'DENY', 'Referrer-Policy', 'no-referrer'],
    ...['Cross-Origin-Opener-Policy', 'same-origin', 'Cross-Origin-Resource-Policy', 'same-origin'],
    ...['Permissions-Policy', 'camera=(), geolocation=(), microphone=()'],
  ]
}

/** The hash of each element of a kind that has no attributes: what a policy calls inline. */
function hashesOf(element: 'script' | 'style', html: string): string {
  const inline = html.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))
  return Array.from(inline, ([, text = '']) => `'sha256-${hash('sha256', text, 'base64')}'`).join(' ')
}
