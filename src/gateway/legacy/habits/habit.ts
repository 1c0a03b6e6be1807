// What a habit of old services is: where one of them differs from another, a setting of the gateway. One
// declaration states all there is to know about it. Configuration, help, documentation, `/explain` and the
// probe read the declaration, and none of them knows a habit by name.

import type { Setting } from '../../../setting-kinds.ts'
import type { Probing } from './heard.ts'
import type { Order } from './orders.ts'

export interface Habit<Value, Name extends string = string> {
  readonly setting: Setting<Value, Name>
  /**
   * What a value other than the default did to an answer, in a sentence, for `/explain`; `null` if it did
   * nothing.
   */
  readonly effect: (value: Value, outcome: Outcome) => string | null
  /**
   * Finds out which value an old service has. @returns the value as the setting's text; `null` where that
   * cannot be told, or no value is like it
   */
  readonly tell: (probing: Probing) => Promise<string | null>
}

/** What came of a request. */
export interface Outcome {
  readonly format: 'JSON' | 'XML'
  /** The fields of the event that are named after the service; none for a refusal. */
  readonly namedFields: readonly string[]
  /** The names of all its fields, in the order of an entry; none for a refusal. */
  readonly fields: readonly string[]
  /** The parameters that the event knows, as they were given, in order. */
  readonly parameters: readonly ReadParameter[]
  /** What was read although its case was another, and as what. */
  readonly respelt: readonly { readonly given: string; readonly name: string }[]
  /** The values of those parameters that allow for a few only. */
  readonly choices: readonly string[]
  /** What its event is. */
  readonly eventGiven: 'known' | 'missing' | 'empty' | 'unknown'
  /** Whether it was refused because its list has no values. */
  readonly isListMissing: boolean
  /** The list of values as it was given, decoded; empty where there is none. */
  readonly list: string
  /** Whether values at its end were left out. */
  readonly isCut: boolean
  /**
   * The values that were asked for, as the list was read: distinct, unless LEGACY_DUPLICATES has it
   * otherwise.
   */
  readonly values: readonly string[]
  /** Those of them that match nothing. */
  readonly missing: readonly string[]
  /** Whether a setting of its own says what becomes of them in XML. */
  readonly isMissingSaidInXml: boolean
  /** Whether a setting of its own says what names entries in XML. */
  readonly areNamesSaidInXml: boolean
  /** How many entries the answer has. */
  readonly entries: number
  /** Whether they are a list in JSON. */
  readonly isList: boolean
  /** Whether the values are meant as numeric identifiers. */
  readonly areIds: boolean
  /** Whether one of them is a malformed identifier. */
  readonly hasMalformed: boolean
  readonly areUsernames: boolean
  /** What the entries that were found are named by, in the order of the answer. */
  readonly names: readonly string[]
  /** The order of entries, and the setting that it comes from. */
  readonly order: OrderInForce
  /** Its key is what the settings that say something of single errors call it. */
  readonly error: { readonly code: string; readonly key: string } | null
  /** What an error is in this format, as the setting has it, and its Content-Type. */
  readonly errorBody: string
  readonly errorType: string
}

export interface OrderInForce {
  readonly setting: 'LEGACY_ORDER' | 'LEGACY_APPS_ORDER'
  readonly value: Order
}

interface ReadParameter {
  /** As it is declared. */
  readonly name: string
  /** Whether its value is none of the few that it allows for. */
  readonly isOther: boolean
}

/** Checks a declaration, and gives it the type of its values. */
export function habit<Value, Name extends string>(declaration: Habit<Value, Name>): Habit<Value, Name> {
  return declaration
}
