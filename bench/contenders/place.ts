// The address and the data of a contender.

import { DatabaseSync } from 'node:sqlite'

export const port = Number(process.env.PORT)
export const host = '127.0.0.1'
/** A URL, as the gateway reads it. */
export const database = process.env.DATABASE_URL ?? ''

/** Opens the file with the gateway's settings, so that no contender has the better store. */
export function openDatabase(): DatabaseSync {
  const opened = new DatabaseSync(database.replace(/^sqlite:/, ''), { readOnly: true, timeout: 1000 })
  opened.exec(`PRAGMA mmap_size = ${48 * 1024 * 1024}; PRAGMA cache_size = -4096`)
  return opened
}
