// Location → store; with transfer.ts the only place that knows which kinds of store there are.

import type { Observe } from '../observation.ts'
import type { DatabaseLocation } from '../settings.ts'
import { openSqliteStore } from './sqlite/store.ts'
import type { Store } from './store.ts'

/** @throws UnusableDatabase, or the database's own error, when it cannot be opened */
export async function openStore(location: DatabaseLocation, observe: Observe): Promise<Store> {
  if (location.kind === 'sqlite') return openSqliteStore(location.path, observe)
  if (location.kind === 'old-service') {
    const { openOldServiceStore } = await import('./old-service/store.ts')
    return openOldServiceStore(location, observe)
  }
  const { openPostgresStore } = await import('./postgres/store.ts')
  return openPostgresStore(location, observe)
}
