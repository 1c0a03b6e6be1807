// A load generator. With a rate it is an open loop: it sends requests at random times (Poisson), whether
// earlier requests are answered or not, and measures latency from the time when each request was due. Without
// a rate it replaces wrk: each connection sends its next request after a response. Prints one line of JSON.

import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { createRandom } from './generate.ts'
import type { Template } from './workloads.ts'

export interface Load {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** Requests per second, or null for a closed loop. */
  readonly rate: number | null
  readonly seed: number
  /** A file with one value per line. */
  readonly values: string
  /** The requests: each is sent as often as its weight says. */
  readonly kinds: readonly (Template & { readonly name: string; readonly weight: number })[]
}

export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  readonly errors: number
}

export interface ClientResult extends LoadResult {
  /** By kind: p50, p99 and p99.9 in milliseconds, and errors. */
  readonly latencies: Readonly<Record<string, readonly number[]>>
}

/** Milliseconds between two checks for due requests and for responses: the error of a latency. */
const STEP_MS = 0.1
/** The first second of an open loop does not count: V8 is still compiling this program. */
const SETTLE_MS = 1000
const TIMEOUT_MS = 10_000
const MAX_LATENCIES = 2_000_000

const options: Load = JSON.parse(process.argv[2] ?? '')
const { rate } = options
// Not a list of latencies: a garbage collection here would count as latency of the server.
const kinds = options.kinds.map((kind) => ({
  ...kind,
  ms: new Float64Array(MAX_LATENCIES),
  done: 0,
  errors: 0,
}))
const weighted = kinds.flatMap((kind) => Array.from({ length: kind.weight }, () => kind))
type Kind = (typeof kinds)[number]

interface Due {
  readonly at: number
  readonly kind: Kind
}

interface Connection {
  readonly socket: Socket
  inFlight: Due | null
  received: Buffer
}

const values = readFileSync(options.values, 'utf8').trimEnd().split('\n')
const { next: below, pick } = createRandom(options.seed)
const random = () => below(2 ** 30) / 2 ** 30

const idle: Connection[] = []
const waiting: Due[] = []
let pending = 0

const started = performance.now()
const counted = rate === null ? started : started + SETTLE_MS
const end = counted + options.seconds * 1000

function makeDue(at: number): Due {
  pending++
  return { at, kind: pick(weighted) }
}

function send(connection: Connection, due: Due): void {
  const { before, between, after, count } = due.kind
  const chosen = Array.from({ length: count }, () => pick(values)).join(between)
  connection.inFlight = due
  connection.socket.write(before + chosen + after, 'latin1')
}

/** Counts a failed request as the timeout: a server that refuses requests must not look fast. */
function finish({ at, kind }: Due, isOk: boolean): void {
  pending--
  if (at < counted) return
  if (!isOk) kind.errors++
  kind.ms[kind.done++] = isOk ? performance.now() - at : TIMEOUT_MS
}

function isWhole(received: Buffer): boolean {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return false
  const length = /content-length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1]
  if (length !== undefined) return received.length >= end + 4 + Number(length)
  return received.toString('latin1', received.length - 7) === '\r\n0\r\n\r\n'
}

function receive(connection: Connection, chunk: Buffer): void {
  const received = connection.received.length === 0 ? chunk : Buffer.concat([connection.received, chunk])
  connection.received = received
  const { inFlight } = connection
  if (inFlight === null || !isWhole(received)) return
  connection.received = Buffer.alloc(0)
  connection.inFlight = null
  finish(inFlight, received.toString('latin1', 9, 12) === '200')
  sendNext(connection)
}

function sendNext(connection: Connection): void {
  const now = performance.now()
  const next = waiting.shift() ?? (rate === null && now < end ? makeDue(now) : undefined)
  if (next === undefined) idle.push(connection)
  else send(connection, next)
}

function open(): Connection {
  const socket = connect({ port: options.port, host: '127.0.0.1', noDelay: true })
  const connection: Connection = { socket, inFlight: null, received: Buffer.alloc(0) }
  socket.on('data', (chunk: Buffer) => receive(connection, chunk))
  socket.on('close', () => {
    throw new Error('the server closed a connection')
  })
  return connection
}

async function keepRate(perSecond: number): Promise<void> {
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  for (let next = started; next < end; ) {
    for (const now = performance.now(); next <= now; next += (-Math.log(1 - random()) / perSecond) * 1000) {
      const due = makeDue(next)
      const connection = idle.shift()
      if (connection === undefined) waiting.push(due)
      else send(connection, due)
    }
    // A busy loop would take this core from a database server.
    Atomics.wait(sleeper, 0, 0, STEP_MS)
    await nextTurn()
  }
}

function summarize({ ms, done, errors }: Kind): readonly number[] {
  const sorted = ms.subarray(0, done).sort()
  const at = (share: number) => sorted[Math.min(done - 1, Math.floor(done * share))] ?? 0
  return [at(0.5), at(0.99), at(0.999), errors]
}

const connections = Array.from({ length: options.connections }, open)
for (const connection of connections) sendNext(connection)
if (rate === null) await pause(end - performance.now())
else await keepRate(rate)
const seconds = (performance.now() - counted) / 1000
for (const last = performance.now() + TIMEOUT_MS; pending > 0 && performance.now() < last; ) await pause(5)
for (const due of [...waiting, ...connections.map(({ inFlight }) => inFlight)])
  if (due !== null) finish(due, false)
const result: ClientResult = {
  requests: kinds.reduce((sum, { done }) => sum + done, 0),
  errors: kinds.reduce((sum, { errors }) => sum + errors, 0),
  seconds,
  latencies: Object.fromEntries(kinds.map((kind) => [kind.name, summarize(kind)])),
}
process.stdout.write(`${JSON.stringify(result)}\n`)
process.exit()
