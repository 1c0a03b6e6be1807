// The database at startup: made, opened, and looked at.

import { fileURLToPath } from 'node:url'
import { pause } from '../clock.ts'
import type { Config } from '../config/config.ts'
import type { Observe } from '../observe/events.ts'
import { ownFile } from '../own-file.ts'
import { isMissing, missingDatabase, unusableDatabase } from '../stores/database-errors.ts'
import { type LiveStore, openLiveStore } from '../stores/live-store.ts'
import type { Store } from '../stores/store.ts'

/** Milliseconds that an old service has for its first answer, before it is reported as down. */
const OLD_SERVICE_MS = 2_000

/** Makes the default database with sample data where the operator chose none. @returns whether it did */
export async function provideDatabase({ database, databaseChosen }: Config): Promise<boolean> {
  if (!isMissing(database)) return false
  if (databaseChosen) throw missingDatabase(database)
  const { importFile } = await import('../data/import/import-file.ts')
  const { relations } = await import('../data/relations.ts')
  for (const relation of Object.values(relations)) {
    const file = fileURLToPath(ownFile(`src/data/sample/${relation.name}.jsonl`))
    const request = { database, relation, file, format: 'jsonl', replace: false, rejects: null } as const
    const { committed, problems } = await importFile({ ...request, onProgress: () => {} }).catch(
      (error: unknown) => {
        throw unusableDatabase(database, error)
      },
    )
    if (!committed) throw new Error(`the sample data is invalid: ${JSON.stringify(problems)}`)
  }
  return true
}

export async function openDatabase({ database }: Config, observe: Observe): Promise<LiveStore> {
  try {
    return await openLiveStore(database, observe)
  } catch (error) {
    throw unusableDatabase(database, error)
  }
}

/** A database has been opened; an old service may be down, or not what the address says: it is asked. */
export async function whatIsDown({ database }: Config, store: Store): Promise<string | null> {
  if (database.kind !== 'old-service') return null
  const ask = async () => {
    await store.ready()
    return null
  }
  const failed = 'a lookup failed ("store-failed" in the log). Check DATABASE_URL and the old service.'
  const silent = 'it has not answered a lookup for 2 s. Check DATABASE_URL and the old service.'
  return Promise.race([ask().catch(() => failed), pause(OLD_SERVICE_MS).then(() => silent)])
}
