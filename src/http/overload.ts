// Decides when a request starts. Work waits in two queues, and each turn of the event loop starts a few
// milliseconds of it, so that Node accepts connections and reads requests in between. Work that would wait
// too long is refused.

import { LookupError } from '../errors.ts'

/** Milliseconds of work that one turn of the event loop starts: usually, and while clients connect. */
const TURN_MS = 4
const CONNECTING_TURN_MS = 2
/**
 * Turns in a row that start no work while each brings a connection: libuv accepts one connection in a
 * turn.
 */
const MAX_ACCEPTING_TURNS = 32
/** The share of a turn that short work has while long work waits. */
const SHORT_SHARE = 0.75
/**
 * Milliseconds of work that may wait: usually, for a moment (after a pause of the process), and after a
 * refusal.
 */
const MAX_WAIT_MS = 44
const MAX_BURST_MS = 100
const OVERLOADED_WAIT_MS = 8
/** Milliseconds that a burst may last, and for which a refusal lowers the limit. */
const BURST_MS = 100
const OVERLOADED_MS = 5_000
/** Requests of a queue that may always wait: an estimate of their work may be wrong. */
const ALWAYS_ADMITTED = 16
/** Short requests refused in a turn, which takes a millisecond. Further refusals wait for the next turn. */
const MAX_REFUSALS = 64
/** Milliseconds before long work is refused, so that clients do not repeat the request at once. */
const REFUSAL_DELAY_MS = 15
/** Milliseconds of a unit of work before the first measurement, and of a refusal. */
const PRESUMED_UNIT_MS = 0.03
const REFUSAL_MS = 0.03

export interface Overload {
  /** Counts a new connection. */
  readonly connected: () => void
  /**
   * Waits until a request may be worked on.
   * @param units of work: a lookup of one value has one
   * @returns undefined if that is now; the promise rejects with LookupError `Overloaded`
   */
  readonly enter: (units: number, isLong?: boolean) => Promise<void> | undefined
}

interface Queue {
  readonly waiting: { readonly units: number; readonly start: () => void }[]
  units: number
  /** When nothing waited last, by performance.now(). */
  emptyAt: number
}

export function createOverload(): Overload {
  const short: Queue = { waiting: [], units: 0, emptyAt: 0 }
  const long: Queue = { waiting: [], units: 0, emptyAt: 0 }
  let unitMs = PRESUMED_UNIT_MS
  /** Units that have started in this turn of the event loop, and whether it ends with `turn`. */
  let started = 0
  let isDue = false
  /** Connections in this turn, and turns in a row that were left to connections. */
  let connections = 0
  let acceptingTurns = 0
  /** Until when the limit is low, by performance.now(). */
  let overloadedUntil = 0
  /** The number of refusals in this turn, and the refusals that wait for the next turn. */
  let refused = 0
  const refusals: (() => void)[] = []
  /** When the last turn with waiting work began, and the units and refusals since then. */
  let turnStart = 0
  let turnUnits = 0
  let turnRefusals = 0

  const areEmpty = () => short.waiting.length + long.waiting.length + refusals.length === 0

  function enter(units: number, isLong = false): Promise<void> | undefined {
    wake()
    // Others may have connected, too: first they are accepted.
    if (connections === 0 && areEmpty() && started * unitMs < TURN_MS) {
      started += units
      return undefined
    }
    const queue = isLong ? long : short
    if (!hasRoom(queue, units)) return refuse(isLong)
    queue.units += units
    return new Promise((start) => queue.waiting.push({ units, start }))
  }

  function hasRoom(queue: Queue, units: number): boolean {
    const now = performance.now()
    if (queue.waiting.length === 0) queue.emptyAt = now
    if (queue.waiting.length < ALWAYS_ADMITTED) return true
    // Long work waits for the short work, too.
    const ahead = queue === long ? short.units + long.units : short.units
    const usual = now - queue.emptyAt > BURST_MS ? MAX_WAIT_MS : MAX_BURST_MS
    const allowed = now < overloadedUntil ? OVERLOADED_WAIT_MS : usual
    if ((ahead + units) * unitMs <= allowed) return true
    if (now >= overloadedUntil) overloadedUntil = now + OVERLOADED_MS
    return false
  }

  function refuse(isLong: boolean): Promise<void> {
    if (isLong) return new Promise((_, reject) => setTimeout(reject, REFUSAL_DELAY_MS, overloaded))
    if (refused < MAX_REFUSALS) {
      refused++
      return Promise.reject(overloaded)
    }
    return new Promise((_, reject) => refusals.push(() => reject(overloaded)))
  }

  function wake(): void {
    if (isDue) return
    isDue = true
    setImmediate(turn)
  }

  function turn(): void {
    isDue = false
    started = 0
    turnRefusals += refused
    refused = Math.min(refusals.length, MAX_REFUSALS)
    for (const reject of refusals.splice(0, refused)) reject()
    const isConnecting = connections > 0
    const limit = (isConnecting ? CONNECTING_TURN_MS : TURN_MS) / unitMs
    connections = 0
    if (areEmpty()) {
      turnUnits = 0
      return
    }
    wake()
    if (isConnecting && acceptingTurns++ < MAX_ACCEPTING_TURNS) return
    acceptingTurns = 0
    const now = performance.now()
    if (turnUnits > 0) measure((now - turnStart - turnRefusals * REFUSAL_MS) / turnUnits)
    turnStart = now
    turnRefusals = 0
    const shortLimit = long.waiting.length === 0 ? limit : SHORT_SHARE * limit
    while (short.waiting.length > 0 && started < shortLimit) startFirst(short)
    // Some long work in each turn, whatever it is estimated at.
    do startFirst(long)
    while (long.waiting.length > 0 && started < limit)
    turnUnits = started
  }

  function startFirst(queue: Queue): void {
    const first = queue.waiting.shift()
    if (first === undefined) return
    queue.units -= first.units
    started += first.units
    first.start()
  }

  /** Only turns that follow each other without a pause tell what a unit takes, with all that goes with it. */
  function measure(ms: number): void {
    // An interruption, by garbage collection or another process, tells little of the next units.
    unitMs += (Math.max(unitMs / 2, Math.min(ms, 2 * unitMs)) - unitMs) / 32
  }

  return { connected: () => void connections++, enter }
}

/** Made once: a stack takes time, and nobody reads it. */
const overloaded = new LookupError('Overloaded')
