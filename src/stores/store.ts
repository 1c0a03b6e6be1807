// What every store promises. The rules are proven for each store by one suite, test/stores/store-suite.ts.

import type { Caller } from '../caller.ts'
import type { App } from '../data/apps.ts'
import type { User } from '../data/users.ts'
import type { LookupMethod } from '../model.ts'

/** A result that may be there at once (SQLite) or come later (a database over a socket). */
export type Awaitable<T> = T | Promise<T>

/**
 * What a store answers for one value: its row, `null` where nothing matches, or an error where it cannot
 * answer. DataLoader has the same convention.
 */
export type Item<Row> = Row | null | Error

/** A lookup of one client. */
export interface Question {
  readonly values: readonly string[]
  /** The client that waits for the response; `null` if no client waits. */
  readonly caller: Caller | null
}

/** A query that several lookups share. */
export interface Sharing<Row> {
  /** The lookups, in order: their values, one after another, are the values of the query. */
  readonly questions: readonly Question[]
  /**
   * Called before another round of calls, with the answers to questions (by their index) that are settled.
   * The clients that asked these do not wait for the rest. Other queries do not wait, either.
   */
  readonly nextRound: (answered: ReadonlyMap<number, readonly Item<Row>[]>) => void
}

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
 * - **Freshness:** a committed change is seen by the next call; where replicas are read, as soon as they have
 *   it.
 * - **Outage:** a store that cannot answer throws `LookupError` `Unavailable`; it never answers `null`
 *   instead.
 * - **Failed values:** a store that cannot answer for some values returns an `Error` at their places, and
 *   answers the others. Only a `LookupError` shows its text to the client. A value that one client asked for
 *   never fails the values of another.
 * - **Clients that have left:** a store may drop their values, and give up a query of which all have left. The
 *   items of dropped values do not matter.
 */
export interface Store {
  findUsers(
    by: LookupMethod,
    values: readonly string[],
    sharing?: Sharing<User>,
  ): Awaitable<readonly Item<User>[]>
  findApps(ids: readonly string[], sharing?: Sharing<App>): Awaitable<readonly Item<App>[]>
  /**
   * A number that is another one whenever the data may have changed, and for each store of a process; left
   * out where that would cost a wait.
   */
  readonly version?: () => number
  /**
   * How many calls it can work on at a time, as things are now; what is asked meanwhile had better wait, and
   * be asked together. Left out where a call is answered before it returns.
   */
  readonly capacity?: () => number
  /**
   * Counts, of the rows with an id beyond this one, the first so many; left out where that cannot be told.
   * @returns how many there are, and the id of the last of them
   */
  readonly countAfter?: (name: 'users' | 'apps', id: number, most: number) => Awaitable<Slice>
  /** Whether there are no rows, by a query that ends with the first; left out where that cannot be told. */
  readonly isEmpty?: (name: 'users' | 'apps') => Awaitable<boolean>
  /** Whether it decides itself which usernames are the same, and is given them as the client spelt them. */
  readonly foldsUsernames?: true
  /** Takes notice of what has taken the place of the database. Left out where that cannot happen. */
  readonly look?: () => void
  /** Resolves when a lookup could be answered now; throws `Unavailable` otherwise. */
  ready(): Awaitable<void>
  close(): Awaitable<void>
}

/**
 * A database cannot be used as it is set. The message is for the operator: it names the setting, and no
 * secret.
 */
export class UnusableDatabase extends Error {}
