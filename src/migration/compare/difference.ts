// The differences between two responses, and the rules that excuse a difference.

import type { Noise } from '../../config/noise.ts'
import { fieldNames, plainName } from '../../legacy/events.ts'
import type { ValueMeaning } from './meaning.ts'
import { isNear } from './number.ts'

const kinds = {
  refused: 'only one of the services refuses the request',
  status: 'different HTTP status',
  format: 'JSON in one response, XML in the other',
  unreadable: 'a response cannot be read',
  header: 'differs in headers',
  root: 'different name of the XML root',
  missing: 'missing in the new response',
  extra: 'only in the new response',
  type: 'different type',
  value: 'different value',
  order: 'different order in XML',
} as const

const explanations: ReadonlyMap<string, string> = new Map(Object.entries(kinds))

/** The explanation of a kind that comes from a state file or a metric. */
export function explainKind(kind: string): string {
  return explanations.get(kind) ?? kind
}

/** Why a difference does not count. */
export const rules = {
  ignored: 'ignored (--ignore)',
  tolerated: 'within the tolerance (--tolerate)',
  learned: 'changed by the old service itself (--learn)',
  accepted: 'accepted (--accept)',
} as const
export type DifferenceRule = keyof typeof rules

export interface Difference {
  readonly scope: 'response' | 'entry' | 'field'
  /** The name of a field or header; `answer` or `entry` if all of it differs. */
  readonly field: string
  readonly kind: keyof typeof kinds
  /** The value of each service, shortened. */
  readonly old: string
  readonly new: string
  /** The types of both values, if the kind is `type`. */
  readonly types?: readonly [old: ValueMeaning['type'], fresh: ValueMeaning['type']]
  /** Left out if the difference counts. */
  readonly excusedBy?: DifferenceRule
}

export interface Comparison {
  /** `ignored`: the same meaning, except for differences that do not count. */
  readonly verdict: 'bytes' | 'meaning' | 'ignored' | 'different'
  /** Each field and kind once; at most 100 that count, and 100 that do not. */
  readonly differences: readonly Difference[]
}

/**
 * Returns the rule that excuses a difference, or null if the difference counts. Both values are given if a
 * field has two values of one type.
 */
export type Allow = (
  difference: Difference,
  old: ValueMeaning | null,
  fresh: ValueMeaning | null,
) => DifferenceRule | null

/** Characters of the longest name of a field, with the name of a service before it. */
const MAX_NAME_LENGTH = 64

/** @returns null if every difference counts. @param event of the request, as the client wrote it */
export function allowanceFor(
  { ignore, tolerate }: Pick<Noise, 'ignore' | 'tolerate'>,
  event: string,
): Allow | null {
  const isMeant = (rule: { readonly event: string | null }) =>
    rule.event === null || rule.event.toLowerCase() === event.toLowerCase()
  const ignored = new Set(ignore.filter(isMeant).map(({ field }) => field))
  const tolerated = new Map(tolerate.filter(isMeant).map(({ field, by }) => [field, by]))
  if (ignored.size + tolerated.size === 0) return null
  return ({ scope, field: name, kind }, old, fresh) => {
    if (scope !== 'field' || name.length > MAX_NAME_LENGTH) return null
    const field = declaredName(name)
    if (kind === 'missing' || kind === 'extra')
      return ignored.has(field) && !isDeclared(field) ? 'ignored' : null
    if (old === null || fresh === null) return null
    if (ignored.has(field)) return 'ignored'
    const by = tolerated.get(field)
    return by !== undefined && isNear(by, old.text, fresh.text) ? 'tolerated' : null
  }
}

/** Whether the interface has the field: a service that lacks it, or adds it, differs. */
function isDeclared(field: string): boolean {
  return Object.values(fieldNames).some((fields) => fields.includes(field))
}

/** XML may have a field as an attribute, or twice: the second one has a number. */
function declaredName(name: string): string {
  return plainName(name.replace(/^@/, '').replace(/\0\(\d+\)$/, ''))
}
