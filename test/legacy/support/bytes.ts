// Responses in dialects: what differs from the default, what is asked for, and the bytes. `by` and `how` say
// which library writes such bytes, for bytes.peers.test.ts; a row without `by` was recorded from the gateway.

import type { FormatName } from './ask.ts'
import { readLines } from './lines.ts'

/** How a library writes, in the terms of the script that drives it. */
export interface Writer {
  readonly by?: string
  readonly how?: Readonly<Record<string, unknown>>
}

/** Usernames, ids of users, or ids of apps. */
export interface Lookup {
  readonly users?: readonly string[]
  readonly ids?: readonly string[]
  readonly apps?: readonly string[]
}

export interface ByteRow extends Writer, Lookup {
  readonly dialect: Readonly<Record<string, unknown>>
  readonly format: FormatName
  readonly response: string
}

export const byteFile = new URL('../bytes.jsonl', import.meta.url).pathname
export const byteRows = readLines<ByteRow>(byteFile)

export function targetOf({ users, ids, apps = [] }: Lookup, format: FormatName): string {
  const list = (users ?? ids ?? apps).map(encodeURIComponent).join(':')
  const method = users === undefined ? '' : 'MethodOfAccessingUserInformation=username&'
  const query =
    users === undefined && ids === undefined
      ? `Event=AppLookup&Apps=${list}`
      : `Event=ProfileLookup&${method}Users=${list}`
  return `/?${query}&Format=${format}`
}
