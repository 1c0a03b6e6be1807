// A store that can be exchanged for another one while lookups go on: its database is opened anew, with what
// the settings say by then.

import type { Clock } from '../clock.ts'
import type { DatabaseLocation } from '../config/database.ts'
import type { Observation, Observe } from '../observe/events.ts'
import { openStore } from './open-store.ts'
import type { Awaitable, Store } from './store.ts'
import { UnusableDatabase } from './store.ts'

interface LiveStore {
  /** Asks whichever store is the current one. */
  readonly store: Store
  /**
   * Opens another database of the same kind, asks it from then on, and closes the one before once its calls
   * are done.
   * @throws UnusableDatabase, or the database's own error; the one before stays
   */
  readonly exchange: (location: DatabaseLocation) => Promise<void>
}

interface Held {
  readonly store: Store
  /** Calls that are not answered yet. */
  calls: number
  readonly closed: PromiseWithResolvers<void>
}

/** @throws UnusableDatabase, or the database's own error, when it cannot be opened */
export async function openLiveStore(
  location: DatabaseLocation,
  observe: Observe,
  clock?: Clock,
): Promise<LiveStore> {
  const { kind } = location
  let channel = createChannel(observe)
  channel.pass()
  let current = hold(await openStore(location, channel.observe, clock))
  const retiring = new Set<Held>()
  let isClosed = false

  function call<T>(ask: (store: Store) => Awaitable<T>): Awaitable<T> {
    const held = current
    const answer = ask(held.store)
    if (answer instanceof Promise) {
      held.calls++
      const done = () => {
        held.calls--
        closeIfDone(held)
      }
      answer.then(done, done)
    }
    return answer
  }

  function closeIfDone(held: Held): void {
    if (held.calls > 0 || !retiring.delete(held)) return
    Promise.resolve(held.store.close()).then(held.closed.resolve, held.closed.reject)
  }

  async function exchange(to: DatabaseLocation): Promise<void> {
    if (to.kind !== kind)
      throw new UnusableDatabase(
        `DATABASE_URL names another kind of database (${to.kind}) than at the start (${kind}). Restart the gateway.`,
      )
    // One process must not open a file while it has the one before at the same path.
    current.store.look?.()
    const next = createChannel(observe)
    const opened = hold(await openStore(to, next.observe, clock))
    if (isClosed) {
      await opened.store.close()
      return
    }
    const before = current
    channel.mute()
    channel = next
    current = opened
    observe({ type: 'reloaded' })
    channel.pass()
    retire(before)
  }

  function retire(held: Held): void {
    // A store that cannot be closed is no reason to end the process.
    held.closed.promise.catch(() => {})
    retiring.add(held)
    closeIfDone(held)
  }

  const { version, capacity, countAfter, isEmpty, foldsUsernames } = current.store
  const store: Store = {
    findUsers: (by, values, sharing) => call((asked) => asked.findUsers(by, values, sharing)),
    findApps: (ids, sharing) => call((asked) => asked.findApps(ids, sharing)),
    ready: () => call((asked) => asked.ready()),
    close: async () => {
      isClosed = true
      const all = [...retiring, current]
      // Requests were waited for before: what is asked still gets no answer.
      for (const held of all) {
        held.calls = 0
        retire(held)
      }
      await Promise.all(all.map(({ closed }) => closed.promise))
    },
    ...(foldsUsernames && { foldsUsernames }),
    ...(version && { version: () => current.store.version?.() ?? 0 }),
    ...(capacity && { capacity: () => current.store.capacity?.() ?? 0 }),
    ...(countAfter && {
      countAfter: (name, id, most) =>
        call((asked) => asked.countAfter?.(name, id, most) ?? { count: 0, last: id }),
    }),
    ...(isEmpty && { isEmpty: (name) => call((asked) => asked.isEmpty?.(name) ?? false) }),
  }
  return { store, exchange }
}

function hold(store: Store): Held {
  return { store, calls: 0, closed: Promise.withResolvers<void>() }
}

/**
 * Keeps what a store that is being opened says until it is used, and is silent when it is not used any more.
 */
function createChannel(observe: Observe) {
  let kept: Observation[] = []
  let take: Observe = (observation) => kept.push(observation)
  return {
    observe: (observation: Observation) => take(observation),
    pass: () => {
      take = observe
      for (const observation of kept) observe(observation)
      kept = []
    },
    mute: () => {
      take = () => {}
    },
  }
}
