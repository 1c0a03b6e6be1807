import { type Answer, etagOf } from '../answer.ts'
import { type Policy, pageHeaders } from './headers.ts'

interface PageOptions {
  readonly policy: Policy
  /** The page, compressed by gzip. */
  readonly gzipped?: Buffer
}

/** A page that talks to its own gateway. Browsers revalidate it by its ETag. */
export function pageAnswer(html: string, { policy, gzipped }: PageOptions): Answer {
  const headers = {
    ...pageHeaders(html, { 'connect-src': "'self'", ...policy }),
    'Cache-Control': 'no-cache',
    ...(gzipped && { 'Content-Encoding': 'gzip' }),
  }
  const body = gzipped ?? Buffer.from(html)
  const about = { event: 'page', format: 'HTML', outcome: 'ok', values: 0 } as const
  return { status: 200, headers: Object.entries(headers).flat(), body, etag: etagOf(body), about }
}
