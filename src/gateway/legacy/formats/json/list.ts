// Arrays of PHP that are lists in JSON: those whose keys are 0, 1, 2 and so on. `{"0":null}` is `[null]`
// then.

import type { Dialect } from '../../../../settings.ts'
import type { Entry } from '../../events/event.ts'
import { isOfOthers } from '../../habits/json-layout.ts'

/**
 * Whether entries may be a list. An empty array that is a list is one of PHP that nothing forces to be an
 * object; what others write has a layout that PHP has not.
 */
export function mayBeList({ empty, jsonFlags }: Pick<Dialect, 'empty' | 'jsonFlags'>): boolean {
  return empty === '[]' && !isOfOthers(jsonFlags)
}

/**
 * Whether the names of an answer are 0, 1, 2 and so on. All but a few answers are no lists by their first
 * name.
 * @param isMissingShown whether what matches nothing has an entry
 */
export function isList(
  values: readonly string[],
  entries: readonly (Entry | null)[],
  isMissingShown: boolean,
): boolean {
  let place = 0
  for (let index = 0; index < values.length; index++) {
    if (!isMissingShown && (entries[index] ?? null) === null) continue
    if (values[index] !== String(place)) return false
    place++
  }
  return place > 0
}
