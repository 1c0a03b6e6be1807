// HEADERS_TIMEOUT and REQUEST_TIMEOUT are for clients that send too slowly. Node counts them on while a
// connection is paused, and reports each request only once.

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Timeouts } from '../config/settings.ts'

/** What has come of a connection. */
export interface Arrivals {
  /** Requests whose headers have come. */
  count: number
  /** The last of them, until it is answered. */
  latest: IncomingMessage | null
  /** Since when the connection has been read without a pause, by performance.now(); null in a pause. */
  readSince: number | null
}

/**
 * Milliseconds of a pause that takes no time from a client: other clients could keep all timeouts from ending
 * by such.
 */
const SHORT_PAUSE_MS = 100

/** Follows the pauses of a connection, ours and Node's. */
export function followArrivals(socket: Socket): Arrivals {
  const arrivals: Arrivals = { count: 0, latest: null, readSince: 0 }
  let before = 0
  let pausedAt = 0
  // Before Node's own listeners: one of them pauses again what Node itself has paused.
  socket.prependListener('pause', () => {
    if (arrivals.readSince === null) return
    before = arrivals.readSince
    pausedAt = performance.now()
    arrivals.readSince = null
  })
  socket.prependListener('resume', () => {
    const now = performance.now()
    if (arrivals.readSince === null) arrivals.readSince = now - pausedAt < SHORT_PAUSE_MS ? before : now
  })
  return arrivals
}

/**
 * @param act called when the client has had its time since its connection was last paused, unless the request
 * has come until then
 */
export type OnTimeout = (socket: Socket, act: () => void) => void

/** @param arrivalsOf what has come of a connection; undefined before its first request */
export function createOnTimeout(
  arrivalsOf: (socket: Socket) => Arrivals | undefined,
  timeouts: Timeouts,
): OnTimeout {
  function onTimeout(socket: Socket, act: () => void): void {
    const arrivals = arrivalsOf(socket)
    if (arrivals === undefined) {
      act()
      return
    }
    const { count, latest, readSince } = arrivals
    const incomplete = latest?.complete === false ? latest : null
    const allowed = incomplete === null ? Math.min(timeouts.headers, timeouts.request) : timeouts.request
    const now = performance.now()
    const left = allowed - (now - (readSince ?? now))
    if (left <= 0) {
      act()
      return
    }
    const again = () => {
      const isSame = arrivals.count === count && incomplete?.complete !== true
      // Of a request whose headers have come by now, the body is due.
      const isBody =
        incomplete === null && arrivals.count === count + 1 && arrivals.latest?.complete === false
      if (!socket.destroyed && (isSame || isBody)) onTimeout(socket, act)
    }
    setTimeout(again, left).unref()
  }
  return onTimeout
}
