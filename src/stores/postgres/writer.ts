import pg from 'pg'
import { connectionTo } from './connection.ts'

/** Milliseconds to connect. */
const CONNECT_TIMEOUT_MS = 10_000
/** Milliseconds to wait for another writer. */
const LOCK_TIMEOUT_MS = 10_000

/** Connects to fill or to read everything: without a limit of time, since that may take long. */
export async function connectWriter(url: string): Promise<pg.Client> {
  const limits = { connectTimeout: CONNECT_TIMEOUT_MS, statementTimeout: 0, readOnly: false }
  const client = new pg.Client({ ...connectionTo(url, limits), lock_timeout: LOCK_TIMEOUT_MS })
  client.on('error', () => {}) // whatever is asked next says so
  await client.connect()
  return client
}

/** Connects for as long as some work takes; what it has not committed is undone. */
export async function withWriter<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectWriter(url)
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}
