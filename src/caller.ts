/** The client that waits for a response. */
export interface Caller {
  /** The id of the request, in the log and in `X-Request-Id`. */
  readonly requestId: string
  /** Aborted with LookupError `CallerLeft` when the client closes its connection. */
  readonly signal: AbortSignal
  /**
   * Charges the client for values before they are looked up; undefined without RATE_LIMIT. Rejects with
   * LookupError `TooManyRequests` if the client has used up its values.
   */
  readonly charge?: ((values: number) => Promise<void>) | undefined
  /**
   * Waits until there is time for a response of so many fields. Returns undefined if that is now. Rejects
   * with LookupError `Overloaded`.
   */
  readonly waitForTurn?: ((fields: number) => Promise<void> | undefined) | undefined
}

/** Clients that wait for the same result. `null` stands for a client that cannot leave. */
export type Callers = readonly (Caller | null)[]

/**
 * Calls back once all clients have left; never if one client cannot leave, or if there is none.
 * @returns a function that ends the watch
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
