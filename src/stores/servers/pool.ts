// A pool of connections to one server, for either engine. It uses the login of the last health check that
// succeeded, and stops logging in if the server refuses the login: the pools of pg and mysql2 cannot stop.

import { Socket } from 'node:net'
import type { ServerLogin, ServerRow, Session, Statement } from './driver.ts'
import { type ErrorKinds, QueryTimeout } from './errors.ts'

/** Milliseconds until a full server is tried again. */
const FULL_MS = 1000
/** Milliseconds after which a connection is replaced: the host name may have another address by then. */
const LIFETIME_MS = 60_000
/** Milliseconds that the server has to close its connections. */
const CLOSE_TIMEOUT_MS = 500

/** @param waited milliseconds so far @returns milliseconds until the next decision; 0 gives the query up */
export type Patience = (waited: number) => number

interface PooledConnection {
  readonly session: Session
  /** Idle connections of an earlier generation are closed. */
  readonly generation: number
  /** When it is to be replaced. */
  readonly end: number
}

/** A query that waits for a connection. */
interface PoolQuery {
  readonly run: (connection: PooledConnection) => void
  readonly fail: (error: unknown) => void
}

export type Pool = ReturnType<typeof openPool>

/** @param max connections */
export function openPool(
  max: number,
  errors: Pick<ErrorKinds, 'isAboutData' | 'isServerFull' | 'isLoginRefused'>,
) {
  const open = new Set<PooledConnection>()
  const idle = new Set<PooledConnection>()
  const waiting = new Set<PoolQuery>()
  /** All sockets, also those that are not logged in yet. */
  const sockets = new Set<Socket>()
  let access: ServerLogin | null = null
  let generation = 0
  let connecting = 0
  let busy = 0
  /** Why the server refused the login; null once `use` allows another one. */
  let refusal: unknown = null
  /** Why the server took no more connections, less than a second ago. */
  let full: unknown = null

  /** Gives connections to jobs, and makes more if jobs are left. */
  function advance(): void {
    for (const connection of idle) {
      const [job] = waiting
      if (job === undefined) return
      waiting.delete(job)
      idle.delete(connection)
      job.run(connection)
    }
    const blocked = refusal ?? full
    if (blocked === null)
      while (waiting.size > connecting && open.size + connecting < max) void connect(access, generation)
    // Open connections go on. Other logins that are under way may still succeed.
    else if (open.size + connecting === 0) for (const job of waiting) job.fail(blocked)
  }

  async function connect(by: ServerLogin | null, own: number): Promise<void> {
    connecting++
    let lose = () => {}
    try {
      if (by === null) throw new Error('no connection')
      const session = await by.connect(createSocket, () => lose())
      // At random times, since other processes use the same server.
      const end = performance.now() + LIFETIME_MS * (1 - Math.random() / 4)
      const connection: PooledConnection = { session, generation: own, end }
      lose = () => {
        // A query in flight gets its own error.
        if (idle.has(connection)) close(connection, 'destroy')
        else if (open.delete(connection)) advance()
      }
      open.add(connection)
      connecting--
      release(connection)
    } catch (error) {
      connecting--
      if (errors.isLoginRefused(error)) refusal = own === generation ? error : refusal
      else if (errors.isServerFull(error)) {
        if (full === null) setTimeout(endFull, FULL_MS).unref()
        full = error
      } else {
        const [job] = waiting
        job?.fail(error)
      }
      advance()
    }
  }

  function endFull(): void {
    full = null
    advance()
  }

  function release(connection: PooledConnection): void {
    // An old connection is better than none while no other can be made.
    const isOld = performance.now() > connection.end && (refusal ?? full) === null
    if (isOld || connection.generation !== generation || !open.has(connection)) close(connection, 'end')
    else {
      idle.add(connection)
      advance()
    }
  }

  function close(connection: PooledConnection, how: 'end' | 'destroy'): void {
    idle.delete(connection)
    open.delete(connection)
    connection.session[how]()
    advance()
  }

  /** Closes all connections, those with a query in flight once it has its response. */
  function renew(): void {
    generation++
    for (const connection of idle) close(connection, 'end')
  }

  function createSocket(): Socket {
    const socket = new Socket()
    sockets.add(socket)
    return socket.once('close', () => sockets.delete(socket))
  }

  /**
   * @param from when the query's time begins: now, or once it has a connection
   * @throws the engine's error, that of the connection, or QueryTimeout
   */
  function query(
    statement: Statement,
    patience: Patience,
    from: 'start' | 'connected' = 'start',
  ): Promise<readonly ServerRow[]> {
    return new Promise((resolve, reject) => {
      let waited = 0
      let isOver = false
      let timer: NodeJS.Timeout | undefined
      let held: PooledConnection | null = null

      function finish(error: unknown, rows: readonly ServerRow[]): void {
        if (isOver) return
        isOver = true
        clearTimeout(timer)
        waiting.delete(job)
        busy--
        // After any error that is not about data, the state of the session is unknown.
        if (held !== null) {
          if (error === null || errors.isAboutData(error)) release(held)
          else close(held, 'destroy')
        }
        if (error === null) resolve(rows)
        else reject(error)
      }
      // If Node was busy, this reads responses that have arrived before it gives the query up.
      const decide = () => setImmediate(wait)
      function wait(): void {
        if (isOver) return
        const next = patience(waited)
        waited += next
        if (next > 0) timer = setTimeout(decide, next)
        else finish(new QueryTimeout(waited), [])
      }

      const job: PoolQuery = {
        run: (connection) => {
          held = connection
          if (from === 'connected') wait()
          connection.session.query(statement, finish)
        },
        fail: (error) => finish(error, []),
      }
      busy++
      waiting.add(job)
      if (from === 'start') wait()
      advance()
    })
  }

  return {
    query,
    /** How many queries are in flight. */
    busy: () => busy,
    /** How many connections are open. */
    size: () => open.size,
    /** Why the server refused the login of a new connection; null if it did not. */
    refusal: () => refusal,
    /** Logs in this way from now on, even if the server refused it before. */
    use(next: ServerLogin): void {
      const isOther = next !== access
      access = next
      refusal = null
      if (isOther) renew()
      advance()
    },
    renew,
    close: async (): Promise<void> => {
      access = null
      for (const job of waiting) job.fail(new Error('the store is closed'))
      for (const { session } of open) session.end()
      open.clear()
      idle.clear()
      const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
      // A server that hangs would keep the process alive, also during a login.
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, CLOSE_TIMEOUT_MS)
      await Promise.all(closed)
      clearTimeout(timer)
    },
  }
}
