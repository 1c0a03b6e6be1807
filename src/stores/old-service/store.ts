import { type Clock, systemClock } from '../../clock.ts'
import type { OldServiceLocation } from '../../config/database.ts'
import { LookupError } from '../../errors.ts'
import type { Observe } from '../../observe/events.ts'
import { failureOfAll } from '../items.ts'
import { createRowChecks } from '../rows.ts'
import type { Item, Sharing, Store } from '../store.ts'
import { type AskOldService, createClient } from './client.ts'
import { createConnections } from './connections.ts'
import { OldServiceError } from './failure.ts'
import { MAX_SPLIT_CALLS } from './limits.ts'
import { createLookups, type Lookup } from './lookup.ts'
import { runQuery } from './query.ts'
import { openValues } from './values.ts'

/**
 * An old service as the store: it is asked as its clients ask it, for many values at a time, and all it says
 * is checked. Usernames go as they were asked for, since only the old service knows which of them it takes
 * for the same.
 * @param ask another way to it, such as a slower one
 */
export function openOldServiceStore(
  location: OldServiceLocation,
  observe: Observe,
  ask?: AskOldService,
  clock: Clock = systemClock,
): Store {
  const { maxValues, timeout } = location
  const connections = createConnections(location.connections, clock)
  const checks = createRowChecks(observe)
  const { users, apps } = createLookups(location, ask ?? createClient(location, clock), checks, clock)

  async function find<Found>(
    lookup: Lookup<Found>,
    values: readonly string[],
    { questions, nextRound }: Sharing<Found> = { questions: [{ values, caller: null }], nextRound: () => {} },
  ): Promise<readonly Item<Found>[]> {
    const options = { connections, maxValues, timeout, maxSplitCalls: MAX_SPLIT_CALLS, clock, nextRound }
    const result = await runQuery(lookup, openValues<Found>(values, questions), options)
    const { items, failure, splitFor, repeatedCalls: calls } = result
    if (splitFor !== null) observe({ type: 'store-split', calls, reason: splitFor.message })
    if (failure !== null) observe({ type: 'store-failed', error: failure, count: 1 })
    const failureOfQuery = failureOfAll(items)
    if (failureOfQuery !== null) throw failureOfQuery
    return items
  }

  return {
    findUsers: (by, values, sharing) => find(users[by], values, sharing),
    findApps: (ids, sharing) => find(apps, ids, sharing),
    foldsUsernames: true,
    capacity: () => location.connections,
    ready: async () => {
      await connections.take('first', timeout)
      try {
        await users.ID.ask(new Set(['1']))
      } catch (error) {
        if (!(error instanceof OldServiceError)) throw error
        observe({ type: 'store-failed', error, count: 1 })
        throw new LookupError('Unavailable', [], error)
      } finally {
        connections.giveBack('first')
      }
    },
    close: () => {},
  }
}
