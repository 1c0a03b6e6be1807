import type { IncomingMessage } from 'node:http'

/** The client that waits for an answer. */
export interface Caller {
  /** The id of the request, in the log and in `X-Request-Id`. */
  readonly requestId: string
  /** Aborts when the client has closed its connection. */
  readonly signal: AbortSignal
  /**
   * Charges the client for values that are about to be looked up. Rejects with LookupError `TooManyRequests`
   * where it has used up what it may ask for. Left out where nothing is limited.
   */
  readonly charge?: (values: number) => Promise<void>
  /** What it has sent, for those that count clients. Left out where no client has sent anything. */
  readonly request?: IncomingMessage
}

/** Clients that wait for one answer; `null` stands for one that cannot leave. */
export type Callers = readonly (Caller | null)[]

/**
 * Calls back once all of these clients have left; never where one of them cannot, or there is none.
 * @returns ends the watch
 */
export function onceAllHaveLeft(callers: Callers, callback: () => void): () => void {
  const here = new Set(callers.map((caller) => caller?.signal))
  const watch = new AbortController()
  const end = () => watch.abort()
  if (here.size === 0 || here.has(undefined)) return end
  const leave = (signal: AbortSignal | undefined) => {
    here.delete(signal)
    if (here.size === 0) callback()
  }
  for (const signal of [...here]) {
    if (signal?.aborted) leave(signal)
    else signal?.addEventListener('abort', () => leave(signal), { once: true, signal: watch.signal })
  }
  return end
}

/** Whether the client has closed its connection. */
export function hasLeft(caller: Caller | null): boolean {
  return caller?.signal.aborted === true
}
