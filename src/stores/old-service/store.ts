// The store whose rows an old service has. Lookups of many clients share a call, and a client gets its rows
// even if the values of another client make the call fail (query.ts). Usernames are sent as clients spell
// them, because only the old service knows which spellings are the same user. A fault here breaks promise 13
// of docs/promises.md: a client would get another client's rows or errors.

import { type Clock, systemClock } from '../../clock.ts'
import type { OldServiceLocation } from '../../config/database.ts'
import { LookupError } from '../../errors.ts'
import type { Observe } from '../../observe/events.ts'
import { createRowChecks } from '../rows.ts'
import type { Item, LookupBatch, Store } from '../store.ts'
import { createConnections } from './connections.ts'
import { OldServiceError } from './failure.ts'
import { createLookups, createSend, type OldServiceLookup, type SendLookup } from './lookup.ts'
import { runQuery } from './query.ts'

/** @param send replaces HTTP */
export function openOldServiceStore(
  location: OldServiceLocation,
  observe: Observe,
  clock: Clock = systemClock,
  send: SendLookup = createSend(location, clock),
): Store {
  const connections = createConnections(location.connections, clock)
  const { users, apps } = createLookups(location, send, createRowChecks(observe), clock)

  async function find<Row>(
    lookup: OldServiceLookup<Row>,
    values: readonly string[],
    batch: LookupBatch<Row> = { lookups: [{ values, caller: null }], nextRound: () => {} },
  ): Promise<readonly Item<Row>[]> {
    return runQuery(lookup, batch, location, connections, observe, clock)
  }

  return {
    findUsers: (by, values, batch) => find(users[by], values, batch),
    findApps: (ids, batch) => find(apps, ids, batch),
    foldsUsernames: true,
    capacity: () => location.connections,
    ready: async () => {
      const giveBack = await connections.take(location.timeout)
      try {
        await users.ID.call(new Set(['1']))
      } catch (error) {
        if (!(error instanceof OldServiceError)) throw error
        observe({ type: 'store-failed', error, count: 1 })
        throw new LookupError('Unavailable', [], error)
      } finally {
        giveBack()
      }
    },
    close: () => {},
  }
}
