// Reads an Accept header (RFC 9110, 12.5.1): whether the client prefers a page to JSON, and the media type of
// its GraphQL responses.

import { createHeaderReader } from './header-reader.ts'

/** Characters of an Accept header that are read. Browsers send some hundred. */
const MAX_ACCEPT_LENGTH = 1000

/** The media types of a GraphQL response in one piece. The first one is the default. */
const responseTypes = ['application/json', 'application/graphql-response+json'] as const
const streamTypes = ['text/event-stream', 'multipart/mixed'] as const

export type ResponseType = (typeof responseTypes)[number]
export type GraphqlType = ResponseType | (typeof streamTypes)[number]

interface AcceptableTypes {
  /** Whether text/html has a higher quality than the JSON types that the client names. */
  readonly html: boolean
  /** The media type of a GraphQL response; `null` if the client accepts none of them. */
  readonly graphql: GraphqlType | null
}

const read = createHeaderReader(MAX_ACCEPT_LENGTH, (header): AcceptableTypes => {
  // In the client's order. If a type comes twice, its best quality counts.
  const qualities = new Map<string, number>()
  for (const range of header.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    // RFC 9110 allows empty members of a list.
    if (type !== '') qualities.set(type, Math.max(qualities.get(type) ?? 0, qualityOf(parameters)))
  }
  const named = (type: string) => qualities.get(type) ?? 0
  const html = named('text/html') > Math.max(...responseTypes.map(named))
  // An empty header means no header.
  if (qualities.size === 0) return { html, graphql: 'application/json' }
  /** The most specific range that matches a type decides. */
  const qualityFor = (type: string) =>
    qualities.get(type) ?? qualities.get(type.replace(/\/.*/, '/*')) ?? named('*/*')
  // A tie is decided by the client's order; streams are last.
  const inOrder = [...qualities.keys()].flatMap((name) => responseTypes.filter((type) => type === name))
  const candidates = [...inOrder, ...responseTypes, ...streamTypes]
  const [best] = candidates.toSorted((a, b) => qualityFor(b) - qualityFor(a))
  return { html, graphql: best !== undefined && qualityFor(best) > 0 ? best : null }
})

/** @param header by default, everything is accepted */
export function accepted(header = '*/*'): AcceptableTypes {
  return read(header)
}

export function isResponseType(type: GraphqlType | null): type is ResponseType {
  return responseTypes.some((one) => one === type)
}

/** The media type of a refusal, which is never streamed. @param type that the client accepts */
export function refusalTypeFor(type: GraphqlType | null): ResponseType {
  return isResponseType(type) ? type : 'application/json'
}

/** From 0, which refuses a type, to 1. */
function qualityOf(parameters: readonly string[]): number {
  const textOf = (name: string) =>
    parameters.find((parameter) => parameter.startsWith(`${name}=`))?.slice(name.length + 1)
  // Every response is UTF-8.
  if (!/^"?utf-?8"?$/.test(textOf('charset') ?? 'utf-8')) return 0
  const quality = Number(textOf('q') ?? 1)
  return quality > 0 && quality <= 1 ? quality : 0
}
