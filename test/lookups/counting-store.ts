import type { LookupMethod } from '../../src/model.ts'
import { openStore } from '../../src/stores/open-store.ts'
import type { Store } from '../../src/stores/store.ts'
import { filledFile, temporaryFolder } from '../kit/gateway.ts'

interface CountedQuery {
  readonly by: LookupMethod | 'APP'
  readonly values: readonly string[]
}

export interface CountingStore extends Store {
  readonly path: string
  /** The calls of the store, in order. */
  readonly queries: CountedQuery[]
  /** How many calls of each kind there were. */
  readonly counts: () => Readonly<Record<string, number>>
  /** Thrown by every query while it is set. */
  failure: Error | null
  /** The results for these values, instead of their rows. */
  readonly failing: Map<string, Error>
  readonly remove: () => Promise<void>
}

/** A real store over the sample data that records its calls. */
export async function openCountingStore(): Promise<CountingStore> {
  const folder = temporaryFolder()
  const database = await filledFile(`${folder.path}/test.db`)
  const store = await openStore(database, () => {})

  function count(by: CountedQuery['by'], values: readonly string[]): void {
    counting.queries.push({ by, values })
    if (counting.failure !== null) throw counting.failure
  }

  const counting: CountingStore = {
    ...store,
    path: database.path,
    queries: [],
    counts: () => {
      const kinds = Map.groupBy(counting.queries, ({ by }) => by)
      return Object.fromEntries([...kinds].map(([kind, calls]) => [kind, calls.length]))
    },
    failure: null,
    failing: new Map(),
    findUsers: (by, values) => {
      count(by, values)
      const found = store.findUsers(by, values)
      if (counting.failing.size === 0 || found instanceof Promise) return found
      return found.map((item, at) => counting.failing.get(values[at] ?? '') ?? item)
    },
    findApps: (ids) => {
      count('APP', ids)
      return store.findApps(ids)
    },
    remove: async () => {
      await store.close()
      folder.remove()
    },
  }
  return counting
}
