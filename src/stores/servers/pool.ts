// Queries to one server. A query waits until its timeout, and no longer.

import type { Connect, Question, Row, Session } from './engine.ts'
import { type ErrorKinds, QueryCancelled, QueryTimeout, TakenOut } from './errors.ts'
import type { Login } from './login.ts'
import { openSessions, type SessionLimits } from './sessions.ts'
import { startTimer } from './timer.ts'

/** A query under way. */
interface Pending {
  /** @throws the engine's error, that of the connection, QueryTimeout, or why it was given up */
  readonly rows: Promise<readonly Row[]>
  /** Ends it now; its connection is cut. */
  readonly giveUp: (why: Error) => void
  /** Has the server end it: it fails with QueryCancelled, unless it ends before that. */
  readonly cancel: () => void
}

export interface Pool {
  /** @param patience milliseconds until the query is given up */
  readonly begin: (question: Question, patience: number) => Pending
  /** Cuts all connections: queries under way fail with TakenOut. */
  readonly cut: () => void
  readonly close: () => Promise<void>
}

/**
 * @param patientFrom when the patience of a query begins: with `connected`, the time to connect has no limit
 * but its own
 */
export function openPool<Config>(
  connect: Connect<Config>,
  errors: ErrorKinds,
  login: Login<Config>,
  limits: SessionLimits,
  patientFrom: 'asked' | 'connected' = 'asked',
): Pool {
  const sessions = openSessions(connect, errors, login, limits)
  // No Set: V8 rebuilds its table after every few changes, and links each old table to the next. Once one is
  // in the old generation, it keeps all later ones alive, with their queries, until all objects are
  // collected.
  const underWay: Pending[] = []

  async function take(isLate: () => boolean): Promise<Session> {
    for (let refusals = 0; ; ) {
      try {
        return await sessions.take()
      } catch (error) {
        if (isLate()) throw error
        if (errors.isServerFull(error) && sessions.settle()) continue
        if (!errors.isLoginRefused(error) || !mayRepeat(++refusals)) throw error
      }
    }
  }

  /**
   * The files may have changed since, or be ahead of the server, and what worked before does not any more. In
   * the end, the login of the files is the one that fails.
   */
  function mayRepeat(refusals: number): boolean {
    return refusals < 2 || (refusals < 3 && !login.isRefused())
  }

  function begin(question: Question, patience: number): Pending {
    const given = Promise.withResolvers<never>()
    let held: Session | null = null
    let isOver = false
    let isCancelled = false

    function giveUp(why: Error): void {
      if (isOver) return
      isOver = true
      given.reject(why)
      held?.cut()
    }

    function cancel(): void {
      isCancelled = true
      if (held === null) giveUp(new QueryCancelled())
      else if (!isOver) held.cancel()
    }

    const limit = () => startTimer(patience, () => giveUp(new QueryTimeout(patience)))
    let end = patientFrom === 'asked' ? limit() : null

    async function exchange(): Promise<readonly Row[]> {
      const session = await take(() => isOver)
      if (isOver) {
        sessions.giveBack(session, true)
        return []
      }
      held = session
      end ??= limit()
      try {
        const rows = await session.ask(question)
        // A late request to cancel would end the next query of the session.
        sessions.giveBack(session, !isCancelled)
        return rows
      } catch (error) {
        // After other errors, its state is unknown.
        sessions.giveBack(session, !isCancelled && errors.isAboutData(error))
        throw isCancelled && errors.isCancelled(error) ? new QueryCancelled() : error
      }
    }

    const rows = Promise.race([exchange(), given.promise]).finally(() => {
      isOver = true
      remove(pending)
      end?.stop()
    })
    const pending: Pending = { rows, giveUp, cancel }
    underWay.push(pending)
    return pending
  }

  function remove(pending: Pending): void {
    const last = underWay.pop()
    if (last !== undefined && last !== pending) underWay[underWay.indexOf(pending)] = last
  }

  function cut(): void {
    for (const { giveUp } of underWay.slice()) giveUp(new TakenOut())
    sessions.cut()
  }

  return { begin, cut, close: () => sessions.close(cut) }
}
