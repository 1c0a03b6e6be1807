// Connections to one server. A query waits until its timeout, and no longer.

import { Socket } from 'node:net'
import pg from 'pg'
import type { Value } from './connection.ts'
import { isAboutData, isLoginRefused, isServerFull, isStalePlan, QueryTimeout } from './errors.ts'
import type { Question } from './statements.ts'

export type Row = readonly Value[]

export interface Pool {
  /**
   * @param patience milliseconds until the connection is cut
   * @param onNoResponse called after NO_RESPONSE_MS milliseconds without an answer; with `true` the
   * connection is cut then
   * @throws PostgreSQL's error, that of the connection, or QueryTimeout
   */
  readonly ask: (
    question: Question,
    patience: number,
    onNoResponse?: () => boolean,
  ) => Promise<readonly Row[]>
  /** Cuts all connections: queries under way get no answer. */
  readonly cut: () => void
  readonly close: () => Promise<void>
}

/** Milliseconds without an answer after which one may wonder. */
const NO_RESPONSE_MS = 150
/**
 * Seconds after which a connection is replaced by a new one, though it works: where its host name has another
 * address by then, the old server may still answer, with data that are not written to any more.
 */
const CONNECTION_LIFETIME_SECONDS = 60
/** Milliseconds for which no more connections are asked of a server that takes none. */
const SETTLED_MS = 1000
/** Milliseconds that a server has to say goodbye. */
const CLOSE_TIMEOUT_MS = 500

/** @param configure called for each new connection; it must not throw */
export function openPool(configure: () => pg.ClientConfig, options: pg.PoolConfig): Pool {
  // The pool lets go of connections that are not closed yet, and knows none that are not made yet: a server
  // that says nothing would keep us from ending.
  const sockets = new Set<Socket>()
  function makeSocket(): Socket {
    const socket = new Socket()
    sockets.add(socket)
    return socket.once('close', () => sockets.delete(socket))
  }
  const asking = new Set<() => void>()
  class Client extends pg.Client {
    constructor() {
      super({ ...configure(), ...options, stream: makeSocket })
    }
  }
  // What it is told at the start is only for tracing.
  const defaults = { idleTimeoutMillis: 60_000, maxLifetimeSeconds: CONNECTION_LIFETIME_SECONDS }
  const pool = new pg.Pool({ ...configure(), ...defaults, ...options, Client })
  // A query that is under way fails with its connection; the loss of an idle one concerns no query.
  const ignore = () => {}
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))

  const most = pool.options.max
  /** For a while, makes do with the connections that there are. */
  function settle(): void {
    if (pool.options.max === most)
      setTimeout(() => {
        pool.options.max = most
      }, SETTLED_MS).unref()
    pool.options.max = Math.min(pool.options.max, pool.totalCount)
  }

  async function connect(isLate: () => boolean): Promise<pg.PoolClient> {
    for (let isRepeated = false; ; isRepeated = true) {
      try {
        return await pool.connect()
      } catch (error) {
        const hasOthers = isServerFull(error) && pool.totalCount > 0
        // The secrets may have been replaced since this connection was begun.
        const isOutdated = isLoginRefused(error) && !isRepeated
        if (isLate() || !(hasOthers || isOutdated)) throw error
        if (hasOthers) settle()
      }
    }
  }

  async function ask(
    question: Question,
    patience: number,
    onNoResponse: () => boolean = () => false,
  ): Promise<readonly Row[]> {
    const expired = Promise.withResolvers<never>()
    let held: pg.PoolClient | null = null
    let late = false
    const started = performance.now()
    const giveUp = () => {
      late = true
      expired.reject(new QueryTimeout(Math.round(performance.now() - started)))
      held?.connection.stream.destroy()
    }
    asking.add(giveUp)
    const noResponse = startTimer(NO_RESPONSE_MS, () => onNoResponse() && giveUp())
    const end = startTimer(patience, giveUp)

    async function exchange(): Promise<readonly Row[]> {
      const client = await connect(() => late)
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
        // What it has prepared is for a table or view that has changed since.
        const rows = isStalePlan(error) ? query(client, { ...question, name: '' }) : Promise.reject(error)
        // After other errors, its state is unknown.
        return await rows.finally(() => client.release(!isAboutData(error)))
      }
    }

    try {
      return await Promise.race([exchange(), expired.promise])
    } finally {
      asking.delete(giveUp)
      noResponse.stop()
      end.stop()
    }
  }

  function cut(): void {
    for (const giveUp of asking) giveUp()
    for (const socket of sockets) socket.destroy()
  }

  async function close(): Promise<void> {
    const timer = setTimeout(cut, CLOSE_TIMEOUT_MS)
    await pool.end()
    await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))))
    clearTimeout(timer)
  }

  return { ask, cut, close }
}

async function query(client: pg.PoolClient, question: Question): Promise<readonly Row[]> {
  const values = [...question.values]
  return (await client.query<Value[]>({ ...question, values, rowMode: 'array' })).rows
}

/**
 * A timer that does not take our own business for another's silence: after Node was busy, answers that have
 * come are read before it is up.
 */
export function startTimer(milliseconds: number, onEnd: () => unknown): { readonly stop: () => void } {
  let stopped = false
  const timer = setTimeout(() => setImmediate(() => stopped || onEnd()), milliseconds)
  return {
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}
