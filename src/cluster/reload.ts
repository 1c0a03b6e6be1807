// SIGHUP: what can be read anew is, without a failed request.

import type { Config } from '../config/config.ts'
import type { Observe } from '../observe/events.ts'
import { unusableDatabase } from '../stores/database-errors.ts'
import type { LiveStore } from '../stores/live-store.ts'

/** Reads something anew. Where that fails, all is as before. */
type Renew = () => Promise<void>

/** @returns asks for a reload; one more follows when that happens during a reload */
export function createReload(renewals: readonly Renew[], observe: Observe): () => void {
  let wanted = false
  let busy = false

  async function work(): Promise<void> {
    busy = true
    while (wanted) {
      wanted = false
      for (const renew of renewals)
        await renew().catch((error: unknown) =>
          observe({ type: 'reload-failed', reason: error instanceof Error ? error.message : String(error) }),
        )
    }
    busy = false
  }

  return () => {
    wanted = true
    if (!busy) void work()
  }
}

/**
 * The database is opened anew, with the settings as they are by then.
 * @param config of the start
 * @param reread reads all settings again
 */
export function databaseRenewal(live: LiveStore, { dialect }: Config, reread: () => Config): Renew {
  return async () => {
    const read = reread().database
    // The dialect is that of the start until the process ends, and the store goes by it.
    const database = read.kind === 'old-service' ? { ...read, dialect } : read
    await live.exchange(database).catch((error: unknown) => {
      throw unusableDatabase(database, error)
    })
  }
}
