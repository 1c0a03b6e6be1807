// Clients that want nothing good: each only holds a connection.

import { connect, type Socket } from 'node:net'

export type Crowd = ReturnType<typeof gather>

interface CrowdOptions {
  /** What each sends at once, and what again and again. */
  readonly start?: string
  readonly drip?: string
  /** Reads nothing, not even the end of the connection, and never closes its side. */
  readonly deaf?: boolean
}

/** Milliseconds between two drips. */
const DRIP = 500

export function gather(url: string, count: number, options: CrowdOptions = {}) {
  const { start = '', drip, deaf = false } = options
  const cuts: number[] = []
  const sockets: Socket[] = []
  const connecting: Promise<void>[] = []
  const { hostname, port } = new URL(url)
  for (let number = 0; number < count; number++) {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: deaf })
    let begun = Number.NaN
    socket.on('connect', () => {
      begun = performance.now()
    })
    socket.on('error', () => {}).on('close', () => cuts.push(performance.now() - begun))
    connecting.push(new Promise((resolve) => socket.once('connect', resolve).once('close', () => resolve())))
    if (deaf) socket.pause()
    else socket.resume()
    socket.write(start)
    sockets.push(socket)
  }
  const dripping = setInterval(() => {
    if (drip !== undefined) for (const socket of sockets) socket.write(drip)
  }, DRIP)
  const leave = () => {
    clearInterval(dripping)
    for (const socket of sockets) socket.destroy()
  }
  return {
    /**
     * Milliseconds for which each was connected, of those that were cut. When hundreds come at once, the
     * system lets some try again a second later: no server holds them until then.
     */
    cuts,
    /** When all are connected, or already cut. */
    gathered: Promise.all(connecting),
    leave,
  }
}
