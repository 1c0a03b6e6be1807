// The four lookups that the GraphQL schema resolves with. All requests of the process share them.

import type { Caller } from '../caller.ts'
import type { Clock } from '../clock.ts'
import type { App } from '../data/apps.ts'
import type { User } from '../data/users.ts'
import { type LookupMethod, parseId } from '../model.ts'
import type { Observe } from '../observe/events.ts'
import type { Item, Store } from '../stores/store.ts'
import { createBatches, type Find, type Load } from './batches.ts'
import { createGate, openGate } from './gate.ts'
import { createUsernameReader, type ReadKey, readExactName } from './keys.ts'

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
  const createLookup = <Row>(name: string, readKey: ReadKey, find: Find<Row>): Load<Row> =>
    withKeys(readKey, createBatches(observed(name, find, observe), gate))

  const readUsername = store.foldsUsernames ? readExactName : createUsernameReader()
  const users: Readonly<Record<LookupMethod, Load<User>>> = {
    ID: createLookup('users-by-id', parseId, (ids, sharing) => store.findUsers('ID', ids, sharing)),
    USERNAME: createLookup('users-by-username', readUsername, (names, sharing) =>
      store.findUsers('USERNAME', names, sharing),
    ),
    CHAT: createLookup('users-by-chat', readExactName, (chatIds, sharing) =>
      store.findUsers('CHAT', chatIds, sharing),
    ),
  }
  const apps: Load<App> = createLookup('apps-by-id', parseId, (ids, sharing) => store.findApps(ids, sharing))
  return {
    findUsers: (by, values, caller = null) => users[by](values, caller),
    findApps: (ids, caller = null) => apps(ids, caller),
  }
}

/** Looks up the values that can match something. The others are null, and the store does not see them. */
function withKeys<Row>(readKey: ReadKey, load: Load<Row>): Load<Row> {
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
function observed<Row>(lookup: string, find: Find<Row>, observe: Observe): Find<Row> {
  return (values, sharing) => {
    const started = performance.now()
    const report = () =>
      observe({
        type: 'store-query',
        lookup,
        questions: sharing.questions.length,
        values: values.length,
        duration: performance.now() - started,
      })
    let items: ReturnType<typeof find> | undefined
    try {
      items = find(values, sharing)
    } finally {
      // A store that responds at once costs no further promise.
      if (!(items instanceof Promise)) report()
    }
    return items instanceof Promise ? items.finally(report) : items
  }
}
