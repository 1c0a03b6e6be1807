import { Socket } from 'node:net'

/** Milliseconds that a server has to close its connections. */
const CLOSE_TIMEOUT_MS = 500

/** The sockets of a pool. A server that hangs would keep the process alive, also during a login. */
export function createSockets() {
  const open = new Set<Socket>()
  return {
    create: (): Socket => {
      const socket = new Socket()
      open.add(socket)
      return socket.once('close', () => open.delete(socket))
    },
    /** Waits until all sockets are closed, then destroys those that are left. */
    close: async (): Promise<void> => {
      const closed = [...open].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
      const timer = setTimeout(() => {
        for (const socket of open) socket.destroy()
      }, CLOSE_TIMEOUT_MS)
      await Promise.all(closed)
      clearTimeout(timer)
    },
  }
}
