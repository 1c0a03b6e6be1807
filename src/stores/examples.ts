// Values to try: the first rows of a store. They cost two slices of one row for users and for apps, and one
// lookup. An old service counts no rows, and is not searched for any.

import { remembered } from './remembered.ts'
import type { Store } from './store.ts'

/** Empty where there are none, or where that cannot be told, or not yet. */
export interface Examples {
  /** Ids of users. */
  readonly users: readonly string[]
  /** Usernames of the same users, but for those that are odd or long. */
  readonly usernames: readonly string[]
  /** Ids of apps. */
  readonly apps: readonly string[]
}

const EXAMPLES = 2
/** These need no escapes anywhere, and do not part a list. */
const plainUsername = /^[\p{L}\p{M}\p{N}._-]{1,64}$/u

/** @returns the first rows, as they were a few seconds ago; never throws */
export function watchExamples(store: Store): () => Promise<Examples> {
  return remembered(
    async () => {
      const users = await firstIds(store, 'users')
      return { users, usernames: await usernamesOf(store, users), apps: await firstIds(store, 'apps') }
    },
    { users: [], usernames: [], apps: [] },
  )
}

async function firstIds({ countAfter }: Store, name: 'users' | 'apps'): Promise<readonly string[]> {
  const ids: string[] = []
  for (let after = 0; countAfter !== undefined && ids.length < EXAMPLES; ) {
    const { count, last } = await countAfter(name, after, 1)
    if (count === 0) break
    ids.push(String(last))
    after = last
  }
  return ids
}

async function usernamesOf(store: Store, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const users = await store.findUsers('ID', ids)
  return users
    .flatMap((user) => (user === null || user instanceof Error ? [] : [user.username]))
    .filter((username) => plainUsername.test(username))
}
