// What has been settled by a replay, and how it is read from its books.

import type { Reply } from '../../stores/old-service/call.ts'
import { type Comparison, type Rule, rules } from '../compare/difference.ts'
import type { Asked, Skipped } from '../logs/legacy.ts'
import { textOf } from '../progress-file.ts'

/**
 * What came of a request: the same bytes, the same meaning, the same but for what is ignored, different
 * meaning, or no answer of one of the two.
 */
export type Verdict = 'bytes' | 'meaning' | 'ignored' | 'different' | 'failed'

/** Lines of the log, by what became of them. */
export type Lines = Readonly<Record<Skipped | 'legacy', number>>

export interface CountedRequest {
  readonly query: string
  /** How often it was asked for. */
  readonly hits: number
}

/** What two services responded to a request, and how that differs. */
export interface ResponsePair {
  readonly comparison: Comparison
  readonly old: Reply
  readonly fresh: Reply
}

/** Differences with one cause. */
export interface Group extends Asked {
  readonly field: string
  readonly kind: string
  /** Distinct requests, and how often they were asked for. */
  readonly requests: number
  readonly hits: number
  /** Of the request that was asked for most. */
  readonly query: string
  readonly old: string
  readonly new: string
}

/** Differences of one field that do not count for one reason. */
export interface NoiseGroup extends Pick<Group, 'event' | 'field' | 'kind' | 'requests' | 'hits'> {
  readonly reason: Rule
  /** Of the request that was asked for most. */
  readonly query: string
  readonly old: string
  readonly new: string
}

export interface Tally {
  readonly requests: number
  readonly hits: number
}

export function groupOf(row: Readonly<Record<string, unknown>>): Group {
  const text = (name: string) => textOf(row[name]) ?? ''
  return {
    event: text('event'),
    method: text('method'),
    format: text('format'),
    field: text('field'),
    kind: text('kind'),
    requests: Number(row.requests),
    hits: Number(row.hits),
    query: text('query'),
    old: text('old'),
    new: text('new'),
  }
}

/** @returns none for a reason that is not known: the state file of an older version may have one */
export function noiseGroupOf(row: Readonly<Record<string, unknown>>): NoiseGroup[] {
  const { event, field, kind, requests, hits, query, old, new: fresh } = groupOf(row)
  const { reason } = row
  if (!isRule(reason)) return []
  return [{ event, field, kind, reason, requests, hits, query, old, new: fresh }]
}

function isRule(name: unknown): name is Rule {
  return typeof name === 'string' && Object.hasOwn(rules, name)
}
