// Standard error, where a log goes that may not be read. A full pipe must neither hold up requests nor the
// end of the process.

import { constants, fstatSync, openSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { destination } from 'pino'

/** Bytes that wait for a slow reader of the log; lines beyond them are lost. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024
/** Milliseconds that a reader of the log has to take what waits when the process ends. */
const LAST_MS = 1_000
/** Milliseconds in which a write that does not block says that there is no room; pino tries every 100. */
const REFUSAL_MS = 500

export interface StandardError {
  readonly write: (line: string) => void
  /**
   * Resolves when everything is written, or has been given up.
   * @returns whether a write blocks, which keeps a thread, and with it the process, for ever
   */
  readonly end: () => Promise<{ readonly isStuck: boolean }>
}

interface LossHandlers {
  /** Called for each line that is lost. */
  readonly onLost: () => void
  /** Called when there is room again, with the number of lines that were lost meanwhile. */
  readonly onRoom: (lost: number) => void
}

export function openStandardError({ onLost, onRoom }: LossHandlers): StandardError {
  const own = openWithoutBlocking()
  let lost = 0
  let isOver = false
  /** When a full pipe is given up. */
  let deadline = Number.POSITIVE_INFINITY
  const stream = destination({
    fd: own ?? 2,
    sync: false,
    maxLength: MAX_WAITING_BYTES,
    retryEAGAIN: () => performance.now() < deadline,
  })
  const ignore = () => {}
  // Where standard error is a terminal that has gone, writing to it fails, which is no reason to stop
  // serving; and pino would try again without end when the process exits.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A disk that is full may have room again.
    if (error.code === 'ENOSPC') return
    isOver = true
    Object.assign(stream, { flushSync: ignore, end: ignore, destroy: ignore })
  })
  stream.on('close', () => {
    isOver = true
  })
  stream.on('drop', () => {
    lost++
    onLost()
  })
  stream.on('drain', () => {
    const count = lost
    lost = 0
    if (count > 0) onRoom(count)
  })
  // A process that ends by an error writes what waits in one go.
  process.prependListener('exit', () => {
    deadline = performance.now() + LAST_MS
  })

  async function end() {
    if (isOver) return { isStuck: false }
    let isWriting = true
    const closed = new Promise<void>((resolve) => {
      const done = () => {
        isWriting = false
        resolve()
      }
      stream.once('close', done).once('error', done)
    })
    stream.end()
    await Promise.race([closed, pause(LAST_MS, undefined, { ref: false })])
    deadline = 0
    // A write that does not block fails now. One to a socket may block.
    if (isWriting) await Promise.race([closed, pause(REFUSAL_MS, undefined, { ref: false })])
    const isLate = !isOver
    isOver = true
    if (isLate) stream.destroy()
    return { isStuck: isWriting && own === null }
  }

  return { write: (line) => (isOver ? onLost() : void stream.write(line)), end }
}

/**
 * Opens the pipe or terminal that is standard error once more, for writes that do not block: to change it for
 * the processes that share it would surprise them.
 * @returns `null` where that cannot be: a file never blocks for long, and a socket cannot be opened
 */
function openWithoutBlocking(): number | null {
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
    const found = fstatSync(2)
    if (!found.isFIFO() && !found.isCharacterDevice()) return null
    return openSync('/proc/self/fd/2', O_WRONLY | O_NONBLOCK | O_NOCTTY)
  } catch {
    return null
  }
}
