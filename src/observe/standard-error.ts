// Standard error, where a log goes that may not be read. A full pipe must neither hold up requests nor the
// end of the process, so no write blocks.

import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { sleep } from '../clock.ts'

/** Bytes that wait for a slow reader of the log; lines beyond them are lost. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024
/** Milliseconds in which lines are collected: a write for each costs more than the line. */
const COLLECTING_MS = 100
/**
 * Bytes of a write, unless one line is longer. A pipe takes so many as a whole (POSIX: PIPE_BUF on Linux), so
 * that lines of several processes do not mix.
 */
const MAX_CHUNK_BYTES = 4096
/** Milliseconds after which a full pipe or disk is tried again, twice as late each time. */
const RETRY_MS = { first: 1, most: 100 }
/** Milliseconds that a reader of the log has to take what waits when the process ends. */
const LAST_MS = 1_000

export interface StandardError {
  /** Writes a line within 100 ms, together with others. A process that is killed meanwhile loses them. */
  readonly write: (line: string) => void
  /** Writes what has been collected. */
  readonly flush: () => void
  /** Resolves when everything is written, or has been given up. */
  readonly end: () => Promise<void>
}

interface Handlers {
  /** Called for each line that is lost. */
  readonly onLost: () => void
  /** Called when there is room again, with the number of lines that were lost meanwhile. */
  readonly onRoom: (lost: number) => void
}

/** Whole lines, and how many bytes they have. */
interface Chunk {
  text: string
  lines: number
  bytes: number
}

export function openStandardError({ onLost, onRoom }: Handlers): StandardError {
  const { fd, isShared } = openWithoutBlocking()
  let waiting: Chunk[] = []
  let waitingBytes = 0
  /** The unwritten part of the current chunk. */
  let rest: Buffer | null = null
  let lost = 0
  let isOver = false
  let timer: NodeJS.Timeout | null = null
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
    if (isOver || waitingBytes + bytes > MAX_WAITING_BYTES) {
      lose(1)
      return
    }
    waitingBytes += bytes
    const last = waiting.at(-1)
    if (last === undefined || last.bytes + bytes > MAX_CHUNK_BYTES) {
      waiting.push({ text: line, lines: 1, bytes })
      if (last !== undefined) flush()
    } else {
      last.text += line
      last.lines++
      last.bytes += bytes
    }
    if (!isRefused) timer ??= setTimeout(flush, COLLECTING_MS).unref()
  }

  /** Writes until nothing is left, or there is no room. */
  function flush(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    while (!isOver && !isRefused && writeNext(failed));
    if (rest !== null || waiting.length > 0) return
    const count = lost
    lost = 0
    if (count > 0) onRoom(count)
    onIdle()
  }

  /** Writes a chunk, or what is left of it. @returns whether there was one, and room for some of it */
  function writeNext(onError: (error: unknown) => void): boolean {
    if (rest === null) {
      const chunk = waiting.shift()
      if (chunk === undefined) return false
      waitingBytes -= chunk.bytes
      rest = Buffer.from(chunk.text)
    }
    if (isShared) stopBlocking()
    try {
      const written = writeSync(fd, rest)
      rest = written === rest.length ? null : rest.subarray(written)
      retryMs = RETRY_MS.first
      return true
    } catch (error) {
      onError(error)
      return false
    }
  }

  function failed(error: unknown): void {
    if (isFull(error) || noRoom.includes(codeOf(error))) {
      isRefused = true
      setTimeout(retry, retryMs).unref()
      retryMs = Math.min(2 * retryMs, RETRY_MS.most)
      return
    }
    // A terminal or a reader that has gone is no reason to stop serving.
    isOver = true
    const partly = (rest?.toString() ?? '').split('\n').length - 1
    lose(waiting.reduce((sum, { lines }) => sum + lines, partly))
    waiting = []
    rest = null
  }

  function retry(): void {
    isRefused = false
    flush()
  }

  /** A process that ends writes what waits in one go. */
  function writeLast(): void {
    const deadline = performance.now() + LAST_MS
    const onError = (error: unknown) => {
      // A disk that is full stays so.
      if (isFull(error) && performance.now() < deadline) sleep(RETRY_MS.first)
      else isOver = true
    }
    while (!isOver && (rest !== null || waiting.length > 0)) writeNext(onError)
  }

  async function end(): Promise<void> {
    flush()
    if (!isOver && (rest !== null || waiting.length > 0))
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, LAST_MS)
        onIdle = () => {
          clearTimeout(late)
          resolve()
        }
      })
    isOver = true
    process.off('exit', writeLast)
    if (fd !== 2) closeSync(fd)
  }

  return { write, flush, end }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)
/** Whether a pipe has no room. */
const isFull = (error: unknown) => codeOf(error) === 'EAGAIN' || codeOf(error) === 'EBUSY'
/** Errors of a full disk, an exceeded quota, and a file at its size limit. */
const noRoom: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG']

/**
 * Opens a pipe or a terminal once more: a flag of standard error itself would surprise the processes that share
 * it. A socket cannot be opened once more, so its flag is set. A file never blocks for long.
 */
function openWithoutBlocking(): { readonly fd: number; readonly isShared: boolean } {
  const kind = fstatSync(2)
  if (kind.isFile()) return { fd: 2, isShared: false }
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
    return { fd: openSync('/proc/self/fd/2', O_WRONLY | O_NONBLOCK | O_NOCTTY), isShared: false }
  } catch {
    return { fd: 2, isShared: !kind.isCharacterDevice() }
  }
}

/** Each process that is started has standard error block again, for all that share it. */
function stopBlocking(): void {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync('/proc/self/fdinfo/2', 'latin1'))?.[1] ?? ''
    // A socket of Node sets the flag, which Node gives no other way to.
    if ((Number.parseInt(flags, 8) & constants.O_NONBLOCK) === 0) new Socket({ fd: 2, readable: false })
  } catch {
    // Only Linux tells.
  }
}
