// Secrets that stand in files, as orchestrators provide them, and change there.

import { readFileSync } from 'node:fs'

/** @throws Error with the reason */
export function readSecret(path: string): string {
  // Editors, and echo, end a file with a line break.
  const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  if (text === '') throw new Error('it is empty')
  return text
}

export function hasPassword(url: string): boolean {
  const { password, searchParams } = new URL(url)
  return password !== '' || searchParams.has('password')
}

/** A PostgreSQL URL with this password, whatever it had. */
export function withPassword(url: string, password: string): string {
  const changed = new URL(url)
  // A URL of a socket has no place for a login before its host.
  if (changed.hostname === '') changed.searchParams.set('password', password)
  else changed.password = encodeURIComponent(password)
  return changed.href
}
