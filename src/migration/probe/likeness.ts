// The likeness of two responses: the score that the search raises.

import type { LegacyResponse } from '../../legacy/errors.ts'
import { isFields } from '../compare/meaning.ts'
import { meaningOfResponse, responseOf } from './responses.ts'

/** A response as a list of values, each with the names that lead to it. */
export interface Leaves {
  readonly status: number
  readonly leaves: readonly string[]
  /** The leaves without the names of their entries. */
  readonly values: readonly string[]
}

/** The likeness of two responses with the same meaning. */
export const SAME = 1000

/**
 * Characters of a body that is cut into values: a list of 60 rows has 20,000. The search compares each
 * response hundreds of times.
 */
const MAX_LENGTH = 100_000

export function leavesOf(response: LegacyResponse): Leaves {
  const leaves = textsOf(response)
  return { status: response.status, leaves, values: leaves.map(lastOf) }
}

function textsOf(response: LegacyResponse): readonly string[] {
  const { body } = response
  if (body.length > MAX_LENGTH) return [body]
  const meaning = meaningOfResponse(responseOf(response))
  // JSON and XML that are not well-formed may have the same pieces.
  if (meaning.kind !== 'entries') return body.split(/(?=[<{,])/)
  const { format, root, entries } = meaning
  const leaves = [...entries].flatMap(([name, entry]) =>
    isFields(entry)
      ? entry.map(([field, { type, text }]) => `${name}\0${field}\0${type} ${text}`)
      : [`${name}\0${entry.type} ${entry.text}`],
  )
  // The order of entries in JSON is layout: it counts in the bytes only.
  return [`${format} ${root}`, ...(format === 'JSON' ? leaves.toSorted() : leaves)]
}

/** From 0 to SAME. A value under another name counts a third. */
export function likeness(one: Leaves, other: Leaves): number {
  const isSame =
    one.leaves.length === other.leaves.length && one.leaves.every((leaf, at) => leaf === other.leaves[at])
  const most = Math.max(one.leaves.length, other.leaves.length, 1)
  const inPlace = common(one.leaves, other.leaves)
  const anywhere = common(one.values, other.values)
  const shared = isSame ? SAME : Math.floor((600 * inPlace + 300 * anywhere) / most)
  if (one.status === other.status) return 100 + Math.floor(0.9 * shared)
  // A refusal is more like a refusal of another status than like entries.
  return (shared >> 1) + (one.status >= 400 && other.status >= 400 ? 50 : 0)
}

/** A value and the name before it. */
function lastOf(leaf: string): string {
  const end = leaf.lastIndexOf('\0')
  return end < 1 ? leaf : leaf.slice(leaf.lastIndexOf('\0', end - 1) + 1)
}

/** How many texts two lists have in common. Only the shorter one is counted: the search calls this often. */
function common(one: readonly string[], other: readonly string[]): number {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  const counts = new Map<string, number>()
  for (const leaf of short) counts.set(leaf, (counts.get(leaf) ?? 0) + 1)
  let shared = 0
  for (const leaf of long) {
    const left = counts.get(leaf) ?? 0
    if (left === 0) continue
    shared++
    counts.set(leaf, left - 1)
  }
  return shared
}

/** How many characters two texts have in common at their starts and at their ends. */
export function sharedEnds(one: string, other: string): { readonly start: number; readonly end: number } {
  const most = Math.min(one.length, other.length)
  let start = 0
  while (start < most && one.charCodeAt(start) === other.charCodeAt(start)) start++
  let end = 0
  while (
    end < most - start &&
    one.charCodeAt(one.length - 1 - end) === other.charCodeAt(other.length - 1 - end)
  )
    end++
  return { start, end }
}
