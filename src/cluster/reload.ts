// SIGHUP: the database is opened anew, with the settings as they are by then.

import type { Config } from '../config.ts'
import type { Observe } from '../observation.ts'
import { unusableDatabase } from '../stores/database-errors.ts'
import type { LiveStore } from '../stores/live-store.ts'

/**
 * @param config of the start
 * @param reread reads all settings again
 * @returns asks for a reload; one more follows when that happens during a reload
 */
export function createReload(
  live: LiveStore,
  config: Config,
  reread: () => Config,
  observe: Observe,
): () => void {
  let wanted = false
  let busy = false

  async function work(): Promise<void> {
    busy = true
    while (wanted) {
      wanted = false
      await reload().catch((error: unknown) =>
        observe({ type: 'reload-failed', reason: error instanceof Error ? error.message : String(error) }),
      )
    }
    busy = false
  }

  async function reload(): Promise<void> {
    const { serviceName, chatMethod } = config.dialect
    const read = reread().database
    // The dialect is that of the start until the process ends, and the store goes by it.
    const database = read.kind === 'old-service' ? { ...read, serviceName, chatMethod } : read
    await live.exchange(database).catch((error: unknown) => {
      throw unusableDatabase(database, error)
    })
  }

  return () => {
    wanted = true
    if (!busy) void work()
  }
}
