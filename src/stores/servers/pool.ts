// A pool of connections to one server of either engine. Lookups have one, and health checks have another. It
// stops logging in if the server refuses the login, which the pools of pg and mysql2 cannot do.

import { Socket } from 'node:net'
import type { ServerLogin, ServerRow, Session, Statement } from './driver.ts'
import { type ErrorKinds, QueryTimeout } from './errors.ts'

/** Milliseconds until the pool logs in again to a server that has no connection left. */
const FULL_MS = 1000
/** Milliseconds after which a connection is replaced: the host name may have another address by then. */
const LIFETIME_MS = 60_000
/** Milliseconds that the server has to close its connections. */
const CLOSE_TIMEOUT_MS = 500

/** @param waited milliseconds so far @returns milliseconds until the next call; 0 cancels the query */
export type Patience = (waited: number) => number

interface PooledConnection {
  readonly session: Session
  /** Idle connections of an earlier generation are closed. */
  readonly generation: number
  /** When the pool replaces it, on the clock of `performance`. */
  readonly end: number
}

/** A query in the queue. */
interface QueuedQuery {
  readonly run: (connection: PooledConnection) => void
  readonly fail: (error: unknown) => void
}

/** @param max connections */
export function openPool(
  max: number,
  errors: Pick<ErrorKinds, 'isAboutData' | 'isServerFull' | 'isLoginRefused'>,
) {
  const open = new Set<PooledConnection>()
  const idle = new Set<PooledConnection>()
  const queue = new Set<QueuedQuery>()
  /** All sockets, also sockets that are not logged in yet. */
  const sockets = new Set<Socket>()
  /** Null before the first `use`, and after `close`. */
  let login: ServerLogin | null = null
  let generation = 0
  /** Logins that are not finished. */
  let connecting = 0
  /** Queries in the queue and in flight. */
  let busy = 0
  /** Why the server refused the login; null once `use` allows another one. */
  let refusal: unknown = null
  /** Why the server took no more connections, and until when no login is tried. */
  let full: unknown = null
  let fullUntil = 0

  /** Gives idle connections to the queue, and logs in for the rest of the queue. */
  function advance(): void {
    for (const connection of idle) {
      const [next] = queue
      if (next === undefined) return
      queue.delete(next)
      idle.delete(connection)
      next.run(connection)
    }
    if (performance.now() >= fullUntil) full = null
    const blocked = refusal ?? full
    if (blocked === null) while (queue.size > connecting && open.size + connecting < max) void connect()
    // While any connection or login is left, the queue may still get a connection.
    else if (open.size + connecting === 0) for (const query of queue) query.fail(blocked)
  }

  async function connect(): Promise<void> {
    const own = generation
    connecting++
    let lose = () => {}
    try {
      if (login === null) throw new Error('no connection')
      const session = await login.connect(createSocket, () => lose())
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
        full = error
        fullUntil = performance.now() + FULL_MS
      } else {
        const [next] = queue
        next?.fail(error)
      }
      advance()
    }
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
    const { promise, resolve, reject } = Promise.withResolvers<readonly ServerRow[]>()
    const deadline = createDeadline(patience, (error) => finish(error, []))
    let used: PooledConnection | null = null

    const queued: QueuedQuery = {
      run: (connection) => {
        used = connection
        if (from === 'connected') deadline.start()
        connection.session.query(statement, finish)
      },
      fail: (error) => finish(error, []),
    }

    function finish(error: unknown, rows: readonly ServerRow[]): void {
      if (deadline.isOver()) return
      deadline.end()
      queue.delete(queued)
      busy--
      // After any error that is not about data, the state of the session is unknown.
      if (used !== null) {
        if (error === null || errors.isAboutData(error)) release(used)
        else close(used, 'destroy')
      }
      if (error === null) resolve(rows)
      else reject(error)
    }

    busy++
    queue.add(queued)
    if (from === 'start') deadline.start()
    advance()
    return promise
  }

  return {
    query,
    /** How many queries wait or are in flight. */
    busy: () => busy,
    /** How many connections are open. */
    size: () => open.size,
    /** Why the server refused the login of a new connection; null if it did not. */
    refusal: () => refusal,
    /** Sets the login of new connections, even if the server has refused this login. */
    use(next: ServerLogin): void {
      const isOther = next !== login
      login = next
      refusal = null
      if (isOther) renew()
      advance()
    },
    renew,
    close: async (): Promise<void> => {
      login = null
      for (const query of queue) query.fail(new Error('the store is closed'))
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

/** Limits the time of one query: calls `patience` whenever its last result has passed. */
function createDeadline(patience: Patience, cancel: (error: QueryTimeout) => void) {
  let waited = 0
  let isOver = false
  let timer: NodeJS.Timeout | undefined

  function wait(): void {
    if (isOver) return
    const next = patience(waited)
    waited += next
    // If Node was busy, `setImmediate` reads responses that have arrived before it cancels the query.
    if (next > 0) timer = setTimeout(() => setImmediate(wait), next)
    else cancel(new QueryTimeout(waited))
  }

  return {
    start: wait,
    isOver: () => isOver,
    end(): void {
      isOver = true
      clearTimeout(timer)
    },
  }
}
