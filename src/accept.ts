// Reads an Accept header (RFC 9110, 12.5.1): whether the client prefers a page to JSON, and the media type of
// its GraphQL responses.

import { createHeaderReader } from './header-reader.ts'

/** Characters of an Accept header that are read. Browsers send some hundred. */
const MAX_ACCEPT_LENGTH = 1000

/** The media types of a GraphQL response in one piece. The first one is the default. */
const wholeTypes = ['application/json', 'application/graphql-response+json'] as const
const streamTypes = ['text/event-stream', 'multipart/mixed'] as const

export type GraphqlType = (typeof wholeTypes)[number] | (typeof streamTypes)[number]

interface AcceptableTypes {
  /** Whether text/html has a higher quality than the JSON types that the client names. */
  readonly html: boolean
  /** The media type of a GraphQL response; `null` if the client accepts none of them. */
  readonly graphql: GraphqlType | null
}

/** The quality of each media range in a header, in its order: 1 is best, 0 refuses the type. */
type Qualities = ReadonlyMap<string, number>

const read = createHeaderReader(MAX_ACCEPT_LENGTH, (header): AcceptableTypes => {
  const qualities = qualitiesIn(header)
  return { html: prefersHtml(qualities), graphql: graphqlTypeFor(qualities) }
})

/** @param header by default, everything is accepted */
export function accepted(header = '*/*'): AcceptableTypes {
  return read(header)
}

function qualitiesIn(header: string): Qualities {
  const qualities = new Map<string, number>()
  for (const range of header.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    // RFC 9110 allows empty members of a list. If a type comes twice, its best quality counts.
    if (type !== '') qualities.set(type, Math.max(qualities.get(type) ?? 0, qualityOf(parameters)))
  }
  return qualities
}

function qualityOf(parameters: readonly string[]): number {
  const textOf = (name: string) =>
    parameters.find((parameter) => parameter.startsWith(`${name}=`))?.slice(name.length + 1)
  // Every response is UTF-8.
  if (!/^"?utf-?8"?$/.test(textOf('charset') ?? 'utf-8')) return 0
  const quality = Number(textOf('q') ?? 1)
  return quality > 0 && quality <= 1 ? quality : 0
}

function prefersHtml(qualities: Qualities): boolean {
  const best = (types: readonly string[]) => Math.max(...types.map((type) => qualities.get(type) ?? 0))
  return best(['text/html']) > best(wholeTypes)
}

/** The type with the highest quality. A tie is decided by the client's order; streams are last. */
function graphqlTypeFor(qualities: Qualities): GraphqlType | null {
  // An empty header means no header.
  if (qualities.size === 0) return 'application/json'
  const named = [...qualities.keys()].flatMap((name) => wholeTypes.filter((type) => type === name))
  const [best] = [...named, ...wholeTypes, ...streamTypes]
    .map((type) => ({ type, quality: qualityFor(type, qualities) }))
    .toSorted((a, b) => b.quality - a.quality)
  return best !== undefined && best.quality > 0 ? best.type : null
}

/** The most specific range that matches a type decides. */
function qualityFor(type: string, qualities: Qualities): number {
  const anySubtype = type.replace(/\/.*/, '/*')
  return qualities.get(type) ?? qualities.get(anySubtype) ?? qualities.get('*/*') ?? 0
}
