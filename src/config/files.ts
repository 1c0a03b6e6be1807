// Files that settings name: secrets, as orchestrators provide them and change them there, and the dialect.

import { isUtf8 } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'

/** Bytes of a secret. */
const MAX_BYTES = 65_536
/** Size of a dialect. */
const MAX_MIB = 4

/**
 * @returns the text of a file without the line break at its end
 * @throws Error with the reason
 */
export function readSecret(path: string): string {
  const found = statSync(path)
  // A pipe may wait for its writer for ever, and a device may have no end.
  if (!found.isFile()) throw new Error('it is no regular file')
  if (found.size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES / 1024} KiB`)
  // Editors, and echo, end a file with a line break.
  const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  if (text === '') throw new Error('it is empty')
  return text
}

/** @throws Error with the reason */
export function readDialectText(path: string): string {
  const found = statSync(path)
  // A pipe may wait for its writer for ever, and a device may have no end.
  if (!found.isFile()) throw new Error('it is no regular file')
  if (found.size > MAX_MIB * 2 ** 20) throw new Error(`it has more than ${MAX_MIB} MiB`)
  const bytes = readFileSync(path)
  // Letters of another charset would silently become U+FFFD.
  if (!isUtf8(bytes)) throw new Error('it is not UTF-8')
  return bytes.toString('utf8')
}
