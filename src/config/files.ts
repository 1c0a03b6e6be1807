// Reads files that settings name: secrets, which orchestrators mount and replace, and the dialect.

import { isUtf8 } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'

/** @throws Error with the reason */
export function readSecret(path: string): string {
  // Editors and echo end a file with a line break.
  const text = readSmallFile(path, 64 * 1024, '64 KiB')
    .toString()
    .replace(/\r?\n$/, '')
  if (text === '') throw new Error('it is empty')
  return text
}

/** @throws Error with the reason */
export function readDialectText(path: string): string {
  const bytes = readSmallFile(path, 4 * 2 ** 20, '4 MiB')
  // Letters of another charset would silently become U+FFFD.
  if (!isUtf8(bytes)) throw new Error('it is not UTF-8')
  return bytes.toString()
}

function readSmallFile(path: string, maxBytes: number, shownSize: string): Buffer {
  const found = statSync(path)
  // Reading a pipe could block for ever, and a device may have no end.
  if (!found.isFile()) throw new Error('it is no regular file')
  if (found.size > maxBytes) throw new Error(`it has more than ${shownSize}`)
  return readFileSync(path)
}
