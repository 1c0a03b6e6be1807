// Decides when a request starts, and refuses requests that would wait too long (503). handler.ts calls
// `enter` once the body has arrived, and again before a long response.
//
// 1. `enter` starts a request at once if nothing waits; otherwise it queues the request, or refuses it.
//    There are three queues: for few values, for some and for many.
// 2. `turn` runs once in each turn of the event loop while requests wait. It starts a few milliseconds of
//    work from each queue, so that Node accepts connections and reads requests in between.
// 3. `measure` learns from these turns how long a unit of work takes. One unit is a lookup of one value.
//
// All clients notice a change: latency at full load, and how much is refused. The constants were measured at
// twice the capacity (promise 4) and beside hostile clients (promise 14); run both faults tests after a
// change.

import { LookupError } from '../errors.ts'

/** Milliseconds of work that one turn of the event loop starts: usually, and while clients connect. */
const TURN_MS = 4
const CONNECTING_TURN_MS = 2
/**
 * Turns in a row that start no work because each brings a connection: libuv accepts one connection in a
 * turn, and more may wait in the kernel. Their milliseconds are limited, too: a turn may read many bodies.
 */
const MAX_ACCEPTING_TURNS = 32
const MAX_ACCEPTING_MS = 10
/** A request of at most so many units waits in the first queue, or in the second. */
const FEW_UNITS = 4
const SOME_UNITS = 25
/** The share of a turn for the first queue, and for the first two, while requests wait in later queues. */
const FEW_SHARE = 0.5
const SOME_SHARE = 0.75
/**
 * Milliseconds of work that may wait: usually, in a burst (such as after a pause of the process), and after a
 * refusal. For lookups of few values, the limit is always that of a burst: a refusal costs nearly as much.
 */
const MAX_WAIT_MS = 44
const MAX_BURST_MS = 100
const OVERLOADED_WAIT_MS = 8
/** Milliseconds that a burst may last, and for which a refusal lowers the limit. */
const BURST_MS = 100
const OVERLOADED_MS = 5_000
/** Requests that may always wait in a queue, since an estimate of their work may be wrong. */
const ALWAYS_ADMITTED = 16
/**
 * Lookups of few values that are refused in a turn, which takes 1 ms. Further ones wait for the next turn.
 */
const MAX_REFUSALS = 64
/** Milliseconds before other work is refused, so that clients do not repeat the request at once. */
const REFUSAL_DELAY_MS = 15
/** Milliseconds of a unit of work before the first measurement, and of a refusal. */
const PRESUMED_UNIT_MS = 0.03
const REFUSAL_MS = 0.03
/**
 * Most milliseconds of a unit in the first queue. If a unit seems to take longer, the cause is other work in
 * the same turns that no queue can delay, such as reading bodies of a thousand chunks.
 */
const MAX_FEW_UNIT_MS = 0.1

export interface Overload {
  /** Counts a new connection. */
  readonly connected: () => void
  /**
   * Resolves when the request may start. Rejects with LookupError `Overloaded`.
   * @param units of work: a lookup of one value is one unit
   * @returns undefined if the request may start now, because a promise costs a microtask
   */
  readonly enter: (units: number) => Promise<void> | undefined
}

interface Queue {
  /** The share of a turn after which no more starts if work waits in later queues. */
  readonly share: number
  readonly waiting: { readonly units: number; readonly start: () => void }[]
  units: number
  /** When nothing waited last, by performance.now(). */
  emptyAt: number
  /** The limit is low until this time, by performance.now(). */
  overloadedUntil: number
}

function createQueue(share: number): Queue {
  return { share, waiting: [], units: 0, emptyAt: 0, overloadedUntil: 0 }
}

