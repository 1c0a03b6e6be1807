// Connections that a worker has been given, and has not taken: node:cluster forgets them when it dies, and they
// would be open for good, with clients that wait.

import type { ChildProcess } from 'node:child_process'
import { untilQuietTurn } from '../gateway/http/quiet-turn.ts'

/** Milliseconds to read what a worker said before it died. */
const LAST_WORDS_MS = 100

/** What node:cluster says to a worker with a connection, and the worker to that. */
interface ClusterMessage {
  readonly act?: string
  readonly seq?: number
  readonly ack?: number
}

/** Connections of all workers that were given and not taken yet; and how many were given so far. */
let untaken = 0
let givenSoFar = 0

/** Milliseconds to wait for a turn without a new connection. */
const QUIET_TIMEOUT_MS = 2_000

/**
 * Waits until every client that has connected is with a worker: once no worker is left, node:cluster resets
 * the others.
 */
export function untilHandedOver(): Promise<void> {
  return untilQuietTurn({ count: () => givenSoFar, isIdle: () => untaken === 0 }, QUIET_TIMEOUT_MS)
}

/**
 * Closes the connections that a worker has not taken when it dies. They are not given to another worker, since
 * nothing says what the first one has read of them.
 *
 * There is no public way to see them: the messages of node:cluster are watched. If these change one day, none
 * is seen, and all is as without this.
 */
export function closeUntaken(child: ChildProcess): void {
  const given = new Map<number, () => void>()
  const send = child.send.bind(child)
  const watch: (...sent: Parameters<typeof send>) => boolean = (...sent) => {
    const [message, handle] = sent
    const closeIt = closerOf(handle)
    if (closeIt !== null && isNewConnection(message)) {
      given.set(message.seq, closeIt)
      untaken++
      givenSoFar++
    }
    return send(...sent)
  }
  Object.assign(child, { send: watch })
  child.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined && given.delete(ack)) untaken--
  })
  // Not "disconnect", which never comes where a connection is not taken.
  child.once('exit', () => {
    // What the worker said last is read first: setImmediate comes after reading, whatever a timer's delay was.
    setTimeout(() => setImmediate(closeAll), LAST_WORDS_MS).unref()
  })

  function closeAll(): void {
    for (const closeIt of given.values()) closeIt()
    untaken -= given.size
    given.clear()
  }
}

function isNewConnection(message: unknown): message is { readonly seq: number } {
  return (
    message !== null &&
    typeof message === 'object' &&
    'act' in message &&
    message.act === 'newconn' &&
    'seq' in message &&
    typeof message.seq === 'number'
  )
}

function closerOf(handle: unknown): (() => void) | null {
  if (handle === null || typeof handle !== 'object' || !('close' in handle)) return null
  const { close } = handle
  return typeof close === 'function' ? () => void close.call(handle) : null
}
