// Accept-Encoding (RFC 9110, 12.5.3): in which content coding a client wants an answer.

import { createHeaderReader } from '../header-reader.ts'

/** The content codings that answers may have. Of those that a client likes alike, the first is taken. */
export const codings = ['zstd', 'br', 'gzip'] as const
export type Coding = (typeof codings)[number]

/** Characters of an Accept-Encoding header that is read. Browsers send 23; a longer one asks for nothing. */
const MAX_ACCEPT_ENCODING_LENGTH = 200

/** An element of the list: a coding, `identity` or `*`, and its weight from 0 to 1. */
const element = /^[\t ]*([\w!#$%&'*+.^`|~-]+)(?:[\t ]*;[\t ]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?[\t ]*$/

const read = createHeaderReader(MAX_ACCEPT_ENCODING_LENGTH, choose)

/**
 * The coding that a client wants; `null` for none: it names none that there is, or likes the answer better as
 * it is. One that refuses both gets the answer as it is.
 */
export function codingFor(acceptEncoding: string | undefined): Coding | null {
  if (acceptEncoding === undefined || acceptEncoding.length > MAX_ACCEPT_ENCODING_LENGTH) return null
  return read(acceptEncoding)
}

function choose(text: string): Coding | null {
  const weights = weightsOf(text)
  const isNamed = (coding: Coding) => weights.has(coding)
  // `*` is all that is not named. Some clients that send it know only the oldest of these.
  const others = codings.filter((coding) => !isNamed(coding)).toReversed()
  let best = weights.get('identity') ?? 0
  let chosen: Coding | null = null
  for (const coding of [...codings.filter(isNamed), ...others]) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0
    const isLikedAsIdentity = chosen === null && weight === best && weight > 0
    if (weight <= best && !isLikedAsIdentity) continue
    chosen = coding
    best = weight
  }
  return chosen
}

/** By name, in lower case. What is no element of the list says nothing. */
function weightsOf(text: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const part of text.toLowerCase().split(',')) {
    const [, name, weight] = element.exec(part) ?? []
    // RFC 9110, 8.4.1.3: it has two names.
    if (name !== undefined) weights.set(name === 'x-gzip' ? 'gzip' : name, Number(weight ?? 1))
  }
  return weights
}
