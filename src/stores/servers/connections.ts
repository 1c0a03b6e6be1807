// The connections to one server with one login, and how long a query waits.

import type { Driver, Question, Row, Session } from './driver.ts'
import { type ErrorKinds, QueryTimeout } from './errors.ts'

/** Milliseconds for which a server that is full is not asked for another connection. */
const FULL_MS = 1000
/** Milliseconds in which other connections to a server that is full may have logged in. */
const LOGIN_MS = 50

/** @param waited milliseconds so far @returns milliseconds until the next decision; 0 gives the query up */
export type Patience = (waited: number) => number

export interface Connections {
  /** @throws the engine's error, that of the connection, or QueryTimeout */
  readonly query: (
    question: Question,
    patience: Patience,
    from?: 'start' | 'connected',
  ) => Promise<readonly Row[]>
  /** How many queries are in flight. */
  readonly busy: () => number
  readonly size: () => number
  /** Why the server refused the login of a new connection; `null` if it did not. */
  readonly refusal: () => unknown
  /** Closes the connections once all queries have ended, or now. */
  readonly end: (when: 'idle' | 'now') => Promise<void>
}

export function openConnections(
  driver: Driver,
  max: number,
  {
    isAboutData,
    isServerFull,
    isLoginRefused,
  }: Pick<ErrorKinds, 'isAboutData' | 'isServerFull' | 'isLoginRefused'>,
): Connections {
  let busy = 0
  let refusal: unknown = null
  let full: unknown = null
  let isEnding = false
  const ended = Promise.withResolvers<void>()
  const endNow = once(() => driver.end().then(ended.resolve, ended.reject))

  function query(
    question: Question,
    patience: Patience,
    from: 'start' | 'connected' = 'start',
  ): Promise<readonly Row[]> {
    return new Promise((resolve, reject) => {
      let waited = 0
      let isOver = false
      let hasWaited = false
      let timer: NodeJS.Timeout | undefined
      let held: Session | null = null

      /** @param isUsable whether the connection may be used again */
      function finish(error: unknown, rows: readonly Row[], isUsable: boolean): void {
        if (isOver) return
        isOver = true
        clearTimeout(timer)
        held?.release(isUsable)
        busy--
        if (isEnding && busy === 0) endNow()
        if (error === null) resolve(rows)
        else reject(error)
      }
      // After Node was busy, responses that have arrived are read before the query is given up.
      const decide = () => setImmediate(wait)
      function wait(): void {
        if (isOver) return
        const next = patience(waited)
        waited += next
        if (next > 0) timer = setTimeout(decide, next)
        else finish(new QueryTimeout(waited), [], false)
      }
      function start(): void {
        if (isOver) return
        // Nothing waits for a connection that may not be made. Others may be about to log in.
        const error = refusal ?? (hasWaited ? full : null)
        if (driver.size() > 0 || (refusal ?? full) === null) driver.take(send)
        else if (error !== null) finish(error, [], false)
        else {
          hasWaited = true
          setTimeout(start, LOGIN_MS)
        }
      }
      function send(error: unknown, session: Session | null): void {
        if (session === null) {
          if (cap(error)) start()
          else finish(error, [], false)
        } else if (isOver) session.release(true)
        else {
          held = session
          if (from === 'connected') wait()
          session.query(question, done)
        }
      }
      // After other errors than those about data, the state of the session is unknown.
      const done = (error: unknown, rows: readonly Row[]) =>
        finish(error, rows, error === null || isAboutData(error))

      busy++
      if (from === 'start') wait()
      start()
    })
  }

  /** The open connections go on if no other can be made. @returns whether that is so */
  function cap(error: unknown): boolean {
    if (isLoginRefused(error)) refusal = error
    else if (isServerFull(error)) {
      if (full === null) setTimeout(uncap, FULL_MS).unref()
      full = error
    } else return false
    driver.limit(Math.max(1, driver.size()))
    return true
  }

  function uncap(): void {
    full = null
    if (refusal === null) driver.limit(max)
  }

  return {
    query,
    busy: () => busy,
    size: driver.size,
    refusal: () => refusal,
    end: (when) => {
      isEnding = true
      if (when === 'now' || busy === 0) endNow()
      return ended.promise
    },
  }
}

function once(work: () => unknown): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}
