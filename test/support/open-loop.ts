// Clients who ask at a rate of their own, whether they are answered or not, over connections that are there already.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'

export interface Shot {
  /** Milliseconds from the time it was due until the whole answer was there. */
  readonly took: number
  /** HTTP status; 0 where the connection was lost. */
  readonly status: number
}

interface OpenLoopOptions {
  /** Requests a second. */
  readonly rate: number
  readonly milliseconds: number
  readonly connections: number
  readonly request: (turn: number) => string
}

interface Connection {
  readonly socket: Socket
  done: ((status: number) => void) | null
  status: number
  /** Bytes of the answer that are still to come; `null` before its headers. */
  left: number | null
}

/** Asks at a steady rate. What finds no connection free waits for one, and its time counts. */
export async function openLoop(url: string, options: OpenLoopOptions): Promise<readonly Shot[]> {
  const { rate, milliseconds, connections, request } = options
  const { hostname, port } = new URL(url)
  const all = await Promise.all(Array.from({ length: connections }, () => open(Number(port), hostname)))
  const free = [...all]
  const due: number[] = []
  const shots: Shot[] = []
  let sent = 0

  function shoot(connection: Connection, at: number): void {
    connection.done = (status) => {
      connection.done = null
      shots.push({ took: performance.now() - at, status })
      const next = due.shift()
      if (status === 0) return
      if (next === undefined) free.push(connection)
      else shoot(connection, next)
    }
    connection.socket.write(request(sent++), 'latin1')
  }

  // Every connection has been used before it counts.
  for (const connection of free.splice(0)) shoot(connection, performance.now())
  while (shots.length < connections) await pause(10)
  shots.length = 0

  const started = performance.now()
  for (let asked = 0; ; ) {
    const now = performance.now()
    if (now - started >= milliseconds) break
    for (; asked < ((now - started) / 1000) * rate; asked++) {
      const at = started + (asked / rate) * 1000
      const connection = free.pop()
      if (connection === undefined) due.push(at)
      else shoot(connection, at)
    }
    await (free.length > 0 ? turn() : pause(1))
  }
  const expected = shots.length + due.length + all.filter(({ done }) => done !== null).length
  const patience = performance.now() + 10_000
  while (shots.length < expected && performance.now() < patience) await pause(10)
  for (const { socket } of all) socket.destroy()
  return shots
}

async function open(port: number, host: string): Promise<Connection> {
  const socket = connect({ port, host, noDelay: true })
  const connection: Connection = { socket, done: null, status: 0, left: null }
  socket.on('data', (chunk: Buffer) => read(connection, chunk))
  socket.on('error', () => {})
  socket.on('close', () => connection.done?.(0))
  await once(socket, 'connect')
  return connection
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
