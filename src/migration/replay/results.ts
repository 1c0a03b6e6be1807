// The results of a replay: requests, causes of differences, latency.

import type { OldServiceResponse } from '../../stores/old-service/call.ts'
import type { Comparison, DifferenceRule } from '../compare/difference.ts'
import type { QueryNames } from '../logs/legacy.ts'

export type ReplayVerdict = Comparison['verdict'] | 'failed' | 'left'

/** Distinct requests, and how often the log has them. */
export interface ReplayCount {
  readonly requests: number
  readonly hits: number
}

export interface CountedRequest {
  readonly query: string
  /** How often the log has the request. */
  readonly hits: number
}

/** The responses of both services to a request. */
export interface ResponsePair {
  readonly old: OldServiceResponse
  readonly fresh: OldServiceResponse
  /** Milliseconds until each response was read. */
  readonly latency: { readonly old: number; readonly new: number }
}

/** Differences of one kind in one field. */
export interface ReplayCause extends QueryNames {
  /** The scope of the difference; empty for the cause `others`, which has all causes beyond a limit. */
  readonly scope: string
  readonly field: string
  readonly kind: string
}

/** The same text for the same cause. */
export const keyOf = ({ event, method, format, scope, field, kind }: ReplayCause) =>
  JSON.stringify([event, method, format, scope, field, kind])

/** A cause of differences, with one of its requests and what each service has there. */
export interface ReplayGroup extends ReplayCause, ReplayCount {
  readonly query: string
  readonly old: string
  readonly new: string
  /** Why the differences do not count; null if they do. */
  readonly rule: DifferenceRule | null
}

/** Milliseconds that half, and 99 % of the responses took at most. */
export interface Latency {
  readonly p50: number
  readonly p99: number
}
