// Finds values by one query. If the query is too long, or fails because of a value (such as a number in a
// view that is out of range), two queries with half the values each take its place.

import type { Item } from '../store.ts'
import type { ErrorKinds } from './errors.ts'

/**
 * UTF-16 units of the values in a statement. MySQL closes the connection if a statement is longer than
 * `max_allowed_packet`, which fails all lookups that share the statement. A unit takes up to 3 bytes, or 6
 * hexadecimal digits: the statement stays below 1 MiB. The key of a username may be 18 times as long as the
 * name.
 */
const MAX_STATEMENT_LENGTH = 128 * 1024
/** Queries that may be split because they fail. To find one bad value among 1,000 takes ten. */
const MAX_SPLITS = 64

const ascii = /^[\x20-\x7e]*$/

/**
 * @param fail reports that the row of one of these values cannot be read, and returns the error for their
 * items
 */
export async function findByBisection<Found>(
  errors: Pick<ErrorKinds, 'isAboutData' | 'isUntranslatable'>,
  values: readonly string[],
  find: (values: readonly string[]) => Promise<Item<Found>[]>,
  fail: (values: readonly string[], error: unknown) => Error,
): Promise<Item<Found>[]> {
  let splits = 0

  async function findPart(part: readonly string[]): Promise<Item<Found>[]> {
    const length = part.reduce((sum, value) => sum + value.length, 0)
    if (part.length > 1 && length > MAX_STATEMENT_LENGTH) return findHalves(part)
    try {
      return await find(part)
    } catch (error) {
      if (!errors.isAboutData(error)) throw error
      // A value with characters that the database does not have matches no row. Such values do not count as
      // splits, since any number may be correct. Every database has the characters of ASCII.
      const isMiss = errors.isUntranslatable(error) && !ascii.test(part.join(''))
      if (part.length > 1 && (isMiss || splits++ < MAX_SPLITS)) return findHalves(part)
      const item = isMiss ? null : fail(part, error)
      return part.map(() => item)
    }
  }

  async function findHalves(part: readonly string[]): Promise<Item<Found>[]> {
    const middle = part.length >> 1
    const first = await findPart(part.slice(0, middle))
    return [...first, ...(await findPart(part.slice(middle)))]
  }

  return findPart(values)
}
