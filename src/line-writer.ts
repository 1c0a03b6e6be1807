// Writes lines without blocking: a pipe that nobody reads or a full disk must delay neither requests nor the
// end of the process. For the log and for ACCESS_LOG.

import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { sleep } from './clock.ts'

/** Milliseconds in which lines are collected: a write for each line costs more than the line. */
const COLLECTING_MS = 100
/**
 * Bytes of a write, unless one line is longer: lines of several processes must not mix. Linux appends to a
 * file in one piece, and writes up to 4 KiB to a pipe in one piece (PIPE_BUF).
 */
const FILE_CHUNK_BYTES = 64 * 1024
const PIPE_CHUNK_BYTES = 4096
/** Milliseconds until a retry; a pipe takes up to 64 KiB each time. */
const RETRY_MS = 10
/** Milliseconds for the waiting lines at the end. */
const END_TIMEOUT_MS = 1_000

const isFullPipe = (code: unknown) => code === 'EAGAIN' || code === 'EBUSY'
/** Also an exceeded quota, and a file at its size limit. */
const isFullDisk = (code: unknown) => code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG'

export interface LineWriter {
  /**
   * Writes a line within 100 ms, together with others. A process that is killed before that loses these
   * lines.
   */
  readonly write: (line: string) => void
  /** Writes the waiting lines. */
  readonly flush: () => void
  /** Writes the waiting lines, for up to a second, and closes the file. */
  readonly end: () => void
}

/** A file descriptor that does not block. */
interface WriteTarget {
  readonly fd: number
  readonly beforeWrite?: () => void
}

interface LineWriterOptions extends WriteTarget {
  readonly encoding: 'utf8' | 'latin1'
  /** Characters that wait for a slow reader or a full disk. Further lines are lost. */
  readonly maxWaiting: number
  readonly onLost: (lines: number) => void
  /** Called when a write fails, unless a pipe is full. */
  readonly onError?: (error: unknown) => void
  /** Called when no line waits any more. */
  readonly onEmpty?: () => void
}

export function createLineWriter(options: LineWriterOptions): LineWriter {
  const { fd, encoding, maxWaiting, beforeWrite, onLost, onError, onEmpty } = options
  const maxChunk = fstatSync(fd).isFile() ? FILE_CHUNK_BYTES : PIPE_CHUNK_BYTES
  const lines: string[] = []
  let length = 0
  /** The unwritten part of the current chunk. */
  let rest = Buffer.alloc(0)
  let isOver = false
  /** Until collected lines are written, or until a retry. */
  let timer: NodeJS.Timeout | null = null
  let isFull = false
  process.on('exit', writeLast)

  function write(line: string): void {
    if (isOver || length + line.length > maxWaiting) {
      onLost(1)
      return
    }
    lines.push(line)
    length += line.length
    if (length >= maxChunk) flush()
    timer ??= setTimeout(flush, COLLECTING_MS).unref()
  }

  function flush(): void {
    if (isOver || isFull) return
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (writeWaiting() === 'done') return
    isFull = true
    timer = setTimeout(() => {
      isFull = false
      flush()
    }, RETRY_MS).unref()
  }

  function writeWaiting(): 'done' | 'full pipe' | 'full disk' {
    try {
      while (rest.length > 0 || lines.length > 0) {
        if (rest.length === 0) rest = takeChunk()
        beforeWrite?.()
        rest = rest.subarray(writeSync(fd, rest))
      }
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null
      if (isFullPipe(code)) return 'full pipe'
      onError?.(error)
      if (isFullDisk(code)) return 'full disk'
      // The terminal or the reader is gone. The service goes on.
      loseWaiting()
      return 'done'
    }
    onEmpty?.()
    return 'done'
  }

  /** Whole lines. */
  function takeChunk(): Buffer<ArrayBuffer> {
    let bytes = 0
    const end = lines.findIndex((line, at) => {
      bytes += Buffer.byteLength(line, encoding)
      return at > 0 && bytes > maxChunk
    })
    const text = lines.splice(0, end === -1 ? lines.length : end).join('')
    length -= text.length
    return Buffer.from(text, encoding)
  }

  function loseWaiting(): void {
    onLost(rest.toString(encoding).split('\n').length - 1 + lines.splice(0).length)
    rest = Buffer.alloc(0)
    length = 0
  }

  function writeLast(): void {
    const deadline = performance.now() + END_TIMEOUT_MS
    for (let outcome = writeWaiting(); outcome !== 'done'; outcome = writeWaiting()) {
      // A reader may empty a pipe within the time. A full disk stays full.
      if (outcome === 'full pipe' && performance.now() < deadline) sleep(1)
      else loseWaiting()
    }
  }

  function end(): void {
    writeLast()
    isOver = true
    process.off('exit', writeLast)
    if (fd > 2) closeSync(fd)
  }

  return { write, flush, end }
}

/**
 * Opens standard output or standard error again, since other processes share it and do not expect O_NONBLOCK.
 * A socket, such as journald's, cannot be opened again, so it gets the flag. A file never blocks for long.
 */
export function openStandard(fd: 1 | 2): WriteTarget {
  const kind = fstatSync(fd)
  if (kind.isFile()) return { fd }
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
    return { fd: openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY) }
  } catch {
    return kind.isCharacterDevice() ? { fd } : { fd, beforeWrite: () => stopBlocking(fd) }
  }
}

/** Node clears O_NONBLOCK whenever it starts a process, for all processes that share the socket. */
function stopBlocking(fd: number): void {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1] ?? ''
    // Node has no other way to set the flag.
    if ((Number.parseInt(flags, 8) & constants.O_NONBLOCK) === 0) new Socket({ fd, readable: false })
  } catch {
    // Only Linux has this file.
  }
}
