import { LookupError } from '../errors.ts'
import type { Item } from './store.ts'

/** The rows, for callers that need all of them. @throws the first error among the items */
export function rowsOf<Row extends object>(items: readonly Item<Row>[]): (Row | null)[] {
  return items.map((item) => {
    if (item instanceof Error) throw item
    return item
  })
}

/** The outage that made every item of a list fail; `null` if some did not fail, or for refused rows. */
export function failureOfAll(items: readonly Item<unknown>[]): Error | null {
  if (!items.every((item) => item instanceof Error)) return null
  if (items.some((item) => item instanceof LookupError && item.code === 'Internal')) return null
  // That a client has left is no reason for another client.
  return items.find((failure) => !isAboutLeaving(failure)) ?? items[0] ?? null
}

function isAboutLeaving(failure: Error): boolean {
  return failure instanceof LookupError && failure.code === 'CallerLeft'
}
