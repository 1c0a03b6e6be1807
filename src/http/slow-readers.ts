// Clients that read their responses too slowly.

import type { Socket } from 'node:net'
import { type Clock, systemClock, type Timer } from '../clock.ts'

/** How fast a client has to read a response: after `graceMs`, this many bytes a second on average. */
interface Pace {
  readonly graceMs: number
  readonly bytesPerSecond: number
}
const usualPace: Pace = { graceMs: 5_000, bytesPerSecond: 8 * 1024 }
/** Once half of the memory is taken. */
const pressingPace: Pace = { graceMs: 1_000, bytesPerSecond: 64 * 1024 }
/** Milliseconds between two checks for slow clients. */
const CHECK_MS = 250

/** A connection, with what its client has to read. */
export interface Reader {
  readonly socket: Socket
  /** Bytes of each response that is not sent, in order; and since when the first of them is being sent. */
  readonly unsent: number[]
  since: number
}

export interface SlowReaders {
  /** Says that there is one more response for a client to read. */
  readonly add: (reader: Reader, bytes: number) => void
  /** Says that the first response of a client is sent. */
  readonly sent: (reader: Reader) => void
  /** Says that a connection has ended. */
  readonly remove: (reader: Reader) => void
}

/**
 * @param isPressing whether memory is short
 * @param cut called for each client that is too slow
 */
export function createSlowReaders(
  isPressing: () => boolean,
  cut: (socket: Socket) => void,
  clock: Clock = systemClock,
): SlowReaders {
  const slow = new Set<Reader>()
  let checking: Timer | null = null

  function check(): void {
    const { graceMs, bytesPerSecond } = isPressing() ? pressingPace : usualPace
    const now = clock.now()
    for (const { socket, unsent, since } of slow) {
      const dueMs = graceMs + (1000 * (unsent[0] ?? 0)) / bytesPerSecond
      if (now - since > dueMs) cut(socket)
    }
    if (slow.size > 0 || checking === null) return
    checking.close()
    checking = null
  }

  return {
    add: (reader, bytes) => {
      if (reader.unsent.length === 0) reader.since = clock.now()
      reader.unsent.push(bytes)
      slow.add(reader)
      checking ??= clock.setInterval(check, CHECK_MS).unref()
    },
    sent: (reader) => {
      reader.unsent.shift()
      reader.since = clock.now()
      if (reader.unsent.length === 0) slow.delete(reader)
    },
    remove: (reader) => slow.delete(reader),
  }
}

/** Whether a client would be too slow if memory were short. */
export function isUnread({ unsent, since }: Reader): boolean {
  return unsent.length > 0 && performance.now() - since > pressingPace.graceMs
}
