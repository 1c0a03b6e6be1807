// Finds values by one query, or by a query for each half if the database cannot answer it whole: it is too
// long, or it fails for one value, such as for a number in a view that is out of range.

import type { Item } from '../store.ts'
import type { ErrorKinds } from './errors.ts'

/**
 * UTF-16 units of the values in a statement. MySQL closes the connection of one that is longer than its
 * `max_allowed_packet`, and all lookups that share it would fail: 3 bytes each, in hexadecimal, are below 1
 * MiB. The key of a username may be 18 times as long as the name.
 */
const MAX_STATEMENT_CHARACTERS = 128 * 1024
/** Queries that may be split for rows that fail. To find one among 1,000 takes ten. */
const MAX_SPLITS = 64

const ascii = /^[\x20-\x7e]*$/

/** @param fail reports an error about data, and makes the item of the values */
export async function findInHalves<Found>(
  errors: Pick<ErrorKinds, 'isAboutData' | 'isUntranslatable'>,
  values: readonly string[],
  find: (values: readonly string[]) => Promise<Item<Found>[]>,
  fail: (values: readonly string[], error: unknown) => Error,
): Promise<Item<Found>[]> {
  let splits = 0

  async function findSome(some: readonly string[]): Promise<Item<Found>[]> {
    if (some.length > 1 && lengthOf(some) > MAX_STATEMENT_CHARACTERS) return findBoth(some)
    try {
      return await find(some)
    } catch (error) {
      if (!errors.isAboutData(error)) throw error
      // A text matches nothing if the database lacks its characters. Any number of texts may be such; but all
      // databases have the characters of ASCII.
      const isMiss = errors.isUntranslatable(error) && !ascii.test(some.join(''))
      if (some.length > 1 && (isMiss || splits++ < MAX_SPLITS)) return findBoth(some)
      const item = isMiss ? null : fail(some, error)
      return some.map(() => item)
    }
  }

  async function findBoth(some: readonly string[]): Promise<Item<Found>[]> {
    const middle = some.length >> 1
    const first = await findSome(some.slice(0, middle))
    return [...first, ...(await findSome(some.slice(middle)))]
  }

  return findSome(values)
}

function lengthOf(values: readonly string[]): number {
  let length = 0
  for (const value of values) length += value.length
  return length
}
