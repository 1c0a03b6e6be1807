// Clients over raw connections that are there already, cheap enough to ask for more than a gateway can
// answer.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'

export interface Shot {
  /** Milliseconds from the time it was due until the whole answer was there. */
  readonly took: number
  /** HTTP status; 0 where the connection was lost. */
  readonly status: number
}

interface LoopOptions {
  readonly milliseconds: number
  readonly connections: number
  /** The bytes of a request. */
  readonly request: (turn: number) => string
}

interface Connection {
  readonly socket: Socket
  done: ((status: number) => void) | null
  status: number
  /** Bytes of the answer that are still to come; `null` before its headers. */
  left: number | null
}

/** Milliseconds that the last answers have to come. */
const PATIENCE = 10_000

/** Each connection asks again as soon as it is answered. */
export async function closedLoop(url: string, options: LoopOptions): Promise<readonly Shot[]> {
  const { milliseconds, connections, request } = options
  const all = await openAll(url, connections)
  const shots: Shot[] = []
  const end = performance.now() + milliseconds
  let sent = 0
  async function keepAsking(connection: Connection): Promise<void> {
    for (let at = performance.now(); at < end; at = performance.now()) {
      const status = await ask(connection, request(sent++))
      shots.push({ took: performance.now() - at, status })
      if (status === 0) return
    }
  }
  await Promise.race([Promise.all(all.map(keepAsking)), pause(milliseconds + PATIENCE)])
  for (const { socket } of all) socket.destroy()
  return shots
}

/**
 * Asks at a steady rate (requests a second), answered or not. What finds no connection free waits, and its
 * time counts.
 */
export async function openLoop(
  url: string,
  { rate, milliseconds, connections, request }: LoopOptions & { readonly rate: number },
): Promise<readonly Shot[]> {
  const all = await openAll(url, connections)
  const free: Connection[] = []
  const due: number[] = []
  const shots: Shot[] = []
  let sent = 0

  async function shoot(connection: Connection, first: number): Promise<void> {
    for (let at: number | undefined = first; at !== undefined; at = due.shift()) {
      const status = await ask(connection, request(sent++))
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
