// Decides when a request starts, and refuses requests that would wait too long (503). handler.ts calls
// `enter` once the body has arrived, and again before a long response.
//
// 1. `enter` starts a request at once if nothing waits; otherwise it queues the request, or refuses it.
// 2. `turn` runs once in each turn of the event loop while requests wait. It starts a few milliseconds of
//    work from each queue, so that Node accepts connections and reads requests in between.
// 3. `measure` learns from these turns how long a unit of work takes. One unit is a lookup of one value.
//
// All clients notice a change: latency at full load, and how much is refused. After a change of a constant,
// run test/faults/overload.nightly.test.ts (promise 4 of docs/promises.md, at twice the capacity) and
// neighbours.faults.test.ts (promise 14, beside hostile clients).

import { LookupError } from '../errors.ts'

/**
 * Milliseconds of work that one turn of the event loop starts: a newcomer waits for some turns, and each turn
 * costs a call of epoll. While clients connect, turns are shorter, since libuv accepts one connection a turn.
 */
const TURN_MS = 4
const CONNECTING_TURN_MS = TURN_MS / 2
/**
 * Turns in a row that start no work because each brings a connection: more may wait in the kernel, and are
 * served in fair order only once accepted. Their milliseconds are limited, too: a turn may read many bodies.
 */
const MAX_ACCEPTING_TURNS = 32
const MAX_ACCEPTING_MS = 10
/**
 * Milliseconds of work that may wait. Usually 50 ms (promise 4: refusals and most responses) less the turn in
 * which a request arrives. In a burst of at most 100 ms, such as after a pause of the process, 100 ms
 * (promise 4: all responses). For 5 s after a refusal, two turns: more would only delay the served requests.
 */
const MAX_WAIT_MS = 44
const MAX_BURST_MS = 100
const OVERLOADED_WAIT_MS = 2 * TURN_MS
const OVERLOADED_MS = 5_000
/** Requests that may always wait in a queue, since an estimate of their work may be wrong. */
const ALWAYS_ADMITTED = 16
/**
 * Milliseconds before a refusal: clients that repeat the request at once would take the time of others. Below
 * the 50 ms of promise 4, with the wait of a turn.
 */
const REFUSAL_DELAY_MS = 15
/** Milliseconds that a refusal takes, and a unit before the first measurement (docs/operate.md: 27 us). */
const REFUSAL_MS = 0.03
const PRESUMED_UNIT_MS = 0.03
/** The share of one turn in the measured time of a unit: garbage collection may have interrupted the turn. */
const MEASURED_SHARE = 1 / 32

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

class Queue {
  /** Units of a request, at most. */
  readonly maxUnits: number
  /** The share of a turn after which no more starts if work waits in later queues. */
  readonly share: number
  readonly waiting: { readonly units: number; readonly start: () => void }[] = []
  units = 0
  /** When nothing waited last, by performance.now(). */
  emptyAt = 0
  /** The limit is low until this time, by performance.now(). */
  overloadedUntil = 0

  constructor(maxUnits: number, share: number) {
    this.maxUnits = maxUnits
    this.share = share
  }
}

/**
 * Most milliseconds of a unit in the queue for few values. If a unit seems to take longer, the cause is other
 * work in the same turns that no queue can delay, such as reading bodies of a thousand chunks.
 */
const MAX_FEW_UNIT_MS = 0.1

/** Created once: a stack takes time, and nobody reads it. */
const overloaded = new LookupError('Overloaded')

export function createOverload(): Overload {
  // Requests of few values (a person waits) have half of a turn beside longer ones, and are hardly refused: a
  // refusal costs nearly as much. Lists of up to 25 values have another quarter beside longer ones.
  const few = new Queue(4, 0.5)
  const some = new Queue(25, 0.75)
  const many = new Queue(Number.POSITIVE_INFINITY, 1)
  const queues = [few, some, many]
  let unitMs = PRESUMED_UNIT_MS
  /** Units that have started in this turn of the event loop, and whether `turn` is scheduled. */
  let started = 0
  let isDue = false
  /** Connections in this turn, and the turns in a row that only accepted connections. */
  let connections = 0
  let acceptingTurns = 0
  let acceptingSince = 0
  /** When the last turn with waiting work began, and the units and refusals since then. */
  let turnStart = 0
  let turnUnits = 0
  let turnRefusals = 0

  const areEmpty = () => few.waiting.length + some.waiting.length + many.waiting.length === 0
  const unitMsOf = (queue: Queue) => (queue === few ? Math.min(unitMs, MAX_FEW_UNIT_MS) : unitMs)

  function enter(units: number): Promise<void> | undefined {
    wake()
    // If a client has connected in this turn, accept the others first: they may wait in the kernel.
    if (connections === 0 && areEmpty() && started * unitMs < TURN_MS) {
      started += units
      return undefined
    }
    const queue = units <= few.maxUnits ? few : units <= some.maxUnits ? some : many
    if (!hasRoom(queue, units))
      return new Promise((_, reject) => setTimeout(refuse, REFUSAL_DELAY_MS, reject))
    queue.units += units
    return new Promise((start) => queue.waiting.push({ units, start }))
  }

  function hasRoom(queue: Queue, units: number): boolean {
    const now = performance.now()
    if (queue.waiting.length === 0) queue.emptyAt = now
    if (queue.waiting.length < ALWAYS_ADMITTED) return true
    // Queues for fewer values are served first, so their work is ahead, too.
    let ahead = units
    for (const each of queues.slice(0, queues.indexOf(queue) + 1)) ahead += each.units
    const isBurst = queue === few || now - queue.emptyAt <= MAX_BURST_MS
    const isOverloaded = now < queue.overloadedUntil
    const limit = isOverloaded ? OVERLOADED_WAIT_MS : isBurst ? MAX_BURST_MS : MAX_WAIT_MS
    if (ahead * unitMsOf(queue) <= limit) return true
    if (queue !== few && !isOverloaded) queue.overloadedUntil = now + OVERLOADED_MS
    return false
  }

  function refuse(reject: (error: LookupError) => void): void {
    turnRefusals++
    reject(overloaded)
  }

  function wake(): void {
    if (isDue) return
    isDue = true
    setImmediate(turn)
  }

  function turn(): void {
    isDue = false
    started = 0
    const isConnecting = connections > 0
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
      const isLast = queues.slice(at + 1).every(({ waiting }) => waiting.length === 0)
      const turnMs = (isLast ? 1 : queue.share) * (isConnecting ? CONNECTING_TURN_MS : TURN_MS)
      while (queue.waiting.length > 0 && (started * unitMsOf(queue) < turnMs || least > 0)) {
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
    unitMs += (Math.max(unitMs / 2, Math.min(ms, 2 * unitMs)) - unitMs) * MEASURED_SHARE
  }

  return { connected: () => void connections++, enter }
}
