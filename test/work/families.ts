// Generators of requests that are made to be expensive, and the worst that each has found so far.

import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import * as graphql from './hostile-graphql.ts'
import * as legacy from './hostile-legacy.ts'
import type { Hostile } from './meter.ts'

const whatever = (requests: fc.Arbitrary<string>): fc.Arbitrary<Hostile> =>
  requests.map((request) => () => request)
export const families: Readonly<Record<string, fc.Arbitrary<Hostile>>> = {
  'lists of names': whatever(legacy.nameLists),
  'query strings': whatever(legacy.queryStrings),
  'lists of ids': whatever(legacy.idLists),
  headers: whatever(legacy.headerFloods),
  chunks: whatever(legacy.chunkedBodies),
  'fragment chains': graphql.fragmentChains,
  'wide selections': graphql.wideSelections,
  repetitions: graphql.repetitions,
  differences: graphql.differences,
  variables: graphql.oddVariables,
  literals: graphql.literals,
  introspection: graphql.introspections,
  bodies: graphql.bodies,
}

export const NONCE = 'NONCE'
const file = new URL('./worst.json', import.meta.url)
type Packed = Readonly<Record<string, string>>
const kept: Packed = JSON.parse(readFileSync(file, 'utf8'))

/** The worst that a generator has found before. */
export function keptOf(family: string): readonly Hostile[] {
  const packed = kept[family]
  if (packed === undefined) return []
  const request = gunzipSync(Buffer.from(packed, 'base64')).toString('latin1')
  return [(nonce) => request.replace(NONCE, nonce.padEnd(NONCE.length).slice(0, NONCE.length))]
}

/** Keeps the worst of each generator. */
export function keepWorst(worst: ReadonlyMap<string, Hostile>): void {
  const packed = [...worst].map(([family, hostile]) => {
    const bytes = Buffer.from(hostile(NONCE), 'latin1')
    return [family, gzipSync(bytes, { level: 9 }).toString('base64')]
  })
  writeFileSync(file, `${JSON.stringify({ ...kept, ...Object.fromEntries(packed) }, null, 2)}\n`)
}

/** What runs for the first time is slow, and says nothing about a request. */
export const warmUp: readonly Hostile[] = Object.values(families).flatMap((family) =>
  fc.sample(family, { numRuns: 6, seed: 1 }),
)
