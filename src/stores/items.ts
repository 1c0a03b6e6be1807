import { LookupError } from '../errors.ts'
import type { Item } from './store.ts'

/** The rows of an answer, for callers that need all of them. @throws the first failure among the items */
export function rowsOf<Row extends object>(items: readonly Item<Row>[]): (Row | null)[] {
  return items.map((item) => {
    if (item instanceof Error) throw item
    return item
  })
}

/**
 * The outage of a list of which every item failed for one; `null` for any other list, and for rows that are
 * refused.
 */
export function failureOfAll(items: readonly Item<unknown>[]): Error | null {
  if (!items.every((item) => item instanceof Error)) return null
  if (items.some((item) => item instanceof LookupError && item.code === 'Internal')) return null
  // That one client has left says nothing to the others.
  return items.find((failure) => !isAboutLeaving(failure)) ?? items[0] ?? null
}

function isAboutLeaving(failure: Error): boolean {
  return failure instanceof LookupError && failure.code === 'CallerLeft'
}
