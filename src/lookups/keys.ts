// Reads a value of a request: the key that the store is called with, or null if the value cannot match.

import type { Caller } from '../caller.ts'
import { MAX_NAME_LENGTH, usernameKey } from '../model.ts'

export type ReadKey = (value: string, caller: Caller | null) => string | null

export const readExactName: ReadKey = (name) => (name.length > MAX_NAME_LENGTH ? null : name)

const ascii = /^[\0-\x7f]*$/

/**
 * Reads usernames. A request may have one name by a hundred aliases, and the key of a long run of combining
 * marks costs 0.12 ms: each name is normalized once for a client's request.
 */
export function createUsernameReader(): ReadKey {
  const known = new WeakMap<Caller, Map<string, string>>()

  function readOnce(username: string, caller: Caller): string {
    const keys = known.get(caller) ?? new Map<string, string>()
    const key = keys.get(username) ?? usernameKey(username)
    known.set(caller, keys.set(username, key))
    return key
  }

  return (username, caller) => {
    if (username.length > MAX_NAME_LENGTH) return null
    // NFKC leaves ASCII as it is.
    if (ascii.test(username)) return username.toLowerCase()
    return caller === null ? usernameKey(username) : readOnce(username, caller)
  }
}
