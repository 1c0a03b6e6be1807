// The connections to one server: one that is idle is used again, and another is made up to a limit. Beyond it,
// one waits in a line.

import { Socket } from 'node:net'
import type { Connect, Session } from './engine.ts'
import { ConnectTimeout, type ErrorKinds } from './errors.ts'
import type { Login } from './login.ts'

/**
 * Seconds after which a connection is replaced by a new one, though it works: where its host name has another
 * address by then, the old server may still answer, with data that are not written to any more.
 */
const CONNECTION_LIFETIME_SECONDS = 60
/** Milliseconds for which no more connections are asked of a server that takes none. */
const SETTLED_MS = 1000
/** Milliseconds that a server has to say goodbye. */
const CLOSE_TIMEOUT_MS = 500

export interface SessionLimits {
  /** Connections at a time. */
  readonly max: number
  /** Milliseconds to wait for one that is free; no limit where it is left out. */
  readonly connectTimeout?: number
  readonly maxLifetimeSeconds?: number
}

interface Sessions {
  /** @throws the engine's error, that of the connection, or ConnectTimeout */
  readonly take: () => Promise<Session>
  /** @param again whether it may be used again */
  readonly giveBack: (session: Session, again: boolean) => void
  /** For a while, makes do with the connections that there are. @returns whether there are any */
  readonly settle: () => boolean
  /** Closes all connections at once. */
  readonly cut: () => void
  readonly close: (onLate: () => void) => Promise<void>
}

interface Waiter {
  readonly resolve: (session: Session | Promise<Session>) => void
  readonly timer: NodeJS.Timeout | undefined
}

export function openSessions<Config>(
  connect: Connect<Config>,
  { isLoginRefused }: Pick<ErrorKinds, 'isLoginRefused'>,
  login: Login<Config>,
  { max, connectTimeout, maxLifetimeSeconds = CONNECTION_LIFETIME_SECONDS }: SessionLimits,
): Sessions {
  // A server that says nothing would keep the process from ending, before a login and after a goodbye, too.
  const sockets = new Set<Socket>()
  const idle: Session[] = []
  const lifetimes = new Map<Session, NodeJS.Timeout>()
  const expired = new WeakSet<Session>()
  const waiting: Waiter[] = []
  let count = 0
  let most = max
  let isClosing = false

  async function take(): Promise<Session> {
    if (isClosing) throw new Error('the connections are closed')
    for (let session = idle.pop(); session !== undefined; session = idle.pop()) {
      if (session.isUsable()) return session
      drop(session)
    }
    return count < most ? open() : wait()
  }

  async function open(): Promise<Session> {
    count++
    const socket = new Socket()
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    const config = login.next()
    try {
      const session = await connect(config, socket)
      login.accepted(config)
      lifetimes.set(session, setTimeout(() => expire(session), maxLifetimeSeconds * 1000).unref())
      return session
    } catch (error) {
      socket.destroy()
      if (isLoginRefused(error)) login.refused(config)
      count--
      serveNext()
      throw error
    }
  }

  function wait(): Promise<Session> {
    const { promise, resolve, reject } = Promise.withResolvers<Session>()
    const waiter: Waiter = { resolve, timer: startWait() }
    function startWait(): NodeJS.Timeout | undefined {
      if (connectTimeout === undefined) return undefined
      return setTimeout(() => {
        waiting.splice(waiting.indexOf(waiter), 1)
        reject(new ConnectTimeout())
      }, connectTimeout).unref()
    }
    waiting.push(waiter)
    return promise
  }

  /** There is one connection less: another may be made. */
  function serveNext(): void {
    if (isClosing || count >= most) return
    const next = nextWaiter()
    if (next !== null) next.resolve(open())
  }

  function nextWaiter(): Waiter | null {
    const next = waiting.shift()
    clearTimeout(next?.timer)
    return next ?? null
  }

  function giveBack(session: Session, again: boolean): void {
    if (!again || isClosing || expired.has(session) || !session.isUsable()) {
      drop(session)
      return
    }
    const next = nextWaiter()
    if (next === null) idle.push(session)
    else next.resolve(session)
  }

  function expire(session: Session): void {
    expired.add(session)
    const at = idle.indexOf(session)
    if (at >= 0) drop(...idle.splice(at, 1))
  }

  function drop(...sessions: readonly Session[]): void {
    for (const session of sessions) {
      clearTimeout(lifetimes.get(session))
      lifetimes.delete(session)
      session.end()
      count--
      serveNext()
    }
  }

  function settle(): boolean {
    if (count === 0) return false
    if (most === max)
      setTimeout(() => {
        most = max
      }, SETTLED_MS).unref()
    most = Math.min(most, count)
    return true
  }

  function cut(): void {
    for (const socket of sockets) socket.destroy()
  }

  async function close(onLate: () => void): Promise<void> {
    isClosing = true
    drop(...idle.splice(0))
    const timer = setTimeout(onLate, CLOSE_TIMEOUT_MS)
    await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))))
    clearTimeout(timer)
  }

  return { take, giveBack, settle, cut, close }
}
