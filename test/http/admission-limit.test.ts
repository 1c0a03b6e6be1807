// How many requests are in flight under load, by a clock that the test sets: a server that works off requests one
// after the other, and its clients. Nothing here waits, so that Node is busy all the time.

import { expect, test } from 'vitest'
import { type Admission, createAdmission } from '../../src/http/overload.ts'

/** Milliseconds in which one turn of the event loop works, and what a refusal takes. */
const TURN = 5
const REFUSAL = 0.02
const MOST = 2000

interface Server {
  readonly admission: Admission
  /** Works for so many milliseconds; `ask` says how many requests come in a turn. */
  readonly work: (milliseconds: number, ask: (turn: Turn) => number) => Seen
}

interface Turn {
  /** Milliseconds since the work began. */
  readonly at: number
  readonly inFlight: number
}

interface Seen {
  readonly refused: number
  readonly answered: number
  /** Milliseconds that each answered request took. */
  readonly took: readonly number[]
  readonly mostInFlight: number
}

/** @param cost milliseconds that a request takes, at a time */
function serving(cost: (now: number) => number, isFull: () => boolean = () => false): Server {
  const admission = createAdmission(MOST, isFull)
  let now = 1_000_000
  let debt = 0
  const queue: number[] = []
  function work(milliseconds: number, ask: (turn: Turn) => number): Seen {
    const began = now
    const took: number[] = []
    let refused = 0
    let mostInFlight = 0
    for (; now - began < milliseconds; now += TURN) {
      const asked = ask({ at: now - began, inFlight: queue.length })
      for (let one = 0; one < asked; one++) {
        if (admission.enter(now)) queue.push(now)
        else {
          refused++
          debt += REFUSAL
          admission.leave(false, REFUSAL / 2)
        }
      }
      mostInFlight = Math.max(mostInFlight, queue.length)
      for (debt -= TURN; debt <= 0; debt += cost(now)) {
        const came = queue.shift()
        if (came === undefined) break
        took.push(now + TURN - came)
        admission.leave(true, 0)
      }
      debt = Math.max(debt, -TURN)
    }
    return { refused, answered: took.length, took, mostInFlight }
  }
  return { admission, work }
}

const dear = () => 0.65
/** So many clients, each of which asks again when it is answered or refused. */
const pool =
  (clients: number) =>
  ({ inFlight }: Turn) =>
    clients - inFlight
/** So many milliseconds of work asked for in each. */
const overload = (times: number, cost: number) => () => Math.round((times * TURN) / cost)
const longest = (took: readonly number[], share: number) =>
  [...took].sort((one, other) => one - other)[Math.floor(share * took.length)]

test('a pool of clients that each wait is never refused', () => {
  const { refused, answered } = serving(dear).work(20_000, pool(64))
  expect(refused).toBe(0)
  expect(answered).toBeGreaterThan(20_000)
})

test('a pool that was once refused is answered again within some seconds', () => {
  const { work } = serving(dear)
  work(2_000, pool(64))
  const { refused } = work(3_000, ({ at, inFlight }) => (at === 0 ? 130 : 64 - inFlight))
  expect(refused).toBeGreaterThan(0)
  expect(work(10_000, pool(64)).refused).toBe(0)
})

test('a moment without memory is no sign of more work', () => {
  let isFull = false
  const { work } = serving(dear, () => isFull)
  work(2_000, pool(64))
  isFull = true
  expect(work(TURN, pool(64)).refused).toBeGreaterThan(0)
  isFull = false
  expect(work(10_000, pool(64)).refused).toBe(0)
})

test.for([1.3, 2, 4])(
  'at %f times the load it can answer, no more is in flight than 10 ms of work',
  (times) => {
    const { work } = serving(dear)
    work(2_000, overload(times, dear()))
    const { refused, took } = work(60_000, overload(times, dear()))
    expect(refused).toBeGreaterThan(0)
    expect(longest(took, 0.9)).toBeLessThanOrEqual(50)
    expect(longest(took, 0.99)).toBeLessThanOrEqual(100)
  },
)

test('of cheap requests, not many more are in flight: the next ones may be dear', () => {
  const { work } = serving(() => 0.1)
  expect(work(2_000, pool(250)).refused).toBe(0)
  expect(work(TURN, () => 1_000).mostInFlight).toBeLessThanOrEqual(256)
})

/** An admission with 60 requests in flight, and windows of 150 ms in which 40 more are answered without a pause. */
function busyWindows(inFlight: 'here' | 'elsewhere') {
  const admission = createAdmission(100)
  const ended = Promise.withResolvers<void>()
  let now = 1_000_000
  for (let count = 0; count < 60; count++) {
    admission.enter(now)
    if (inFlight === 'elsewhere') void admission.elsewhere(() => ended.promise)
  }
  const saturate = () => {
    for (let answered = 0; answered < 41; answered++) {
      admission.enter(now)
      admission.leave(true, 1)
    }
    now += 150
  }
  const enters = () => {
    const isAdmitted = admission.enter(now)
    if (isAdmitted) admission.leave(true, 1)
    return isAdmitted
  }
  /** If few are answered, the load is measured once a second. */
  const pause = () => {
    enters()
    now += 1_050
  }
  return { saturate, pause, enters, end: ended.resolve }
}

test.for([
  ['one window without a pause is an interruption', ['saturate'], true],
  ['two of them are too much', ['saturate', 'saturate'], false],
  ['after too much, one more after a pause is, too', ['saturate', 'saturate', 'pause', 'saturate'], false],
] as const)('%s', ([, steps, isAdmitted]) => {
  const windows = busyWindows('here')
  for (const step of steps) windows[step]()
  expect(windows.enters()).toBe(isAdmitted)
})

test('requests that wait for another service do not count until they work again', async () => {
  const { saturate, enters, end } = busyWindows('elsewhere')
  saturate()
  saturate()
  expect(enters()).toBe(true)
  end()
  await new Promise((resolve) => setImmediate(resolve))
  expect(enters()).toBe(false)
})

test('requests that wait for another service are no more than MAX_IN_FLIGHT', () => {
  const admission = createAdmission(3)
  for (let waiting = 0; waiting < 3; waiting++) {
    expect(admission.enter(0)).toBe(true)
    void admission.elsewhere(() => new Promise(() => {}))
  }
  expect(admission.enter(0)).toBe(false)
})
