// Failures as real servers make them.

import { once } from 'node:events'
import { createServer } from 'node:net'
import pg from 'pg'
import { onTestFinished } from 'vitest'

/** What a connection, or a statement over it, fails with. */
export async function failureAt(url: string, sql = 'SELECT', timeout = 10_000): Promise<unknown> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeout })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(sql)
  } catch (error) {
    return error
  } finally {
    await client.end().catch(() => {})
  }
  throw new Error('it went well')
}

/** An error of this state and text, as PostgreSQL sends it. */
export function raised(url: string, state: string, text = 'so it is'): Promise<unknown> {
  return failureAt(url, `DO $$ BEGIN RAISE '${text}' USING ERRCODE = '${state}'; END $$`)
}

/** A connection is made for this long, in milliseconds, by lookups at a server that is silent. */
const SHORTLY = 100

/** What a login fails with at a server that says nothing, or hangs up. */
export async function failureOfLogin(hangsUp: boolean): Promise<unknown> {
  return failureAt(await listenDeafly(hangsUp), 'SELECT', SHORTLY)
}

/** What lookups fail with that wait for the only connection of a pool: one makes it, one would use it. */
export async function failuresOfPool(): Promise<unknown[]> {
  const connectionString = await listenDeafly(false)
  const pool = new pg.Pool({ connectionString, max: 1, connectionTimeoutMillis: SHORTLY })
  const outcomes = await Promise.allSettled([pool.connect(), pool.connect()])
  await pool.end()
  return outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)
}

/** The URL of a server that never speaks; it ends with the test. */
async function listenDeafly(hangsUp: boolean): Promise<string> {
  const listening = createServer((socket) => {
    socket.on('error', () => {})
    if (hangsUp) socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  onTestFinished(() => void listening.close())
  const address = listening.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return `postgres://reader:right@127.0.0.1:${port}/x`
}
