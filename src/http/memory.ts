// Bounds the memory of requests, and of responses that clients do not read: 32 MiB for all clients. A client
// that takes nothing of its response is disconnected after 10 s, or after 1 s if memory is short.

import type { Socket } from 'node:net'
import { type Clock, systemClock, type Timer } from '../clock.ts'
import { networkOf } from './client-address.ts'

/**
 * Bytes for all clients. Clients of one network may hold half of them; above half of them, memory is short.
 */
const MAX_BYTES = 32 * 1024 * 1024
/** Bytes of a small response, which is made until twice as much is held: it spares clients that behave. */
const SMALL_BYTES = 64 * 1024
/** Milliseconds without progress after which a client is cut: usually, and if memory is short. */
const PROGRESS_MS = 10_000
const SHORT_PROGRESS_MS = 1_000
const CHECK_MS = 250

/** A connection that holds memory. */
export interface Holder {
  readonly socket: Socket
  /** Bytes of its requests and of its response. */
  held: number
  /** When the client last took bytes of its response, by the clock. */
  progressAt: number
}

export interface Memory {
  /** Adds bytes to those of a connection; negative ones are given back. */
  readonly hold: (holder: Holder, bytes: number) => void
  /** Holds the bytes of a response that the client has yet to take. */
  readonly holdResponse: (holder: Holder, bytes: number) => void
  /** Gives back bytes that the client has taken. */
  readonly take: (holder: Holder, bytes: number) => void
  /** Gives back the bytes of a response. */
  readonly endResponse: (holder: Holder) => void
  /** Gives back all bytes of a connection. */
  readonly forget: (holder: Holder) => void
  /** Closes a connection whose client takes nothing of its response, or sends too much. */
  readonly cut: (holder: Holder) => void
  /** Whether a response of so many bytes may be made. */
  readonly hasRoom: (holder: Holder, bytes: number) => boolean
  /** Whether only small responses are made. */
  readonly isFull: () => boolean
}

const networkAt = ({ socket }: Holder) => networkOf(socket.remoteAddress ?? '')

/** @param onCut called for each connection that is cut */
export function createMemory(onCut: () => void = () => {}, clock: Clock = systemClock): Memory {
  /** Connections with a response that is not read, and the bytes of the response. */
  const unread = new Map<Holder, number>()
  let total = 0
  let checking: Timer | null = null

  function hold(holder: Holder, bytes: number): void {
    holder.held += bytes
    total += bytes
  }

  function holdResponse(holder: Holder, bytes: number): void {
    // The client may have left while its response was made.
    if (holder.socket.destroyed) return
    hold(holder, bytes)
    holder.progressAt = clock.now()
    unread.set(holder, bytes)
    checking ??= clock.setInterval(check, CHECK_MS).unref()
  }

  function take(holder: Holder, bytes: number): void {
    const left = unread.get(holder)
    if (left === undefined) return
    holder.progressAt = clock.now()
    hold(holder, -Math.min(bytes, left))
    unread.set(holder, Math.max(0, left - bytes))
  }

  function endResponse(holder: Holder): void {
    const left = unread.get(holder)
    if (left === undefined) return
    hold(holder, -left)
    unread.delete(holder)
    if (unread.size > 0 || checking === null) return
    checking.close()
    checking = null
  }

  function cut(holder: Holder): void {
    onCut()
    forget(holder)
    holder.socket.resetAndDestroy()
  }

  function forget(holder: Holder): void {
    endResponse(holder)
    hold(holder, -holder.held)
  }

  const isShort = () => total > MAX_BYTES / 2

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
    // First the network that holds most, and in it the connection that holds most.
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
    ...{ hold, holdResponse, take, endResponse, forget, cut, hasRoom },
    isFull: () => total > MAX_BYTES,
  }
}
