// A real disk that is soon full: a file system in memory.

import { spawnSync } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { temporaryFolder } from './gateway.ts'

export interface SmallDisk {
  readonly path: string
  /** Bytes that are free. */
  readonly free: () => number
  readonly remove: () => void
}

/** @param size such as `8m`. @throws where this process may not mount anything */
export function makeSmallDisk(size: string): SmallDisk {
  const folder = temporaryFolder()
  const { path } = folder
  const { status, stderr, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', path])
  if (status !== 0) {
    folder.remove()
    throw error ?? new Error(String(stderr))
  }
  const free = () => {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  }
  // Lazily: a process that is still ending may have a file open there.
  const remove = () => {
    spawnSync('umount', ['-l', path])
    folder.remove()
  }
  return { path, free, remove }
}

/**
 * Whether there can be any: only root may mount, and in a container often not even root. Says so on stderr.
 */
export function hasSmallDisks(): boolean {
  try {
    makeSmallDisk('64k').remove()
    return true
  } catch (error) {
    process.stderr.write(`Skipped: tests on a full disk, which need root and CAP_SYS_ADMIN. ${error}\n`)
    return false
  }
}
