// Decides when a request starts. Work waits in three queues: for few values, for some and for many. Each turn
// of the event loop starts a few milliseconds of it, so that Node accepts connections and reads requests in
// between. Work that would wait too long is refused.

import { LookupError } from '../errors.ts'

/** Milliseconds of work that one turn of the event loop starts: usually, and while clients connect. */
const TURN_MS = 4
const CONNECTING_TURN_MS = 2
/**
 * Turns in a row that start no work while each brings a connection: libuv accepts one connection in a
 * turn. Their milliseconds are limited, too, since a turn may read many bodies.
 */
const MAX_ACCEPTING_TURNS = 32
const MAX_ACCEPTING_MS = 10
/** Units up to which work waits in the first queue and in the second. */
const FEW_UNITS = 4
const SOME_UNITS = 25
/** The share of a turn after which no more of the first queue, or of the second, starts if others wait. */
const FEW_SHARE = 0.5
const SOME_SHARE = 0.75
/**
 * Milliseconds of work that may wait: usually, for a moment (after a pause of the process), and after a
 * refusal. Lookups of few values always wait as in a burst: to refuse one takes nearly as long as to answer
 * it.
 */
const MAX_WAIT_MS = 44
const MAX_BURST_MS = 100
const OVERLOADED_WAIT_MS = 8
/** Milliseconds that a burst may last, and for which a refusal lowers the limit. */
const BURST_MS = 100
const OVERLOADED_MS = 5_000
/** Requests of a queue that may always wait: an estimate of their work may be wrong. */
const ALWAYS_ADMITTED = 16
/** Lookups of few values refused in a turn, which takes a millisecond. Others are refused in the next one. */
const MAX_REFUSALS = 64
/** Milliseconds before other work is refused, so that clients do not repeat the request at once. */
const REFUSAL_DELAY_MS = 15
/** Milliseconds of a unit of work before the first measurement, and of a refusal. */
const PRESUMED_UNIT_MS = 0.03
const REFUSAL_MS = 0.03
/**
 * Most milliseconds of a unit in the first queue. If a unit seems to take longer, other work in the same
 * turns does: reading bodies of a thousand chunks, which no queue can delay.
 */
const MAX_FEW_UNIT_MS = 0.1

export interface Overload {
  /** Counts a new connection. */
  readonly connected: () => void
  /**
   * Waits until a request may be worked on.
   * @param units of work: a lookup of one value has one
   * @returns undefined if that is now; the promise rejects with LookupError `Overloaded`
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
  /** Until when the limit is low, by performance.now(). */
  overloadedUntil: number
}

const createQueue = (share: number): Queue => ({
  ...{ share, waiting: [], units: 0, emptyAt: 0, overloadedUntil: 0 },
})

export function createOverload(): Overload {
  const few = createQueue(FEW_SHARE)
  const some = createQueue(SOME_SHARE)
  const many = createQueue(1)
  const queues = [few, some, many]
  let unitMs = PRESUMED_UNIT_MS
  /** Units that have started in this turn of the event loop, and whether it ends with `turn`. */
  let started = 0
  let isDue = false
  /** Connections in this turn, and turns in a row that were left to connections. */
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
    // Others may have connected, too: first they are accepted.
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
    // Earlier queues are ahead, too.
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
      // One of each queue, whatever it is estimated at. As many lookups of few values as clients have
      // connected: others would be refused, and connect again.
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

  /** Only turns that follow each other without a pause tell what a unit takes, with all that goes with it. */
  function measure(ms: number): void {
    // An interruption, by garbage collection or another process, tells little of the next units.
    unitMs += (Math.max(unitMs / 2, Math.min(ms, 2 * unitMs)) - unitMs) / 32
  }

  return { connected: () => void connections++, enter }
}

/** Made once: a stack takes time, and nobody reads it. */
const overloaded = new LookupError('Overloaded')
