// Sends a gateway more requests than its capacity, from a separate process, so that pauses of the test are
// not counted as pauses of the gateway. Prints its measurements as JSON.
//
// node load.ts '{"url": "http://127.0.0.1:4000", …}'

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { percentile } from '../kit/load.ts'

export interface Wanted {
  readonly url: string
  /** Users that there are, with ids from 1. */
  readonly users: number
  /** Values in each request. */
  readonly values: number
  readonly milliseconds: number
  /** The rate of requests, as a multiple of the capacity, which is measured first. */
  readonly times: number
  /** Connections of the open loop. */
  readonly connections: number
  /** Whether each request has a connection of its own. */
  readonly isFresh: boolean
}

export interface Seen {
  /** Responses a second without overload, and their statuses. */
  readonly peak: number
  readonly alone: readonly number[]
  /** The share of refusals, and the statuses, while clients request 30 ms of work at once. */
  readonly pooledRefusals: number
  readonly pooled: readonly number[]
  /**
   * Under overload: responses a second, the statuses, and the 99th percentiles in milliseconds.
   */
  readonly goodput: number
  readonly statuses: readonly number[]
  readonly served: number
  readonly refused: number
  /** The statuses of the last requests after the overload. */
  readonly after: readonly number[]
}

/** Milliseconds of work that a pool of connections requests at once. */
const POOLED_WORK_MS = 30
/** So few connections are always admitted. */
const FEW_CONNECTIONS = 32
/** So many that no cache has a request when it comes again. */
const DIFFERENT = 20_000

async function load({
  url,
  users,
  values,
  milliseconds,
  times,
  connections,
  isFresh,
}: Wanted): Promise<Seen> {
  const requests = Array.from({ length: DIFFERENT }, () => {
    const ids = Array.from({ length: values }, () => 1 + Math.floor(Math.random() * users))
    return `GET /?Event=ProfileLookup&Users=${ids.join(':')} HTTP/1.1\r\nHost: gateway\r\n${isFresh ? 'Connection: close\r\n' : ''}\r\n`
  })
  let sent = 0
  const request = () => requests[sent++ % requests.length] ?? ''
  const loop = { connections: 16, request, isFresh }

  await closedLoop(url, { ...loop, milliseconds: 1500 })
  const alone = await closedLoop(url, { ...loop, milliseconds: milliseconds / 2 })
  const peak = (alone.length / milliseconds) * 2000
  const pool = Math.max(1.5 * FEW_CONNECTIONS, Math.ceil((POOLED_WORK_MS * peak) / 1000))
  const pooled = await closedLoop(url, { ...loop, connections: pool, milliseconds })
  const rate = times * peak
  const shots = await openLoop(url, { ...loop, connections, milliseconds, rate })
  const after = await closedLoop(url, { ...loop, milliseconds: 500 })
  const took = (wanted: number) => shots.filter(({ status }) => status === wanted).map(({ took }) => took)
  return {
    peak,
    alone: statusesOf(alone),
    pooledRefusals: pooled.filter(({ status }) => status === 503).length / pooled.length,
    pooled: statusesOf(pooled),
    goodput: (took(200).length / milliseconds) * 1000,
    statuses: statusesOf(shots),
    served: percentile(took(200), 0.99),
    refused: percentile(took(503), 0.99),
    after: statusesOf(after.slice(-100)),
  }
}

function statusesOf(shots: readonly Shot[]): readonly number[] {
  return [...new Set(shots.map(({ status }) => status))].sort()
}

interface Shot {
  /** Milliseconds from the time the request was due until the end of its response. */
  readonly took: number
  /** HTTP status; 0 where the connection was lost. */
  readonly status: number
}

interface LoopOptions {
  readonly milliseconds: number
  readonly connections: number
  /** The bytes of a request. */
  readonly request: () => string
  readonly isFresh: boolean
}

