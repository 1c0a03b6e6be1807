// Secrets that stand in files, as orchestrators provide them, and change there.

import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { sleep } from './clock.ts'

/** Bytes of a secret. */
const MAX_BYTES = 65_536
/** Seconds from the start of this process in which a pipe has to say its secret. */
const PIPE_START_S = 10
/** Seconds that one has later, when requests wait meanwhile. */
const PIPE_LATER_S = 0.2
/** Milliseconds between two looks into a pipe. */
const PIPE_POLL_MS = 20

/** What came from pipes, by their paths: each says its secret once. */
const fromPipes = new Map<string, string>()

/**
 * @returns the text of a file without the line break at its end; of a pipe, what it said first
 * @throws Error with the reason
 */
export function readSecret(path: string): string {
  const known = fromPipes.get(path)
  // Not even opened: a program that waits to write there would take it for a reader.
  if (known !== undefined && statSync(path).isFIFO()) return known
  // A pipe that no program writes to would otherwise keep this process waiting for ever.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  try {
    const found = fstatSync(file)
    if (found.isCharacterDevice() || found.isBlockDevice()) throw new Error('it is a device')
    const bytes = found.isFIFO() ? readPipe(file) : readAll(file, [])
    if (bytes === null) throw new Error('it is a pipe, and no text and end came in time')
    // Editors, and echo, end a file with a line break.
    const text = bytes.toString().replace(/\r?\n$/, '')
    if (text === '') throw new Error('it is empty')
    if (found.isFIFO()) fromPipes.set(path, text)
    return text
  } finally {
    closeSync(file)
  }
}

/** @returns `null` where nothing comes, or no end of it */
function readPipe(file: number): Buffer | null {
  const parts: Buffer[] = []
  const deadline = Math.max(PIPE_START_S, process.uptime() + PIPE_LATER_S)
  do {
    try {
      const bytes = readAll(file, parts)
      // Before a program has opened it to write there, a pipe looks as if it had ended.
      if (bytes.length > 0) return bytes
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    }
    sleep(PIPE_POLL_MS)
  } while (process.uptime() < deadline)
  return null
}

/**
 * Reads to the end.
 * @param parts what was read before, to which the rest is added
 */
function readAll(file: number, parts: Buffer[]): Buffer {
  for (;;) {
    const part = Buffer.alloc(MAX_BYTES + 1)
    const length = readSync(file, part)
    if (length === 0) return Buffer.concat(parts)
    parts.push(part.subarray(0, length))
    if (parts.reduce((sum, each) => sum + each.length, 0) > MAX_BYTES)
      throw new Error(`it has more than ${MAX_BYTES / 1024} KiB`)
  }
}

export function hasPassword(url: string): boolean {
  const { password, searchParams } = new URL(url)
  return password !== '' || searchParams.has('password')
}

/** The URL of a database server with this password, whatever it had. */
export function withPassword(url: string, password: string): string {
  const changed = new URL(url)
  // A URL of a socket has no place for a login before its host.
  if (changed.hostname === '') changed.searchParams.set('password', password)
  else changed.password = encodeURIComponent(password)
  return changed.href
}
