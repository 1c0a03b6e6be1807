// Secrets that stand in files, as orchestrators provide them, and change there.

import { readFileSync, statSync } from 'node:fs'

/** Bytes of a secret. */
const MAX_BYTES = 65_536

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
