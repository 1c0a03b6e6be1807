import type { Caller } from '../../caller.ts'
import { MAX_NAME_LENGTH, usernameKey } from '../../model.ts'

/**
 * The form in which a store is asked for a value of a request; `null` where the value cannot match anything.
 */
export type Canonical = (value: string, caller: Caller | null) => string | null

/** Texts that are compared exactly. */
export const exactName: Canonical = (name) => (name.length > MAX_NAME_LENGTH ? null : name)

const ascii = /^[\0-\x7f]*$/

/**
 * Makes the keys of usernames, each once for a request: a query may ask for one name by a hundred aliases,
 * and the key of a long run of combining marks costs 0.12 ms.
 */
export function createUsernameKeys(): Canonical {
  const known = new WeakMap<Caller, Map<string, string>>()

  function keyOf(username: string, caller: Caller): string {
    let keys = known.get(caller)
    if (keys === undefined) {
      keys = new Map()
      known.set(caller, keys)
    }
    let key = keys.get(username)
    if (key === undefined) {
      key = usernameKey(username)
      keys.set(username, key)
    }
    return key
  }

  return (username, caller) => {
    if (username.length > MAX_NAME_LENGTH) return null
    // NFKC leaves ASCII as it is.
    if (ascii.test(username)) return username.toLowerCase()
    return caller === null ? usernameKey(username) : keyOf(username, caller)
  }
}
