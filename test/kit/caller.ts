import type { Caller } from '../../src/caller.ts'
import { LookupError } from '../../src/errors.ts'

const callerLeft = new LookupError('CallerLeft')

/** A client that waits for a response, until it leaves. */
export function makeCaller(): Caller & { readonly leave: () => void } {
  const leaving = new AbortController()
  return { requestId: 'r-1', signal: leaving.signal, leave: () => leaving.abort(callerLeft) }
}

/** A client that has left. */
export const gone: Caller = { requestId: 'r-2', signal: AbortSignal.abort(callerLeft) }
