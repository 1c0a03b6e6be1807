// One loader per lookup, shared by the whole process. Values come in as a client wrote them and leave for the
// store in canonical form; a value that cannot be an identifier never reaches the store and is `null`.

import type { Caller } from '../../caller.ts'
import type { App } from '../../data/apps.ts'
import type { User } from '../../data/users.ts'
import { type LookupMethod, parseId } from '../../model.ts'
import type { Observe } from '../../observe/events.ts'
import type { Awaitable, Item, Store } from '../../stores/store.ts'
import { createBatches, type Find, type Load } from './batch.ts'
import { createGate } from './gate.ts'
import { type Canonical, createUsernameKeys, exactName } from './username-keys.ts'

export type { Item }

/** The lookups the schema resolves with. One item per value, in order. */
export interface Lookups {
  findUsers(
    by: LookupMethod,
    values: readonly string[],
    caller?: Caller | null,
  ): Promise<readonly Item<User>[]>
  findApps(ids: readonly string[], caller?: Caller | null): Promise<readonly Item<App>[]>
}

export function createLookups(store: Store, observe: Observe): Lookups {
  // One for all lookups: they share the store's connections.
  const gate = store.capacity === undefined ? null : createGate(store.capacity)
  const lookup = <Row>(name: string, canonical: Canonical, find: Find<Row>): Load<Row> => {
    const load = createBatches(observed(name, find, observe), gate)
    return (values, caller = null) => loadCanonical(values, caller, canonical, load)
  }
  const users = {
    ID: lookup('users-by-id', parseId, (ids, sharing) => store.findUsers('ID', ids, sharing)),
    USERNAME: lookup(
      'users-by-username',
      store.foldsUsernames ? exactName : createUsernameKeys(),
      (keys, sharing) => store.findUsers('USERNAME', keys, sharing),
    ),
    CHAT: lookup('users-by-chat', exactName, (chatIds, sharing) => store.findUsers('CHAT', chatIds, sharing)),
  } satisfies Record<LookupMethod, Load<User>>
  const apps: Load<App> = lookup('apps-by-id', parseId, (ids, sharing) => store.findApps(ids, sharing))
  return { findUsers: (by, values, caller) => users[by](values, caller), findApps: apps }
}

/** Asks the store, and says how long that took: what it answers at once costs no promise. */
function observed<Row>(lookup: string, find: Find<Row>, observe: Observe): Find<Row> {
  return (values, sharing) => {
    const started = performance.now()
    const done = () =>
      observe({
        type: 'store-query',
        lookup,
        questions: sharing.questions.length,
        values: values.length,
        duration: performance.now() - started,
      })
    let rows: Awaitable<readonly Item<Row>[]> = []
    try {
      rows = find(values, sharing)
    } finally {
      if (!(rows instanceof Promise)) done()
    }
    return rows instanceof Promise ? rows.finally(done) : rows
  }
}

function loadCanonical<Row>(
  values: readonly string[],
  caller: Caller | null,
  canonical: Canonical,
  load: Load<Row>,
): Promise<readonly Item<Row>[]> {
  const keys = values.map((value) => canonical(value, caller))
  if (keys.length > 0 && keys.every((key) => key !== null)) return load(keys, caller)
  return loadKnown(keys, caller, load)
}

async function loadKnown<Row>(
  keys: readonly (string | null)[],
  caller: Caller | null,
  load: Load<Row>,
): Promise<readonly Item<Row>[]> {
  const known = keys.filter((key) => key !== null)
  const found = known.length === 0 ? [] : await load(known, caller)
  let next = 0
  return keys.map((key) => (key === null ? null : (found[next++] ?? null)))
}
