// Bounds the memory of requests, and of responses that clients do not read: 32 MiB for all clients. A client
// that reads nothing of its response is disconnected after 10 s, or after 1 s if memory is short.

import type { Socket } from 'node:net'
import { type Clock, systemClock, type Timer } from '../clock.ts'
import { networkOf } from './client-address.ts'

/** Bytes for all clients. Clients of one network may hold half of them. Above a half, memory is short. */
const MAX_BYTES = 32 * 1024 * 1024
/** Bytes of a small response. Until all clients hold 2 * MAX_BYTES, every client gets small responses. */
const SMALL_BYTES = 64 * 1024
/** Milliseconds without progress after which a client is disconnected: usually, and if memory is short. */
const PROGRESS_MS = 10_000
const SHORT_PROGRESS_MS = 1_000
const CHECK_MS = 250

/** A connection that holds memory. */
export interface Holder {
  readonly socket: Socket
  /** Bytes of its requests and of its response. */
  held: number
  /** When the client last read bytes of its response, by the clock. */
  progressAt: number
}

export type Memory = ReturnType<typeof createMemory>

const networkAt = ({ socket }: Holder) => networkOf(socket.remoteAddress ?? '')

/** @param onCut called for each connection that is cut */
export function createMemory(onCut: () => void = () => {}, clock: Clock = systemClock) {
  /** Connections with an unread response, and the bytes of the response that are still unread. */
  const unread = new Map<Holder, number>()
  let total = 0
  let checking: Timer | null = null

  /** Adds bytes to those of a connection; negative bytes are given back. */
  function hold(holder: Holder, bytes: number): void {
    holder.held += bytes
    total += bytes
  }

  /** Holds the bytes of a response until the client reads them. */
  function holdResponse(holder: Holder, bytes: number): void {
    // The client may have left while its response was made.
    if (holder.socket.destroyed) return
    hold(holder, bytes)
    holder.progressAt = clock.now()
    unread.set(holder, bytes)
    checking ??= clock.setInterval(check, CHECK_MS).unref()
  }

  /** Gives back bytes that the client has read. */
  function take(holder: Holder, bytes: number): void {
    const left = unread.get(holder)
    if (left === undefined) return
    holder.progressAt = clock.now()
    hold(holder, -Math.min(bytes, left))
    unread.set(holder, Math.max(0, left - bytes))
  }

  /** Gives back the bytes of a response. */
  function endResponse(holder: Holder): void {
    const left = unread.get(holder)
    if (left === undefined) return
    hold(holder, -left)
    unread.delete(holder)
    if (unread.size > 0 || checking === null) return
    checking.close()
    checking = null
  }

  /** Closes a connection whose client reads nothing of its response, or sends too much. */
  function cut(holder: Holder): void {
    onCut()
    forget(holder)
    holder.socket.resetAndDestroy()
  }

  /** Gives back all bytes of a connection. */
  function forget(holder: Holder): void {
    endResponse(holder)
    hold(holder, -holder.held)
  }

  const isShort = () => total > MAX_BYTES / 2

  /** Whether a response of so many bytes may be made. */
  function hasRoom(holder: Holder, bytes: number): boolean {
    if (total + bytes <= MAX_BYTES / 2) return true
    if (bytes <= SMALL_BYTES) return total <= 2 * MAX_BYTES
    if (total + bytes > MAX_BYTES) return false
    return (heldByNetwork().get(networkAt(holder)) ?? 0) + bytes <= MAX_BYTES / 2
  }

  function check(): void {
    const now = clock.now()
    for (const holder of unread.keys()) if (now - holder.progressAt > PROGRESS_MS) cut(holder)
    if (!isShort()) return
    // Start with the network that holds most, and there with the connection that holds most.
    const shares = heldByNetwork()
    const share = (holder: Holder) => shares.get(networkAt(holder)) ?? 0
    const idle = [...unread.keys()].filter(({ progressAt }) => now - progressAt > SHORT_PROGRESS_MS)
    idle.sort((one, other) => share(other) - share(one) || other.held - one.held)
    for (const holder of idle) if (isShort()) cut(holder)
  }

  function heldByNetwork(): ReadonlyMap<string | null, number> {
    const shares = new Map<string | null, number>()
    for (const holder of unread.keys()) {
      const network = networkAt(holder)
      shares.set(network, (shares.get(network) ?? 0) + holder.held)
    }
    return shares
  }

  return {
    hold,
    holdResponse,
    take,
    endResponse,
    forget,
    cut,
    hasRoom,
    /** Whether only small responses are made. */
    isFull: () => total > MAX_BYTES,
  }
}
