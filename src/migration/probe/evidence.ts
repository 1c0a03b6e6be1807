// The responses of an old service, and how well a dialect explains them: the score that the search raises.

import type { Dialect } from '../../legacy/dialect.ts'
import type { LegacyResponse } from '../../legacy/errors.ts'
import { createFacade } from '../../legacy/facade.ts'
import { type KnownRows, legacyResponseTo, rowFinder } from '../../legacy/known-rows.ts'
import { isFields } from '../compare/meaning.ts'
import type { MaskResponse } from './changes.ts'
import { keyOf, meaningOfResponse, responseOf } from './responses.ts'

/** The responses of the old service, read once for all searches. */
export interface Evidence {
  readonly rows: KnownRows
  readonly maxValues: number
  readonly mask: MaskResponse
  /** @param base a dialect that differs only at `path`, so that some of its scores stay */
  readonly judge: (dialect: Dialect, base?: DialectCandidate, path?: readonly string[]) => DialectCandidate
  /** The score of a dialect that explains everything. */
  readonly most: number
}

export interface DialectCandidate {
  readonly dialect: Dialect
  /** The sum of all requests. */
  readonly score: number
  readonly each: readonly { readonly score: number; readonly isXml: boolean }[]
}

/** The likeness of two responses with the same meaning. */
const SAME = 1000
/** The weight of the meaning, which counts first. Then the bytes count (up to `2 * SAME`) and the type. */
const MEANING = 1_000_000
const TYPE_SCORE = 100
const SAME_BYTES = 2 * SAME + TYPE_SCORE

interface EvidenceOptions extends Pick<Evidence, 'rows' | 'maxValues' | 'mask'> {
  /** By query string. */
  readonly responses: ReadonlyMap<string, LegacyResponse>
}

export function createEvidence({ responses, rows, maxValues, mask }: EvidenceOptions): Evidence {
  const find = rowFinder(rows)
  const samples = [...responses].map(([query, response]) => {
    const old = mask(response)
    // Most dialects make one of a few responses to a request.
    return { query, old, leaves: leavesOf(old), scores: new Map<string, number>() }
  })
  const judge: Evidence['judge'] = (dialect, base, [group] = []) => {
    const facade = createFacade(dialect, maxValues)
    const each = samples.map(({ query, old, leaves, scores }, at) => {
      const before = base?.each[at]
      // How XML is written does not change JSON.
      if (before !== undefined && (before.isXml ? group === 'json' : group === 'xml' || group === 'cdata'))
        return before
      const response = mask(legacyResponseTo(facade, find, query))
      const key = keyOf(response)
      const score = scores.get(key) ?? scoreOf(response, old, leaves)
      scores.set(key, score)
      return { score, isXml: /^[^<[{]*</.test(response.body) }
    })
    return { dialect, score: each.reduce((sum, { score }) => sum + score, 0), each }
  }
  return { rows, maxValues, mask, judge, most: samples.length * (SAME * MEANING + SAME_BYTES) }
}

function scoreOf(response: LegacyResponse, old: LegacyResponse, leaves: readonly string[]): number {
  const type = old.type === response.type ? TYPE_SCORE : 0
  if (old.body === response.body && old.status === response.status) return SAME * MEANING + 2 * SAME + type
  const { start, end } = sharedEnds(old.body, response.body)
  const longest = Math.max(old.body.length, response.body.length, 1)
  const bytes = old.body === response.body ? 2 * SAME : Math.floor((SAME * (start + end)) / longest)
  const shared = likeness(leaves, leavesOf(response))
  // With the same status, the meaning has 100 to 1,000 points; otherwise it has half of its likeness. A
  // refusal is more like a refusal of another status than like entries.
  const otherStatus = (shared >> 1) + (old.status >= 400 && response.status >= 400 ? 50 : 0)
  const meaning = old.status === response.status ? 100 + Math.floor(0.9 * shared) : otherStatus
  return meaning * MEANING + bytes + type
}

/**
 * Characters of a body that is cut into values: a list of 60 rows has 20,000. The search compares each
 * response hundreds of times.
 */
const MAX_LENGTH = 100_000

/** A response as a list of values, each with the names that lead to it. */
function leavesOf(response: LegacyResponse): readonly string[] {
  if (response.body.length > MAX_LENGTH) return [response.body]
  const meaning = meaningOfResponse(responseOf(response))
  // JSON and XML that are not well-formed may have the same pieces.
  if (meaning.kind !== 'entries') return response.body.split(/(?=[<{,])/)
  const { format, root, entries } = meaning
  const leaves = [...entries].flatMap(([name, entry]) =>
    isFields(entry)
      ? entry.map(([field, { type, text }]) => `${name}\0${field}\0${type} ${text}`)
      : [`${name}\0${entry.type} ${entry.text}`],
  )
  // The order of entries in JSON is layout: it counts in the bytes only.
  return [`${format} ${root}`, ...(format === 'JSON' ? leaves.toSorted() : leaves)]
}

/** From 0 to SAME. */
function likeness(one: readonly string[], other: readonly string[]): number {
  if (one.length === other.length && one.every((leaf, at) => leaf === other[at])) return SAME
  const left = Map.groupBy(one, (leaf) => leaf)
  const common = other.filter((leaf) => left.get(leaf)?.pop() !== undefined).length
  return Math.floor((900 * common) / Math.max(one.length, other.length))
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
