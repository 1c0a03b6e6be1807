// What a client accepts (RFC 9110, 12.5.1): a page or data, and which media type of a GraphQL response.

import { createHeaderReader } from './header-reader.ts'

/** Characters of an Accept header that are read. Browsers send some hundred. */
const MAX_ACCEPT_LENGTH = 1000

/** The media types of GraphQL responses: a stream only for a client that prefers a stream. */
const graphqlTypes = [
  'application/json',
  'application/graphql-response+json',
  'text/event-stream',
  'multipart/mixed',
] as const

export type GraphqlType = (typeof graphqlTypes)[number]

interface Accepted {
  /** Whether HTML is named, and preferred to the types that programs name. */
  readonly html: boolean
  /** The media type of a GraphQL response; `null` if the client accepts none of them. */
  readonly graphql: GraphqlType | null
}

interface Range {
  readonly type: string
  /** From 0 to 1; 0 refuses the type. */
  readonly quality: number
}

const read = createHeaderReader(MAX_ACCEPT_LENGTH, (text): Accepted => {
  const ranges = text.split(',').flatMap(rangeOf)
  return { html: prefersHtml(ranges), graphql: graphqlTypeFor(ranges) }
})

/** @param header a request without an Accept header accepts everything */
export function accepted(header = '*/*'): Accepted {
  return read(header)
}

function rangeOf(text: string): Range[] {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  // A member of a list may be empty.
  if (type === '') return []
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  const isReadable = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  return [{ type, quality: isReadable ? qualityOf(weight?.slice(2) ?? '1') : 0 }]
}

function qualityOf(weight: string): number {
  const quality = Number(weight)
  return quality > 0 && quality <= 1 ? quality : 0
}

function prefersHtml(ranges: readonly Range[]): boolean {
  const best = (...types: string[]) =>
    Math.max(0, ...ranges.filter(({ type }) => types.includes(type)).map(({ quality }) => quality))
  return best('text/html') > best('application/json', 'application/graphql-response+json')
}

/** The type with the highest quality. Among equals, a stream is last, and the first name wins. */
function graphqlTypeFor(ranges: readonly Range[]): GraphqlType | null {
  // An empty header counts as none.
  if (ranges.length === 0) return 'application/json'
  const named = ranges.map(({ type }) => type)
  let chosen: GraphqlType | null = null
  let best = 0
  let bestOrder = Number.POSITIVE_INFINITY
  for (const type of graphqlTypes) {
    const own = named.indexOf(type)
    const at = [own, named.indexOf(type.replace(/\/.*/, '/*')), named.indexOf('*/*')].find(
      (index) => index >= 0,
    )
    const quality = at === undefined ? 0 : (ranges[at]?.quality ?? 0)
    const isStream = type === 'text/event-stream' || type === 'multipart/mixed'
    const order = own < 0 || isStream ? ranges.length : own
    if (quality > best || (quality > 0 && quality === best && order < bestOrder)) {
      chosen = type
      best = quality
      bestOrder = order
    }
  }
  return chosen
}
