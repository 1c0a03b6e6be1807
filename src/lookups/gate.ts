// Limits the calls of the store that run at the same time. batches.ts enters the gate for each batch, and
// fills the batch while it waits: the longer the queue, the more lookups share a call. A fault here leaks
// slots, and then every lookup over a database is 503.

import { type Clock, systemClock, type Timer } from '../clock.ts'

/** Frees the slot of a call. Further calls have no effect. */
export type Leave = () => void

/** Admits as many calls as the store can work on. The others wait in one queue, first come, first served. */
export interface Gate {
  /** Runs `call` in a later turn of the event loop, or with null if no slot becomes free in time. */
  readonly enter: (call: (leave: Leave | null) => void) => void
}

/** For a store that responds before its call returns, such as SQLite: calls cannot overlap. */
export const openGate: Gate = { enter: (call) => void setImmediate(call, () => {}) }

/** Promise 3: if the pool is full, lookups are 503 within 250 ms. */
const WAIT_TIMEOUT_MS = 200

interface QueuedCall {
  readonly call: (leave: Leave | null) => void
  readonly timer: Timer
}

/** @param capacity the calls that the store can work on now */
export function createGate(capacity: () => number, clock: Clock = systemClock): Gate {
  const queue: QueuedCall[] = []
  let inFlight = 0

  // A store without capacity still gets one call, because it fails fast.
  const hasSlot = () => inFlight < Math.max(1, capacity())

  function admit(call: QueuedCall['call']): void {
    let isInside = true
    inFlight++
    setImmediate(call, () => {
      if (!isInside) return
      isInside = false
      inFlight--
      while (queue.length > 0 && hasSlot()) admitNext()
    })
  }

  function admitNext(): void {
    const next = queue.shift()
    if (next === undefined) return
    next.timer.close()
    admit(next.call)
  }

  function wait(call: QueuedCall['call']): void {
    const timer = clock.setTimeout(() => {
      queue.splice(queue.indexOf(waiting), 1)
      call(null)
    }, WAIT_TIMEOUT_MS)
    const waiting = { call, timer }
    queue.push(waiting)
  }

  return { enter: (call) => (queue.length === 0 && hasSlot() ? admit(call) : wait(call)) }
}
