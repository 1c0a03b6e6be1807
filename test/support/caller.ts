import type { Caller } from '../../src/caller.ts'

/** A client that waits for an answer, until it is told to leave. */
export function makeCaller(): Caller & { readonly leave: () => void } {
  const connection = new AbortController()
  return { requestId: 'r-1', signal: connection.signal, leave: () => connection.abort() }
}

/** A client that has left. */
export const gone: Caller = { requestId: 'r-2', signal: AbortSignal.abort() }
