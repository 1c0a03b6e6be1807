// Connections to one server. Whoever asks waits for as long as it has patience, and no longer.

import pg from 'pg'
import type { Value } from './connection.ts'
import type { Question } from './statements.ts'
import { isStalePlan, Silence } from './trouble.ts'

export type Row = readonly Value[]

export interface Pool {
  /**
   * @param patience milliseconds until the connection is cut
   * @throws PostgreSQL's error, that of the connection, or Silence
   */
  readonly ask: (question: Question, patience: number) => Promise<readonly Row[]>
  /** Cuts all connections: whoever waits for an answer gets none. */
  readonly cut: () => void
  readonly close: () => Promise<void>
}

/** Milliseconds that a server has to say goodbye. */
const FAREWELL = 500

export function openPool(config: pg.PoolConfig): Pool {
  const pool = new pg.Pool({ ...config, idleTimeoutMillis: 60_000 })
  const clients = new Set<pg.PoolClient>()
  // Who waits for an answer learns of a lost connection by its query; nobody needs to learn of one that was idle.
  const ignore = () => {}
  pool.on('error', ignore)
  pool.on('connect', (client) => {
    client.on('error', ignore)
    clients.add(client)
  })
  pool.on('remove', (client) => clients.delete(client))

  async function ask(question: Question, patience: number): Promise<readonly Row[]> {
    const expired = Promise.withResolvers<never>()
    let held: pg.PoolClient | null = null
    let late = false
    const timer = startTimer(patience, () => {
      late = true
      expired.reject(new Silence(patience))
      held?.connection.stream.destroy()
    })

    async function exchange(): Promise<readonly Row[]> {
      const client = await pool.connect()
      if (late) {
        client.release()
        return []
      }
      held = client
      try {
        const rows = await query(client, question)
        client.release()
        return rows
      } catch (error) {
        // Nobody knows what state it is in, but for one case: what it prepared is for a table or view that has changed.
        const rows = isStalePlan(error) ? query(client, { ...question, name: '' }) : Promise.reject(error)
        return await rows.finally(() => client.release(true))
      }
    }

    try {
      return await Promise.race([exchange(), expired.promise])
    } finally {
      timer.stop()
    }
  }

  function cut(): void {
    for (const client of clients) client.connection.stream.destroy()
  }

  async function close(): Promise<void> {
    const timer = setTimeout(cut, FAREWELL)
    await pool.end()
    clearTimeout(timer)
  }

  return { ask, cut, close }
}

async function query(client: pg.PoolClient, question: Question): Promise<readonly Row[]> {
  const values = [...question.values]
  return (await client.query<Value[]>({ ...question, values, rowMode: 'array' })).rows
}

/**
 * A timer that does not take our own business for another's silence: after Node was busy, answers that have come are
 * read before it is up.
 */
export function startTimer(milliseconds: number, onEnd: () => void): { readonly stop: () => void } {
  let stopped = false
  const timer = setTimeout(() => setImmediate(() => stopped || onEnd()), milliseconds)
  return {
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}
