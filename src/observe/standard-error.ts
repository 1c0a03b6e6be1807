// Writes standard error without blocking: a pipe that nobody reads or a full disk must delay neither requests
// nor the end of the process. journald's socket is such a reader.

import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { sleep } from '../clock.ts'

/** Characters that wait for a slow reader of the log. Further lines are lost. */
const MAX_WAITING = 8 * 1024 * 1024
/** Milliseconds in which lines are collected: a write for each line costs more than the line. */
const COLLECTING_MS = 100
/**
 * Bytes of a write, unless one line is longer. A write of up to 4 KiB to a pipe is atomic (PIPE_BUF on
 * Linux), so lines of several processes do not mix.
 */
const MAX_CHUNK_BYTES = 4096
/** Milliseconds until a retry; a pipe takes up to 64 KiB each time. */
const RETRY_MS = 10
/** Milliseconds for the waiting lines when the process ends. */
const END_TIMEOUT_MS = 1_000

const isFullPipe = (code: unknown) => code === 'EAGAIN' || code === 'EBUSY'
/** Also an exceeded quota, and a file at its size limit. */
const isFullDisk = (code: unknown) => code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG'

export interface StandardError {
  /**
   * Writes a line within 100 ms, together with others. A process that is killed before that loses these
   * lines.
   */
  readonly write: (line: string) => void
  /** Writes the waiting lines. */
  readonly flush: () => void
  /** Writes the waiting lines, for up to a second, and closes. */
  readonly end: () => void
}

interface StandardErrorHandlers {
  /** Called for each line that is lost. */
  readonly onLost: () => void
  /** Called when all waiting lines are written, with the number of lines that were lost before. */
  readonly onRoom: (lost: number) => void
}

export function openStandardError({ onLost, onRoom }: StandardErrorHandlers): StandardError {
  const { fd, isShared } = openWithoutBlocking()
  const lines: string[] = []
  let length = 0
  /** The unwritten part of the current chunk. */
  let rest = Buffer.alloc(0)
  let lost = 0
  let isOver = false
  /** Until collected lines are written, or until a retry. */
  let timer: NodeJS.Timeout | null = null
  let isFull = false
  process.on('exit', writeLast)

  function lose(count: number): void {
    for (let line = 0; line < count; line++) onLost()
    lost += count
  }

  function write(line: string): void {
    if (isOver || length + line.length > MAX_WAITING) {
      lose(1)
      return
    }
    lines.push(line)
    length += line.length
    if (length >= MAX_CHUNK_BYTES) flush()
    timer ??= setTimeout(flush, COLLECTING_MS).unref()
  }

  function flush(): void {
    if (isOver || isFull) return
    if (timer !== null) clearTimeout(timer)
    timer = null
    const code = writeWaiting()
    if (code === null) return
    if (!isFullPipe(code) && !isFullDisk(code)) giveUp()
    isFull = true
    timer = setTimeout(() => {
      isFull = false
      flush()
    }, RETRY_MS).unref()
  }

  /** @returns the code of the error of a write, or `null`; the unwritten part waits */
  function writeWaiting(): unknown {
    try {
      while (rest.length > 0 || lines.length > 0) {
        if (rest.length === 0) rest = takeChunk()
        if (isShared) stopBlocking()
        rest = rest.subarray(writeSync(fd, rest))
      }
    } catch (error) {
      return error instanceof Error && 'code' in error ? error.code : error
    }
    const count = lost
    lost = 0
    if (count > 0) onRoom(count)
    return null
  }

  /** Whole lines. */
  function takeChunk(): Buffer<ArrayBuffer> {
    let bytes = 0
    const end = lines.findIndex((line, at) => {
      bytes += Buffer.byteLength(line)
      return at > 0 && bytes > MAX_CHUNK_BYTES
    })
    const text = lines.splice(0, end === -1 ? lines.length : end).join('')
    length -= text.length
    return Buffer.from(text)
  }

  /** The terminal or the reader is gone. The service goes on. */
  function giveUp(): void {
    isOver = true
    lose(rest.toString().split('\n').length - 1 + lines.splice(0).length)
  }

  function writeLast(): void {
    const deadline = performance.now() + END_TIMEOUT_MS
    while (!isOver) {
      const code = writeWaiting()
      if (code === null) return
      // A reader may empty a pipe within the time. A full disk stays full.
      if (isFullPipe(code) && performance.now() < deadline) sleep(1)
      else giveUp()
    }
  }

  function end(): void {
    writeLast()
    isOver = true
    process.off('exit', writeLast)
    if (fd !== 2) closeSync(fd)
  }

  return { write, flush, end }
}

/**
 * Opens a pipe or a terminal again, since other processes share standard error and do not expect O_NONBLOCK.
 * A socket cannot be opened again, so it gets the flag. A file never blocks for long.
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

/** Node clears O_NONBLOCK whenever it starts a process, for all processes that share the socket. */
function stopBlocking(): void {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync('/proc/self/fdinfo/2', 'latin1'))?.[1] ?? ''
    // Node has no other way to set the flag.
    if ((Number.parseInt(flags, 8) & constants.O_NONBLOCK) === 0) new Socket({ fd: 2, readable: false })
  } catch {
    // Only Linux has this file.
  }
}
