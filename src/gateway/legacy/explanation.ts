// What `/explain` says of a legacy request: as data, for the page and for scripts.

import type { FormatName } from './formats/index.ts'

export interface Explanation {
  /** What the query string was read as; where it is refused, as far as it can be read. */
  readonly request: {
    /** `null` where there is no such event. */
    readonly event: string | null
    readonly format: FormatName
    /** The first 50 as they were given, decoded, in order; none where the query string cannot be read. */
    readonly parameters: readonly GivenParameter[]
    /** The values that were looked up: distinct, unless LEGACY_DUPLICATES has it otherwise. */
    readonly values: readonly string[]
  }
  /** The GraphQL operation it became; `null` where it was refused before. */
  readonly operation: {
    readonly query: string
    readonly variables: Readonly<Record<string, unknown>>
  } | null
  readonly answer: {
    /** The HTTP status, as `LEGACY_ERROR_STATUS` has it. */
    readonly status: number
    /** Bytes of the body. */
    readonly length: number
    readonly found: number
    /** The values that match nothing. */
    readonly missing: readonly string[]
  }
  readonly error: { readonly code: string; readonly message: string } | null
  /** The settings that differ from their defaults and had an effect on the answer. */
  readonly dialect: readonly AppliedSetting[]
  readonly timings: Timings
}

export interface GivenParameter {
  readonly name: string
  readonly value: string
  /** Whether the event knows it; any other is ignored. */
  readonly known: boolean
}

export interface AppliedSetting {
  /** Its name, such as `LEGACY_UNKNOWN`. */
  readonly setting: string
  readonly value: string
  /** What it did, in a sentence. */
  readonly effect: string
}

/** Milliseconds that each step took; a step that was not reached took 0. */
export interface Timings {
  readonly parse: number
  readonly execute: number
  readonly write: number
}