interface Connection {
  readonly socket: Socket
  done: ((status: number) => void) | null
  status: number
  /** Bytes of the response that are still missing; `null` before its headers. */
  left: number | null
}

/** Milliseconds for the last responses. */
const PATIENCE = 10_000

/** Each connection sends a request as soon as it has the last response. */
async function closedLoop(url: string, options: LoopOptions): Promise<readonly Shot[]> {
  const { milliseconds, connections, request, isFresh } = options
  const all = await openAll(url, connections)
  const shots: Shot[] = []
  const end = performance.now() + milliseconds
  async function keepAsking(connection: Connection): Promise<void> {
    for (let at = performance.now(); at < end; at = performance.now()) {
      const status = isFresh ? await askOnce(url, request()) : await ask(connection, request())
      shots.push({ took: performance.now() - at, status })
      if (status === 0) return
    }
  }
  await Promise.race([Promise.all(all.map(keepAsking)), pause(milliseconds + PATIENCE)])
  for (const { socket } of all) socket.destroy()
  return shots
}

/**
 * Sends requests at a steady rate (a second), whatever the responses. A request without a free connection
 * waits, and its waiting counts.
 */
async function openLoop(
  url: string,
  { rate, milliseconds, connections, request, isFresh }: LoopOptions & { readonly rate: number },
): Promise<readonly Shot[]> {
  const all = await openAll(url, connections)
  const free: Connection[] = []
  const due: number[] = []
  const shots: Shot[] = []

  async function shoot(connection: Connection, first: number): Promise<void> {
    for (let at: number | undefined = first; at !== undefined; at = due.shift()) {
      const status = isFresh ? await askOnce(url, request()) : await ask(connection, request())
      shots.push({ took: performance.now() - at, status })
      if (status === 0) return
    }
    free.push(connection)
  }

  // Every connection has been used before it counts.
  await Promise.all(all.map((connection) => shoot(connection, performance.now())))
  shots.length = 0
  const started = performance.now()
  let asked = 0
  for (let now = started; now - started < milliseconds; now = performance.now()) {
    for (; asked < ((now - started) / 1000) * rate; asked++) {
      const at = started + (asked / rate) * 1000
      const connection = free.pop()
      if (connection === undefined) due.push(at)
      else void shoot(connection, at)
    }
    await turn()
  }
  const patience = performance.now() + PATIENCE
  while (shots.length < asked && performance.now() < patience) await pause(10)
  for (const { socket } of all) socket.destroy()
  return shots
}

function openAll(url: string, connections: number): Promise<Connection[]> {
  return Promise.all(Array.from({ length: connections }, () => open(url)))
}

async function open(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, noDelay: true })
  const connection: Connection = { socket, done: null, status: 0, left: null }
  socket.on('data', (chunk: Buffer) => read(connection, chunk))
  socket.on('error', () => {})
  socket.on('close', () => connection.done?.(0))
  await once(socket, 'connect')
  return connection
}

/** A request on a connection of its own. */
async function askOnce(url: string, request: string): Promise<number> {
  const connection = await open(url)
  const status = await ask(connection, request)
  connection.socket.destroy()
  return status
}

function ask(connection: Connection, request: string): Promise<number> {
  return new Promise((resolve) => {
    connection.done = resolve
    connection.socket.write(request, 'latin1')
  })
}

/** The headers come in one piece, as the gateway sends them. */
function read(connection: Connection, chunk: Buffer): void {
  if (connection.left === null) {
    const end = chunk.indexOf('\r\n\r\n')
    const head = chunk.toString('latin1', 0, end)
    connection.status = Number(head.slice(9, 12))
    connection.left = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) - (chunk.length - end - 4)
  } else connection.left -= chunk.length
  if (connection.left > 0) return
  connection.left = null
  connection.done?.(connection.status)
}

process.stdout.write(JSON.stringify(await load(JSON.parse(process.argv[2] ?? '{}'))))
