// A store whose database can be exchanged while lookups are in flight: a reload of the settings may name
// another one, or another password.

import type { Clock } from '../clock.ts'
import type { DatabaseLocation } from '../config/database.ts'
import type { Observation, Observe } from '../observe/events.ts'
import { openStore } from './open-store.ts'
import { type Awaitable, type Store, UnusableDatabase } from './store.ts'

type OpenStore = Awaited<ReturnType<typeof open>>

/** @throws UnusableDatabase, or the database's own error, when it cannot be opened */
export async function openLiveStore(location: DatabaseLocation, observe: Observe, clock?: Clock) {
  const { kind } = location
  let current = await open(location, observe, clock)
  current.use()
  const retiring = new Set<OpenStore>()
  let isClosed = false

  function call<T>(work: (store: Store) => Awaitable<T>): Awaitable<T> {
    const opened = current
    const result = work(opened.store)
    if (result instanceof Promise) {
      opened.calls++
      const done = () => {
        opened.calls--
        closeIfDone(opened)
      }
      result.then(done, done)
    }
    return result
  }

  function closeIfDone(opened: OpenStore): void {
    if (opened.calls > 0 || !retiring.delete(opened)) return
    Promise.resolve(opened.store.close()).then(opened.closed.resolve, opened.closed.reject)
  }

  function retire(opened: OpenStore): void {
    // A store that cannot be closed is no reason to end the process.
    opened.closed.promise.catch(() => {})
    retiring.add(opened)
    closeIfDone(opened)
  }

  /**
   * Opens another database of the same kind for further calls. Closes the previous one when its calls are
   * complete.
   * @throws UnusableDatabase, or the database's own error; the previous database stays in use
   */
  async function exchange(to: DatabaseLocation): Promise<void> {
    if (to.kind !== kind)
      throw new UnusableDatabase(
        `DATABASE_URL names another kind of database (${to.kind}) than at the start (${kind}). Restart the gateway.`,
      )
    // A process must not have two files open that were at one path: see served-file.ts.
    current.store.look?.()
    const next = await open(to, observe, clock)
    if (isClosed) return next.store.close()
    current.mute()
    retire(current)
    current = next
    observe({ type: 'reloaded' })
    current.use()
  }

  const { version, capacity, countAfter, isEmpty, foldsUsernames } = current.store
  /** Calls the current store. */
  const store: Store = {
    findUsers: (by, values, batch) => call((open) => open.findUsers(by, values, batch)),
    findApps: (ids, batch) => call((open) => open.findApps(ids, batch)),
    ready: () => call((open) => open.ready()),
    close: async () => {
      isClosed = true
      const all = [...retiring, current]
      // The process has drained its requests: calls that are left get no response.
      for (const opened of all) {
        opened.calls = 0
        retire(opened)
      }
      await Promise.all(all.map(({ closed }) => closed.promise))
    },
    ...(foldsUsernames && { foldsUsernames }),
    ...(version && { version: () => current.store.version?.() ?? 0 }),
    ...(capacity && { capacity: () => current.store.capacity?.() ?? 0 }),
    ...(countAfter && {
      countAfter: (name, id, most) =>
        call((open) => open.countAfter?.(name, id, most) ?? { count: 0, last: id }),
    }),
    ...(isEmpty && { isEmpty: (name) => call((open) => open.isEmpty?.(name) ?? false) }),
  }
  return { store, exchange }
}

/** Opens a store, and holds its events back until the store is in use: `reloaded` comes before them. */
async function open(location: DatabaseLocation, observe: Observe, clock: Clock | undefined) {
  let pending: Observation[] = []
  let take: Observe = (observation) => pending.push(observation)
  const store = await openStore(location, (observation) => take(observation), clock)
  return {
    store,
    /** Calls in flight. */
    calls: 0,
    closed: Promise.withResolvers<void>(),
    use: () => {
      take = observe
      for (const observation of pending) observe(observation)
      pending = []
    },
    /** Drops the events of the calls that are left. */
    mute: () => {
      take = () => {}
    },
  }
}
