// What a habit of old services is: where one of them differs from another, a setting of the gateway. One
// declaration states all there is to know about it. Configuration, help, documentation, `/explain` and the probe
// read the declaration, and none of them knows a habit by name.

import type { Setting } from '../../../setting-kinds.ts'
import type { Probing } from './heard.ts'

export interface Habit<Value, Name extends string = string> {
  readonly setting: Setting<Value, Name>
  /** What it did to an answer, in a sentence, for `/explain`; `null` where it did nothing. */
  readonly effect: (value: Value, outcome: Outcome) => string | null
  /**
   * Finds out which value an old service has. @returns the value as the setting's text; `null` where that cannot
   * be told, or no value is like it
   */
  readonly tell: (probing: Probing) => Promise<string | null>
}

/** What came of a request. */
export interface Outcome {
  readonly format: 'JSON' | 'XML'
  /** The fields of the event that are named after the service; none for a refusal. */
  readonly namedFields: readonly string[]
  /** The values of those parameters that allow for a few only. */
  readonly choices: readonly string[]
  /** The distinct values that were asked for. */
  readonly values: readonly string[]
  /** Those of them that match nothing. */
  readonly missing: readonly string[]
  /** How many entries the answer has. */
  readonly entries: number
  /** Whether the values are meant as numeric identifiers. */
  readonly areIds: boolean
  readonly error: { readonly code: string } | null
}

/** Checks a declaration, and gives it the type of its values. */
export function habit<Value, Name extends string>(declaration: Habit<Value, Name>): Habit<Value, Name> {
  return declaration
}
