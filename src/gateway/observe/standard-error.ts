// Standard error, where a log goes that may not be read. A full pipe must neither hold up requests nor the
// end of the process.

import { closeSync, fstatSync, write as writeLater, writeSync } from 'node:fs'
import { sleep } from '../../clock.ts'
import { isBlocking, isFull, isPassing, openWithoutBlocking, stopBlocking } from './non-blocking.ts'
import { createWaitingLines } from './waiting-lines.ts'

/** Bytes that wait for a slow reader of the log; lines beyond them are lost. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024
/**
 * Milliseconds in which lines are collected, to be written together: a write for each costs more than the
 * line.
 */
const COLLECTING_MS = 100
/**
 * Bytes of a write, unless one line is longer. A pipe takes so many as a whole (POSIX: PIPE_BUF on Linux), so
 * that lines of several processes do not mix. A file is appended to as a whole, and so is the buffer of a
 * socket.
 */
const MAX_CHUNK_BYTES = { pipe: 4096, other: 16 * 1024 }
/**
 * Milliseconds after which a full pipe or disk is tried again: soon, since a reader at work empties a pipe in
 * less, and twice as late each time that there is still no room. When the process exits, always soon.
 */
const RETRY_MS = { first: 1, most: 100 }
/** Milliseconds that a reader of the log has to take what waits when the process ends. */
const LAST_MS = 1_000

export interface StandardError {
  /** Writes a line within 100 ms, together with others. A process that is killed meanwhile loses them. */
  readonly write: (line: string) => void
  /** Writes what has been collected. */
  readonly flush: () => void
  /**
   * Resolves when everything is written, or has been given up.
   * @returns whether a write blocks, which keeps a thread, and with it the process, for ever
   */
  readonly end: () => Promise<{ readonly isStuck: boolean }>
}

interface Handlers {
  /** Called for each line that is lost. */
  readonly onLost: () => void
  /** Called when there is room again, with the number of lines that were lost meanwhile. */
  readonly onRoom: (lost: number) => void
  /** Called when the process exits, with its status, while a write blocks that keeps it. */
  readonly onStuck: (status: number) => void
}

export function openStandardError({ onLost, onRoom, onStuck }: Handlers): StandardError {
  const own = openWithoutBlocking()
  const fd = own ?? 2
  const kind = fstatSync(fd)
  const mayBlock = own === null && !kind.isFile()
  const maxChunk = own !== null || kind.isFIFO() ? MAX_CHUNK_BYTES.pipe : MAX_CHUNK_BYTES.other
  const waiting = createWaitingLines(maxChunk)
  let lost = 0
  let isOver = false
  let timer: NodeJS.Timeout | null = null
  /** What is left of the lines that are being written. */
  let chunk: Buffer | null = null
  /** Whether a write that may block is under way. */
  let isWriting = false
  let writingSince = 0
  /** Whether there was no room, and a timer runs until the next try. */
  let isRefused = false
  let retryMs = RETRY_MS.first
  let onIdle = () => {}
  process.on('exit', writeLast)

  function lose(count: number): void {
    for (let line = 0; line < count; line++) onLost()
    if (!isOver) lost += count
  }

  function write(line: string): void {
    const bytes = Buffer.byteLength(line)
    if (!isOver && !waiting.hasRoom(bytes)) flush()
    if (isOver || waiting.bytes() + bytes > MAX_WAITING_BYTES) {
      lose(1)
      return
    }
    waiting.add(line, bytes)
    if (!isWriting && !isRefused) timer ??= setTimeout(flush, COLLECTING_MS).unref()
  }

  function flush(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    advance()
  }

  /** Writes until nothing is left, or there is no room. */
  function advance(): void {
    while (!isOver && !isWriting && !isRefused) {
      chunk ??= waiting.take()
      if (chunk === null) {
        rest()
        return
      }
      if (own !== null) tryNow(chunk)
      else tryLater(chunk)
    }
  }

  const isIdle = () => chunk === null && waiting.bytes() === 0

  function rest(): void {
    const count = lost
    lost = 0
    if (count > 0) onRoom(count)
    if (isIdle()) onIdle()
  }

  function tryNow(bytes: Buffer): void {
    try {
      wrote(bytes, writeSync(fd, bytes))
    } catch (error) {
      failed(error)
    }
  }

  function tryLater(bytes: Buffer): void {
    isWriting = true
    writingSince = performance.now()
    writeLater(fd, bytes, (error, written) => {
      isWriting = false
      if (error === null) wrote(bytes, written)
      else failed(error)
      advance()
    })
  }

  function wrote(bytes: Buffer, written: number): void {
    retryMs = RETRY_MS.first
    chunk = written === bytes.length ? null : bytes.subarray(written)
  }

  function failed(error: unknown): void {
    if (isPassing(error)) {
      isRefused = true
      setTimeout(retry, retryMs).unref()
      retryMs = Math.min(2 * retryMs, RETRY_MS.most)
      return
    }
    // A terminal or a reader that has gone is no reason to stop serving.
    isOver = true
    lose(linesIn(chunk) + waiting.drop())
    chunk = null
    onIdle()
  }

  function retry(): void {
    isRefused = false
    advance()
  }

  /** Whether a write blocks, and has had its time. */
  const isStuck = () => isWriting && (isOver || performance.now() - writingSince >= LAST_MS)

  /** A process that ends by an error writes what waits in one go; what is under way is with the system. */
  function writeLast(status: number): void {
    if (isStuck()) {
      onStuck(status)
      return
    }
    const isHeld = isWriting && mayBlock && isBlocking(fd)
    if (isHeld) stopBlocking(fd)
    const deadline = performance.now() + LAST_MS
    let hasRoom = false
    let left = isWriting ? waiting.take() : (chunk ?? waiting.take())
    while (!isOver && left !== null) {
      try {
        const written = writeSync(fd, left)
        hasRoom = true
        left = written === left.length ? waiting.take() : left.subarray(written)
      } catch (error) {
        hasRoom = false
        // A disk that is full stays so.
        isOver = !isFull(error) || performance.now() >= deadline
        if (!isOver) sleep(RETRY_MS.first)
      }
    }
    // Where there was no room for more, or nothing more to write, the write under way may never end.
    if (!isHeld || hasRoom) return
    sleep(writingSince + LAST_MS - performance.now())
    onStuck(status)
  }

  async function end() {
    flush()
    if (!isOver && !isIdle())
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, LAST_MS)
        onIdle = () => {
          clearTimeout(late)
          resolve()
        }
      })
    isOver = true
    if (own !== null) closeSync(own)
    return { isStuck: isStuck() }
  }

  return { write, flush, end }
}

const linesIn = (chunk: Buffer | null) => (chunk?.toString() ?? '').split('\n').length - 1
