import { LookupError } from '../../../errors.ts'
import { parseId } from '../../../model.ts'
import type { Dialect } from '../../../settings.ts'
import { distinctSegments } from './segments.ts'

/**
 * Splits a colon-separated list: empty segments are dropped, duplicates keep their first place.
 * @throws LookupError `MissingParameter`, `TooManyValues`
 */
export function parseList(name: string, list: string | undefined, { maxValues }: Dialect): string[] {
  const values = distinctSegments(list ?? '', maxValues)
  if (values.length === 0) {
    throw new LookupError('MissingParameter', [name, `It holds one or more values, separated by colons.`])
  }
  if (values.length > maxValues) throw new LookupError('TooManyValues', [String(maxValues)])
  return values
}

/**
 * Refuses values that are no numeric identifiers, unless the dialect lets them match nothing.
 * @param hint where else the value might belong
 * @throws LookupError `MalformedIdentifier`
 */
export function checkIds(values: readonly string[], { malformed }: Dialect, hint: string): void {
  if (malformed === 'unknown') return
  for (const value of values) {
    if (parseId(value) === null) throw new LookupError('MalformedIdentifier', [value, hint])
  }
}
