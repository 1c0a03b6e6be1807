// Opens the store that a location names. A new kind of store needs a branch here, and also in transfer.ts,
// database-errors.ts and check/access.ts if commands can fill it.

import type { Clock } from '../clock.ts'
import type { DatabaseLocation, ServerKind } from '../config/database.ts'
import type { Observe } from '../observe/events.ts'
import type { Engine } from './servers/driver.ts'
import { openSqliteStore } from './sqlite/store.ts'
import type { Store } from './store.ts'

/** @throws UnusableDatabase, or the database's own error, when it cannot be opened */
export async function openStore(location: DatabaseLocation, observe: Observe, clock?: Clock): Promise<Store> {
  if (location.kind === 'sqlite') return openSqliteStore(location, observe, clock)
  if (location.kind === 'old-service') {
    const { openOldServiceStore } = await import('./old-service/store.ts')
    return openOldServiceStore(location, observe, clock)
  }
  const { openServersStore } = await import('./servers/store.ts')
  return openServersStore(await engineOf(location.kind), location, observe)
}

async function engineOf(kind: ServerKind): Promise<Engine> {
  return kind === 'postgres'
    ? (await import('./postgres/engine.ts')).postgres
    : (await import('./mysql/engine.ts')).mysql
}
