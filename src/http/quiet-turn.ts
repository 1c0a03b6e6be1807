// When a server may stop listening.

import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'

/** Milliseconds of a turn in which nothing is done: clients may connect in a longer one, and are not seen. */
const SHORT_TURN_MS = 0.05
/**
 * Milliseconds of waiting after which a turn may take twice as long, then three times: a busy machine is
 * slow.
 */
const PATIENCE_MS = 100

/**
 * Waits for a turn of the event loop in which no client connected. A server that stops listening resets the
 * connections that the system holds for it, and the system hands over one in each turn: after a turn without
 * any it holds none. Stop listening at once then, since a client may come in the next microsecond.
 * @param count clients that have connected so far
 * @param limit milliseconds to wait; clients may connect faster than they are taken
 */
export async function untilQuietTurn(count: () => number, limit: number): Promise<void> {
  const started = performance.now()
  for (let isQuiet = false, waited = 0; !isQuiet && waited < limit; waited = performance.now() - started) {
    // The timer ends before the loop looks for connections, and the immediate comes after that one look.
    await pause(1)
    const before = count()
    const looked = performance.now()
    await turn()
    const isShort = performance.now() - looked < SHORT_TURN_MS * (1 + waited / PATIENCE_MS)
    isQuiet = isShort && count() === before
  }
}
