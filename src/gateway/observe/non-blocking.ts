// Errors of writes to standard error, and how these are kept from blocking.

import { constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { Socket } from 'node:net'

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)
/** Whether a pipe has no room. */
export const isFull = (error: unknown) => codeOf(error) === 'EAGAIN' || codeOf(error) === 'EBUSY'
/** Errors of a full disk, an exceeded quota, and a file at its size limit. */
const noRoom: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG']
/** Whether there may be room later: in a pipe, or on a disk. */
export const isPassing = (error: unknown) => isFull(error) || noRoom.includes(codeOf(error))

/**
 * Opens the pipe or terminal that is standard error once more, for writes that do not block: to change it for
 * the processes that share it would surprise them.
 * @returns `null` where that cannot be: a file never blocks for long, and a socket cannot be opened
 */
export function openWithoutBlocking(): number | null {
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
    const found = fstatSync(2)
    if (!found.isFIFO() && !found.isCharacterDevice()) return null
    return openSync('/proc/self/fd/2', O_WRONLY | O_NONBLOCK | O_NOCTTY)
  } catch {
    return null
  }
}

/** Whether a write to it may block: true where the system does not say. */
export function isBlocking(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1]
    return flags === undefined || (Number.parseInt(flags, 8) & constants.O_NONBLOCK) === 0
  } catch {
    return true
  }
}

/**
 * Ends the blocking of a pipe or socket, for all processes that share it: only for a process that ends. A
 * socket of Node sets the flag, which Node gives no other way to.
 */
export function stopBlocking(fd: number): void {
  try {
    new Socket({ fd, readable: false })
  } catch {
    // It is neither: it stays as it is.
  }
}
