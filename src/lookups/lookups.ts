// The four lookups that the GraphQL schema resolves with. All requests of the process share them: a fault
// here gives a client the rows of another one (test/lookups).

import type { Caller } from '../caller.ts'
import type { Clock } from '../clock.ts'
import type { App } from '../data/apps.ts'
import type { User } from '../data/users.ts'
import { type LookupMethod, MAX_NAME_LENGTH, parseId, usernameKey } from '../model.ts'
import type { Observe } from '../observe/events.ts'
import type { Item, Store } from '../stores/store.ts'
import { createBatches, type FindBatch, type LoadItems } from './batches.ts'
import { createGate, openGate } from './gate.ts'

export type { Item }

/** One item per value, in order. */
export interface Lookups {
  findUsers(
    by: LookupMethod,
    values: readonly string[],
    caller?: Caller | null,
  ): Promise<readonly Item<User>[]>
  findApps(ids: readonly string[], caller?: Caller | null): Promise<readonly Item<App>[]>
}

export function createLookups(store: Store, observe: Observe, clock?: Clock): Lookups {
  // The lookups share the store's connections, and so the gate.
  const gate = store.capacity === undefined ? openGate : createGate(store.capacity, clock)
  const createLookup = <Row>(name: string, readKey: ReadKey, find: FindBatch<Row>): LoadItems<Row> =>
    withKeys(readKey, createBatches(reportCalls(name, find, observe), gate))

  const readUsername = store.foldsUsernames ? readExactName : createUsernameReader()
  const users: Readonly<Record<LookupMethod, LoadItems<User>>> = {
    ID: createLookup('users-by-id', parseId, (ids, batch) => store.findUsers('ID', ids, batch)),
    USERNAME: createLookup('users-by-username', readUsername, (names, batch) =>
      store.findUsers('USERNAME', names, batch),
    ),
    CHAT: createLookup('users-by-chat', readExactName, (chatIds, batch) =>
      store.findUsers('CHAT', chatIds, batch),
    ),
  }
  const apps: LoadItems<App> = createLookup('apps-by-id', parseId, (ids, batch) => store.findApps(ids, batch))
  return {
    findUsers: (by, values, caller = null) => users[by](values, caller),
    findApps: (ids, caller = null) => apps(ids, caller),
  }
}

/** Reads a value of a request: the key for the store, or null if no row can match the value. */
type ReadKey = (value: string, caller: Caller | null) => string | null

const readExactName: ReadKey = (name) => (name.length > MAX_NAME_LENGTH ? null : name)

const ascii = /^[\0-\x7f]*$/

/**
 * Reads usernames. A request may have one name by a hundred aliases, and the key of a long run of combining
 * marks costs 0.12 ms: each name is normalized once for a client's request.
 */
function createUsernameReader(): ReadKey {
  const known = new WeakMap<Caller, Map<string, string>>()

  function readOnce(username: string, caller: Caller): string {
    const keys = known.get(caller) ?? new Map<string, string>()
    const key = keys.get(username) ?? usernameKey(username)
    known.set(caller, keys.set(username, key))
    return key
  }

  return (username, caller) => {
    if (username.length > MAX_NAME_LENGTH) return null
    // NFKC does not change ASCII.
    if (ascii.test(username)) return username.toLowerCase()
    return caller === null ? usernameKey(username) : readOnce(username, caller)
  }
}

/** Looks up the values that can match something. The others are null, and the store does not see them. */
function withKeys<Row>(readKey: ReadKey, load: LoadItems<Row>): LoadItems<Row> {
  return (values, caller) => {
    const keys = values.map((value) => readKey(value, caller))
    const known = keys.filter((key) => key !== null)
    if (known.length === 0) return Promise.resolve(keys.map(() => null))
    const found = load(known, caller)
    return known.length === keys.length ? found : found.then((items) => withNulls(items, keys))
  }
}

function withNulls<Row>(items: readonly Item<Row>[], keys: readonly (string | null)[]): Item<Row>[] {
  let next = 0
  return keys.map((key) => (key === null ? null : (items[next++] ?? null)))
}

/** Reports each call of the store with its duration. */
function reportCalls<Row>(lookup: string, find: FindBatch<Row>, observe: Observe): FindBatch<Row> {
  return (values, batch) => {
    const started = performance.now()
    const report = () =>
      observe({
        type: 'store-query',
        lookup,
        questions: batch.lookups.length,
        values: values.length,
        duration: performance.now() - started,
      })
    let items: ReturnType<typeof find> | undefined
    try {
      items = find(values, batch)
    } finally {
      // A store that responds at once costs no further promise.
      if (!(items instanceof Promise)) report()
    }
    return items instanceof Promise ? items.finally(report) : items
  }
}
