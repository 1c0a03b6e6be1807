// The key that addresses are hashed with. It stands beside the census, not in it: there are few enough IPv4
// addresses to try them all, for those who have the key.

import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, linkSync, rmSync, writeFileSync } from 'node:fs'
import { readSecret } from '../../secret-files.ts'
import { CommandError } from '../../terminal/command-error.ts'

/** Characters of the shortest key. */
const MIN_KEY_LENGTH = 16
const KEY_BYTES = 32

export interface Key {
  readonly text: string
  /** Tells keys apart, and gives nothing of one away. */
  readonly id: string
}

/** Where it is by default. */
export const keyFileOf = (censusFile: string) => `${censusFile}.key`

/** @throws CommandError */
export function readKey(path: string): Key {
  try {
    const text = readSecret(path).trim()
    if (text.length < MIN_KEY_LENGTH) throw new Error(`it is shorter than ${MIN_KEY_LENGTH} characters`)
    return { text, id: createHmac('sha256', text).update('census key').digest('hex').slice(0, 8) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    throw new CommandError(`Cannot read the census key from ${path}: ${reason}.`)
  }
}

/** Reads it, or makes one where there is no file; of several processes that do so, all have the first one's. */
export function readOrMakeKey(path: string): Key {
  if (!existsSync(path)) makeKey(path)
  return readKey(path)
}

function makeKey(path: string): void {
  const draft = `${path}.${process.pid}`
  try {
    writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600 })
    // Whole, and only where there is none.
    linkSync(draft, path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
