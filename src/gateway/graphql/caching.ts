import type { GraphqlType } from '../accept.ts'
import { type Answer, etagOf } from '../answer.ts'

/**
 * What caches may do with the answer to a GET request (RFC 9111): keep a whole one, for so many seconds, and
 * ask again by its ETag, which is another one for each media type. One with an error may be another the next
 * time.
 */
export function withCaching(answer: Answer, type: GraphqlType | null, maxAge: number): Answer {
  const isWhole = answer.status === 200 && answer.about.outcome === 'ok'
  const cacheControl = isWhole ? `public, max-age=${maxAge}` : 'no-store'
  return {
    ...answer,
    headers: [...answer.headers, 'Vary', 'Accept', 'Cache-Control', cacheControl],
    etag: isWhole ? etagOf(`${type} ${answer.body}`) : null,
  }
}
