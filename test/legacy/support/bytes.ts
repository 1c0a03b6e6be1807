// Responses in dialects: what differs from the default, the values of the lookup, and the bytes. `by` is the
// library that wrote these bytes; a row without `by` was recorded from the gateway.

import type { FormatName } from './ask.ts'
import { readLines } from './lines.ts'

interface ByteRow {
  readonly dialect: Readonly<Record<string, unknown>>
  readonly by?: string
  /** Usernames, ids of users, or ids of apps. */
  readonly users?: readonly string[]
  readonly ids?: readonly string[]
  readonly apps?: readonly string[]
  readonly format: FormatName
  readonly response: string
}

export const byteRows = readLines<ByteRow>(new URL('../bytes.jsonl', import.meta.url).pathname)

export function targetOf({ users, ids, apps = [], format }: ByteRow): string {
  const list = (users ?? ids ?? apps).map(encodeURIComponent).join(':')
  if (users === undefined && ids === undefined) return `/?Event=AppLookup&Apps=${list}&Format=${format}`
  const method = users === undefined ? '' : 'MethodOfAccessingUserInformation=username&'
  return `/?Event=ProfileLookup&${method}Users=${list}&Format=${format}`
}
