// Clients that want nothing good: each only holds a connection.

import { connect } from 'node:net'

export type Crowd = ReturnType<typeof gather>

/** @param deaf reads nothing, not even the end of the connection, and never closes its side */
export function gather(
  url: string,
  count: number,
  { start = '', drip = '', deaf = false }: { start?: string; drip?: string; deaf?: boolean } = {},
) {
  const { hostname, port } = new URL(url)
  const cuts: number[] = []
  const sockets = Array.from({ length: count }, () => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: deaf })
    let begun = Number.NaN
    socket.on('connect', () => {
      begun = performance.now()
    })
    socket.on('error', () => {}).on('close', () => cuts.push(performance.now() - begun))
    if (deaf) socket.pause()
    else socket.resume()
    socket.write(start)
    return socket
  })
  const dripping = setInterval(() => {
    for (const socket of sockets) socket.write(drip)
  }, 500)
  return {
    /**
     * Milliseconds for which each was connected, of those that were cut. When hundreds come at once, the
     * system lets some try again a second later: no server holds them until then.
     */
    cuts,
    /** When all are connected, or already cut. */
    gathered: Promise.all(
      sockets.map(
        (socket) =>
          new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve())),
      ),
    ),
    leave: () => {
      clearInterval(dripping)
      for (const socket of sockets) socket.destroy()
    },
  }
}
