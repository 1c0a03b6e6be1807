// Which differences of a field's value do not count, as the operator has it.

import type { Noise } from '../../config/noise.ts'
import { fieldNames, plainName } from '../../legacy/events.ts'
import type { Reason } from './difference.ts'
import type { Value } from './meaning.ts'
import { isNear } from './number.ts'

/**
 * Why a difference between two values of a field does not count; `null` where it does. They are of the same
 * type: another type is a difference of structure, and always counts. So is a field that one of them lacks
 * (`null`), unless it is one that only an old service has.
 */
export type Allow = (field: string, old: Value | null, fresh: Value | null) => Reason | null

/** Characters of the longest name of a field, with that of a service before it. */
const MAX_NAME_LENGTH = 64

/** @returns `null` where every difference counts. @param event of the request, as the client wrote it */
export function allowanceFor(
  { ignore, tolerate }: Pick<Noise, 'ignore' | 'tolerate'>,
  event: string,
): Allow | null {
  const isMeant = (rule: { readonly event: string | null }) =>
    rule.event === null || rule.event.toLowerCase() === event.toLowerCase()
  const ignored = new Set(ignore.filter(isMeant).map(({ field }) => field))
  const tolerated = new Map(tolerate.filter(isMeant).map(({ field, by }) => [field, by]))
  if (ignored.size + tolerated.size === 0) return null
  return (name, old, fresh) => {
    if (name.length > MAX_NAME_LENGTH) return null
    const field = declaredName(name)
    const isLeftOut = old === null || fresh === null
    if (isLeftOut && isDeclared(field)) return null
    if (ignored.has(field)) return 'ignored'
    if (isLeftOut) return null
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
