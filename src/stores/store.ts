// What every store promises. The rules are proven for each store by one suite, test/stores/store-suite.ts.

import type { App, LookupMethod, User } from '../model.ts'

/** A result that may be there at once (SQLite) or come later (a database over a socket). */
export type Awaitable<T> = T | Promise<T>

/**
 * What a store answers for one value: its row, `null` where nothing matches, or the reason why it cannot answer for
 * this value. The convention is that of DataLoader.
 */
export type Item<Row> = Row | null | Error

/** A stretch of rows in the order of their ids. */
export interface Slice {
  readonly count: number
  readonly last: number
}

/**
 * Where users and apps are read from. A store never writes.
 *
 * - **Order:** the answer holds one item per value, in the order of the values.
 * - **Misses:** a value that matches nothing is `null` at its place.
 * - **Duplicates:** a value given twice is answered twice.
 * - **Values** arrive in canonical form: ids as digits without leading zeros up to 2^53−1, usernames as
 *   `usernameKey` makes them, chat identifiers as they are. None is longer than `MAX_NAME_LENGTH`.
 * - **Freshness:** a committed change is seen by the next call; where replicas are read, as soon as they have it.
 * - **Outage:** a store that cannot answer throws `LookupError` `Unavailable`; it never answers `null` instead.
 * - **Failed values:** a store that cannot answer for some of the values may return an `Error` at their places and
 *   answer the others. The error is a `LookupError` where its text may reach the client.
 */
export interface Store {
  findUsers(by: LookupMethod, values: readonly string[]): Awaitable<readonly Item<User>[]>
  findApps(ids: readonly string[]): Awaitable<readonly Item<App>[]>
  /** A number that is another one whenever the data may have changed; left out where that would cost a wait. */
  readonly version?: () => number
  /**
   * How many calls it can work on at a time, as things are now; what is asked meanwhile had better wait, and be asked
   * together. Left out where a call is answered before it returns.
   */
  readonly capacity?: () => number
  /**
   * Counts, of the rows with an id beyond this one, the first so many; left out where that cannot be told.
   * @returns how many there are, and the id of the last of them
   */
  readonly countAfter?: (name: 'users' | 'apps', id: number, most: number) => Awaitable<Slice>
  /** Whether it decides itself which usernames are the same, and is given them as the client spelt them. */
  readonly foldsUsernames?: true
  /** Resolves when a lookup could be answered now; throws `Unavailable` otherwise. */
  ready(): Awaitable<void>
  close(): Awaitable<void>
}
