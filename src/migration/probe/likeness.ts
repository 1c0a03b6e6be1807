// The likeness of two responses: the score that the search raises.

import type { LegacyResponse } from '../../legacy/errors.ts'
import { isFields } from '../compare/meaning.ts'
import { meaningOfResponse, responseOf } from './responses.ts'

/** A response as a list of values, each with the names that lead to it. */
export interface Leaves {
  readonly status: number
  readonly leaves: readonly string[]
}

/** The likeness of two responses with the same meaning. */
export const SAME = 1000

/**
 * Characters of a body that is cut into values: a list of 60 rows has 20,000. The search compares each
 * response hundreds of times.
 */
const MAX_LENGTH = 100_000

export function leavesOf(response: LegacyResponse): Leaves {
  const { status, body } = response
  if (body.length > MAX_LENGTH) return { status, leaves: [body] }
  const meaning = meaningOfResponse(responseOf(response))
  // JSON and XML that are not well-formed may have the same pieces.
  if (meaning.kind !== 'entries') return { status, leaves: body.split(/(?=[<{,])/) }
  const { format, root, entries } = meaning
  const leaves = [...entries].flatMap(([name, entry]) =>
    isFields(entry)
      ? entry.map(([field, { type, text }]) => `${name}\0${field}\0${type} ${text}`)
      : [`${name}\0${entry.type} ${entry.text}`],
  )
  // The order of entries in JSON is layout: it counts in the bytes only.
  return { status, leaves: [`${format} ${root}`, ...(format === 'JSON' ? leaves.toSorted() : leaves)] }
}

/** From 0 to SAME. */
export function likeness(one: Leaves, other: Leaves): number {
  const isSame =
    one.leaves.length === other.leaves.length && one.leaves.every((leaf, at) => leaf === other.leaves[at])
  const most = Math.max(one.leaves.length, other.leaves.length, 1)
  const left = Map.groupBy(one.leaves, (leaf) => leaf)
  const common = other.leaves.filter((leaf) => left.get(leaf)?.pop() !== undefined).length
  const shared = isSame ? SAME : Math.floor((900 * common) / most)
  if (one.status === other.status) return 100 + Math.floor(0.9 * shared)
  // A refusal is more like a refusal of another status than like entries.
  return (shared >> 1) + (one.status >= 400 && other.status >= 400 ? 50 : 0)
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
