import type { Socket } from 'node:net'

/** Requests of one connection in a row. Others are read before more of it: 64 KiB hold two thousand. */
const MAX_IN_A_ROW = 64

/** Has all connections read in turn, where some send hundreds of requests at once. */
export interface ReadingTurns {
  /** Says that a client has connected. */
  readonly accept: (socket: Socket) => void
  /** Says that there is one more request of a connection. */
  readonly count: (socket: Socket) => void
  /** Whether no more of a connection is read in this turn. */
  readonly isOver: (socket: Socket) => boolean
  /**
   * Reads no more of any connection until what was closed is given back. Node makes objects for all requests
   * of a packet, two thousand perhaps, and keeps them until the turn is over: with those of all connections
   * that are closed for want of memory, a hundred of them would take a hundred times as much.
   */
  readonly endAll: () => void
}

/**
 * Node reads a connection again and again while there is something to read. After so many requests it is
 * paused, until other connections have been read.
 * @param resume reads on, unless something else is in the way
 */
export function createReadingTurns(resume: (socket: Socket) => void): ReadingTurns {
  const open = new Set<Socket>()
  const over = new Set<Socket>()
  let last: Socket | null = null
  let requests = 0
  let isEnding = false

  function pause(socket: Socket): void {
    if (over.has(socket)) socket.pause()
  }

  function endSoon(): void {
    if (isEnding) return
    isEnding = true
    setImmediate(end)
  }

  function end(): void {
    isEnding = false
    last = null
    const sockets = [...over]
    over.clear()
    for (const socket of sockets) if (!socket.destroyed) resume(socket)
  }

  return {
    accept: (socket) => {
      open.add(socket)
      socket.once('close', () => open.delete(socket))
    },
    count: (socket) => {
      if (socket !== last) {
        last = socket
        requests = 0
        return
      }
      // Only here: nearly all requests come one at a time.
      if (++requests !== MAX_IN_A_ROW || over.has(socket)) return
      over.add(socket)
      // Not at once: Node resumes after each request.
      process.nextTick(pause, socket)
      endSoon()
    },
    isOver: (socket) => over.has(socket),
    endAll: () => {
      for (const socket of open) {
        over.add(socket)
        socket.pause()
      }
      endSoon()
    },
  }
}
