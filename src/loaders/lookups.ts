// One loader per lookup, shared by the whole process. Values come in as a client wrote them and leave for the
// store in canonical form; a value that cannot be an identifier never reaches the store and is `null`.

import { type App, type LookupMethod, parseId, type User, usernameKey } from '../model.ts'
import type { Observe } from '../observe/observation.ts'
import type { Store } from '../stores/store.ts'
import { batchLists, type Find } from './batch.ts'

/** The lookups the schema resolves with. One item per value, in order; `null` where nothing matches. */
export interface Lookups {
  findUsers(by: LookupMethod, values: readonly string[]): Promise<readonly (User | null)[]>
  findApps(ids: readonly string[]): Promise<readonly (App | null)[]>
}

type Canonical = (value: string) => string | null

export function createLookups(store: Store, observe: Observe): Lookups {
  const lookup = <Row>(name: string, canonical: Canonical, find: Find<Row>) => {
    const load = batchLists<Row>((values) => {
      observe({ type: 'store-query', lookup: name, values: values.length })
      return find(values)
    })
    return (values: readonly string[]) => loadCanonical(values, canonical, load)
  }
  const users = {
    ID: lookup('users-by-id', parseId, (ids) => store.findUsers('ID', ids)),
    USERNAME: lookup('users-by-username', usernameKey, (keys) => store.findUsers('USERNAME', keys)),
    CHAT: lookup(
      'users-by-chat',
      (chatId) => chatId,
      (chatIds) => store.findUsers('CHAT', chatIds),
    ),
  } satisfies Record<LookupMethod, unknown>
  const apps = lookup('apps-by-id', parseId, (ids) => store.findApps(ids))
  return { findUsers: (by, values) => users[by](values), findApps: apps }
}

function loadCanonical<Row>(
  values: readonly string[],
  canonical: Canonical,
  load: (values: readonly string[]) => Promise<readonly (Row | null)[]>,
): Promise<readonly (Row | null)[]> {
  const keys = values.map(canonical)
  if (keys.length > 0 && keys.every((key) => key !== null)) return load(keys)
  return loadKnown(keys, load)
}

async function loadKnown<Row>(
  keys: readonly (string | null)[],
  load: (values: readonly string[]) => Promise<readonly (Row | null)[]>,
): Promise<readonly (Row | null)[]> {
  const known = keys.filter((key) => key !== null)
  const found = known.length === 0 ? [] : await load(known)
  let next = 0
  return keys.map((key) => (key === null ? null : (found[next++] ?? null)))
}