export function createOverload(): Overload {
  const few = createQueue(FEW_SHARE)
  const some = createQueue(SOME_SHARE)
  const many = createQueue(1)
  const queues = [few, some, many]
  let unitMs = PRESUMED_UNIT_MS
  /** Units that have started in this turn of the event loop, and whether `turn` is scheduled. */
  let started = 0
  let isDue = false
  /** Connections in this turn, and the turns in a row that only accepted connections. */
  let connections = 0
  let acceptingTurns = 0
  let acceptingSince = 0
  /** The number of refusals in this turn, and the refusals that wait for the next turn. */
  let refused = 0
  const refusals: (() => void)[] = []
  /** When the last turn with waiting work began, and the units and refusals since then. */
  let turnStart = 0
  let turnUnits = 0
  let turnRefusals = 0

  const areEmpty = () =>
    few.waiting.length + some.waiting.length + many.waiting.length + refusals.length === 0

  function enter(units: number): Promise<void> | undefined {
    wake()
    // If a client has connected in this turn, accept the others first: they may wait in the kernel.
    if (connections === 0 && areEmpty() && started * unitMs < TURN_MS) {
      started += units
      return undefined
    }
    const queue = units <= FEW_UNITS ? few : units <= SOME_UNITS ? some : many
    if (!hasRoom(queue, units)) return refuse(queue)
    queue.units += units
    return new Promise((start) => queue.waiting.push({ units, start }))
  }

  const unitMsOf = (queue: Queue) => (queue === few ? Math.min(unitMs, MAX_FEW_UNIT_MS) : unitMs)

  function hasRoom(queue: Queue, units: number): boolean {
    const now = performance.now()
    if (queue.waiting.length === 0) queue.emptyAt = now
    if (queue.waiting.length < ALWAYS_ADMITTED) return true
    // Queues for fewer values are served first, so their work is ahead, too.
    let ahead = units
    for (const each of queues.slice(0, queues.indexOf(queue) + 1)) ahead += each.units
    const isBurst = queue === few || now - queue.emptyAt <= BURST_MS
    const usual = isBurst ? MAX_BURST_MS : MAX_WAIT_MS
    if (ahead * unitMsOf(queue) <= (now < queue.overloadedUntil ? OVERLOADED_WAIT_MS : usual)) return true
    if (queue !== few && now >= queue.overloadedUntil) queue.overloadedUntil = now + OVERLOADED_MS
    return false
  }

  function refuse(queue: Queue): Promise<void> {
    if (queue !== few) return new Promise((_, reject) => setTimeout(reject, REFUSAL_DELAY_MS, overloaded))
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
    const turnMs = isConnecting ? CONNECTING_TURN_MS : TURN_MS
    connections = 0
    if (areEmpty()) {
      turnUnits = 0
      return
    }
    wake()
    const now = performance.now()
    if (acceptingTurns === 0) acceptingSince = now
    const isEarly = acceptingTurns < MAX_ACCEPTING_TURNS && now - acceptingSince < MAX_ACCEPTING_MS
    if (isConnecting) acceptingTurns++
    if (isConnecting && isEarly) return
    const accepted = acceptingTurns
    acceptingTurns = 0
    if (turnUnits > 0) measure((now - turnStart - turnRefusals * REFUSAL_MS) / turnUnits)
    turnStart = now
    turnRefusals = 0
    queues.forEach((queue, at) => {
      // At least one request of each queue starts. From the first queue, one starts for each new connection:
      // refused clients would connect again.
      let least = queue === few ? Math.max(1, accepted) : 1
      const isAlone = queues.every(({ waiting }, other) => other <= at || waiting.length === 0)
      const most = ((isAlone ? 1 : queue.share) * turnMs) / unitMsOf(queue)
      while (queue.waiting.length > 0 && (started < most || least > 0)) {
        startFirst(queue)
        least--
      }
    })
    turnUnits = started
  }

  function startFirst(queue: Queue): void {
    const first = queue.waiting.shift()
    if (first === undefined) return
    queue.units -= first.units
    started += first.units
    first.start()
  }

  /** @param ms of a unit in the last turn, with reading and writing. An idle process measures nothing. */
  function measure(ms: number): void {
    // Limit the effect of one turn: garbage collection or another process may have interrupted it.
    unitMs += (Math.max(unitMs / 2, Math.min(ms, 2 * unitMs)) - unitMs) / 32
  }

  return { connected: () => void connections++, enter }
}

/** Created once: a stack takes time, and nobody reads it. */
const overloaded = new LookupError('Overloaded')
