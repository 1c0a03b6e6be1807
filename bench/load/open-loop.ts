// Requests at a steady mean rate, answered or not, at random times as those of many clients are (Poisson).
// What finds no connection free waits for one, and its time counts. Without a rate, each connection asks
// again as soon as it is answered. Prints one line of JSON.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'

export interface LoopOptions {
  readonly port: number
  /** Requests a second; `null` for as many as are answered. */
  readonly rate: number | null
  readonly seconds: number
  /** Share of requests that ask for many users. */
  readonly long: number
  readonly users: number
  readonly seed: number
}

interface Latencies {
  readonly count: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly p999: number
}

export interface LoopResult {
  readonly short: Latencies
  readonly long: Latencies
  readonly errors: number
}

interface Asked {
  /** When it was due. */
  readonly at: number
  readonly isLong: boolean
}

interface Connection {
  readonly socket: Socket
  asked: Asked | null
  received: Buffer
}

const CONNECTIONS = 64
const LONG_LIST = 100
/**
 * Milliseconds between two looks at what is due and at what has come: what is measured is longer by up to
 * that.
 */
const LOOK_MS = 0.1
const sleeper = new Int32Array(new SharedArrayBuffer(4))
/** Milliseconds that the last answers have to come. */
const PATIENCE_MS = 10_000
/**
 * Milliseconds that a request counts for which is refused, or not answered: who refuses must not look fast.
 */
const FAILED_MS = PATIENCE_MS
const SETTLE_MS = 1_000

const options: LoopOptions = JSON.parse(process.argv[2] ?? '')
const { port, rate, seconds, long, users, seed } = options
/** Latencies by kind. What collects garbage here would be taken for a latency there: none is an object. */
const MAX_ANSWERS = 1_000_000
const took = { short: new Float64Array(MAX_ANSWERS), long: new Float64Array(MAX_ANSWERS) }
const counts = { short: 0, long: 0 }
const connections: Connection[] = []
const free: Connection[] = []
const due: Asked[] = []
let asked = 0
let errors = 0
let answered = 0
/** Since when requests count: before, this program itself is being compiled. */
let counted = Number.POSITIVE_INFINITY
/** When no more is asked. */
let end = Number.POSITIVE_INFINITY

let state = seed
/** From 0 to 1, the same for the same seed. */
function random(): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return state / 2 ** 32
}

const kindOf = ({ isLong }: Asked) => (isLong ? 'long' : 'short')

/** A request for other users each time: the same list again would be an answer that the gateway keeps. */
function requestFor({ isLong }: Asked): string {
  const ids = Array.from({ length: isLong ? LONG_LIST : 1 }, () => 1 + Math.floor(random() * users))
  return `GET /?Event=ProfileLookup&Users=${ids.join(':')} HTTP/1.1\r\nHost: localhost\r\n\r\n`
}

/** One more request, unless time is over. */
function another(at: number): Asked | null {
  if (at > end) return null
  asked++
  return { at, isLong: random() < long }
}

function ask(connection: Connection, asked: Asked): void {
  connection.asked = asked
  connection.socket.write(requestFor(asked), 'latin1')
}

const endOfHead = '\r\n\r\n'
const endOfChunks = Buffer.from('\r\n0\r\n\r\n')

/** Whether a response is there whole: with a length, or in chunks. */
function isWhole(received: Buffer): boolean {
  const end = received.indexOf(endOfHead)
  if (end === -1) return false
  const head = received.toString('latin1', 0, end)
  const length = /content-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined) return received.length >= end + endOfHead.length + Number(length)
  return received.subarray(-endOfChunks.length).equals(endOfChunks)
}

function count(asked: Asked, milliseconds: number): void {
  const kind = kindOf(asked)
  took[kind][counts[kind]++] = milliseconds
}

function read(connection: Connection, chunk: Buffer): void {
  const received = connection.received.length === 0 ? chunk : Buffer.concat([connection.received, chunk])
  connection.received = received
  const { asked } = connection
  if (asked === null || !isWhole(received)) return
  connection.received = Buffer.alloc(0)
  connection.asked = null
  answered++
  const isAnswer = received.toString('latin1', 9, 12) === '200'
  if (asked.at >= counted) {
    if (!isAnswer) errors++
    count(asked, isAnswer ? performance.now() - asked.at : FAILED_MS)
  }
  const next = due.shift() ?? (rate === null ? another(performance.now()) : null)
  if (next === null) free.push(connection)
  else ask(connection, next)
}

async function open(): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const connection: Connection = { socket, asked: null, received: Buffer.alloc(0) }
  socket.on('data', (chunk: Buffer) => read(connection, chunk))
  // Its request is not answered, which is counted at the end.
  socket.on('error', () => {})
  await once(socket, 'connect')
  connections.push(connection)
  free.push(connection)
}

const quantile = (sorted: ArrayLike<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

function latenciesOf(kind: 'short' | 'long'): Latencies {
  const sorted = took[kind].subarray(0, counts[kind]).sort()
  const at = (share: number) => quantile(sorted, share)
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), p999: at(0.999) }
}

for (let count = 0; count < CONNECTIONS; count++) await open()
const started = performance.now()
counted = started + SETTLE_MS
end = counted + seconds * 1000
if (rate === null) {
  for (const connection of free.splice(0)) {
    const first = another(started)
    if (first !== null) ask(connection, first)
  }
  await pause(end - started)
} else await keepRate(rate)
for (const last = end + PATIENCE_MS; answered < asked && performance.now() < last; ) await pause(5)
for (const { asked } of connections) if (asked !== null) count(asked, FAILED_MS)
for (const asked of due) count(asked, FAILED_MS)
const result: LoopResult = {
  short: latenciesOf('short'),
  long: latenciesOf('long'),
  errors: errors + asked - answered,
}
process.stdout.write(`${JSON.stringify(result)}\n`)
process.exit()

async function keepRate(perSecond: number): Promise<void> {
  for (let next = started; next < end; ) {
    for (const now = performance.now(); next <= now; next += (-Math.log(1 - random()) / perSecond) * 1000) {
      const one = another(next)
      if (one === null) return
      const connection = free.shift()
      if (connection === undefined) due.push(one)
      else ask(connection, one)
    }
    // Not all the time: a database server may share this core.
    Atomics.wait(sleeper, 0, 0, LOOK_MS)
    // Reads what has come.
    await turn()
  }
}
