// The contract of every store. One suite tests it for each store: test/stores/store-suite.ts.

import type { Caller } from '../caller.ts'
import type { App } from '../data/apps.ts'
import type { User } from '../data/users.ts'
import { LookupError } from '../errors.ts'
import type { LookupMethod } from '../model.ts'
import { CommandError } from '../terminal/command-error.ts'

/** A result that SQLite returns at once, and a server later. */
export type Awaitable<T> = T | Promise<T>

/** The result for one value, as in DataLoader: a row, `null` if nothing matches, or an error. */
export type Item<Row> = Row | null | Error

/** A lookup of one client. */
export interface ClientLookup {
  readonly values: readonly string[]
  /** The client that waits for the response; `null` if no client waits. */
  readonly caller: Caller | null
}

/** Lookups that share one query. */
export interface LookupBatch<Row> {
  /** The lookups, in order: their values, one after another, are the values of the query. */
  readonly lookups: readonly ClientLookup[]
  /**
   * Called before the store repeats calls, with the items of the lookups (by index) that are complete.
   * Their clients get a response at once, and the next query may start.
   */
  readonly nextRound: (answered: ReadonlyMap<number, readonly Item<Row>[]>) => void
}

/** The number of some rows in the order of their ids, and the id of the last one. */
export interface RowSlice {
  readonly count: number
  readonly last: number
}

/**
 * Where users and apps are read from. A store never writes.
 *
 * - **Order:** there is one item per value, in the order of the values.
 * - **Misses:** the item of a value that matches nothing is `null`.
 * - **Duplicates:** a value that is there twice has two items.
 * - **Values** arrive in canonical form: ids as digits without leading zeros up to 2^53−1, usernames as
 *   `usernameKey` makes them, chat identifiers as they are. None is longer than `MAX_NAME_LENGTH`.
 * - **Freshness:** the next call sees a committed change. A replica may be behind.
 * - **Outage:** a store that cannot answer throws `LookupError` `Unavailable`; it never answers `null`
 *   instead.
 * - **Failed values:** if a store fails for some values, their items are errors, and the others are not. Only
 *   a `LookupError` shows its text to the client. A value of one client never fails the values of another.
 * - **Clients that have left:** a store may skip their values, and cancel a query when all clients have left.
 */
export interface Store {
  findUsers(
    by: LookupMethod,
    values: readonly string[],
    batch?: LookupBatch<User>,
  ): Awaitable<readonly Item<User>[]>
  findApps(ids: readonly string[], batch?: LookupBatch<App>): Awaitable<readonly Item<App>[]>
  /**
   * A number that changes whenever the data may have changed, and differs between the stores of a process;
   * absent if the store would have to wait for it.
   */
  readonly version?: () => number
  /**
   * Calls that the store can work on now; further lookups wait, and share a call. Absent if a call is
   * complete when it returns.
   */
  readonly capacity?: () => number
  /**
   * Counts the rows with a larger id, up to `most`; absent if the store cannot count.
   */
  readonly countAfter?: (name: 'users' | 'apps', id: number, most: number) => Awaitable<RowSlice>
  /** Whether there are no rows; absent if the store cannot tell. */
  readonly isEmpty?: (name: 'users' | 'apps') => Awaitable<boolean>
  /** Whether the store itself compares usernames: it gets them as the client spells them. */
  readonly foldsUsernames?: true
  /** Checks now whether another file has replaced the database; absent if that cannot happen. */
  readonly look?: () => void
  /** Resolves when a lookup could be answered now; throws `Unavailable` otherwise. */
  ready(): Awaitable<void>
  close(): Awaitable<void>
}

/** A database cannot be used. The message tells the operator what to do, and has no secret. */
export class UnusableDatabase extends CommandError {}

/** The outage that made every item of a list fail; `null` if some did not fail, or for refused rows. */
export function failureOfAll(items: readonly Item<unknown>[]): Error | null {
  const has = (item: Item<unknown>, code: LookupError['code']) =>
    item instanceof LookupError && item.code === code
  const failures = items.filter((item) => item instanceof Error)
  if (failures.length < items.length || failures.some((failure) => has(failure, 'Internal'))) return null
  // The reason for a client must not be that another client has left.
  return failures.find((failure) => !has(failure, 'CallerLeft')) ?? failures[0] ?? null
}
