// Clients that ask for much and read next to nothing.

import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

interface SlowReaders {
  /** How many have been disconnected. */
  readonly cut: () => number
  /** Bytes that all of them have read. */
  readonly read: () => number
  readonly leave: () => void
}

/** Milliseconds between two bytes that a client reads. */
const BYTE_MS = 500

/** @param pipeline what each sends at once, and again whenever it has been taken */
export async function gatherSlowReaders(url: string, count: number, pipeline: string): Promise<SlowReaders> {
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  let cut = 0
  let read = 0
  for (let number = 0; number < count; number++) {
    const socket = connect({ port: Number(port), host: hostname })
    socket.on('error', () => {}).on('close', () => cut++)
    socket.on('connect', () => socket.pause().write(pipeline, 'latin1'))
    sockets.push(socket)
    // All at once would overflow the queue of connections.
    if (number % 50 === 49) await pause(20)
  }
  const reading = setInterval(() => {
    for (const socket of sockets) {
      if (socket.destroyed) continue
      read += socket.read(1)?.length ?? 0
      if (socket.writableLength === 0) socket.write(pipeline, 'latin1')
    }
  }, BYTE_MS)
  const leave = () => {
    clearInterval(reading)
    for (const socket of sockets) socket.destroy()
  }
  return { cut: () => cut, read: () => read, leave }
}
