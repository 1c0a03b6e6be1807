// Location → store; with transfer.ts the only place that knows which kinds of store there are.

import type { Observe } from '../observe/observation.ts'
import type { DatabaseLocation } from '../settings.ts'
import { openSqliteStore } from './sqlite/store.ts'
import type { Store } from './store.ts'

/** @throws the database's own error when it cannot be opened */
export function openStore({ path }: DatabaseLocation, observe: Observe): Store {
  return openSqliteStore(path, observe)
}
