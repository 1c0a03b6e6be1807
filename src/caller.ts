/**
 * Happens once. Its AbortSignal is made when it is first asked for: clients that make a connection for each
 * request would pay more for it than for their lookup.
 */
export class Departure {
  readonly #reason: Error
  #hasHappened = false
  #controller: AbortController | null = null

  /** @param reason that the signal is aborted with */
  constructor(reason: Error) {
    this.#reason = reason
  }

  get hasHappened(): boolean {
    return this.#hasHappened
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#hasHappened) this.#controller.abort(this.#reason)
    return this.#controller.signal
  }

  happen(): void {
    this.#hasHappened = true
    this.#controller?.abort(this.#reason)
  }
}

/** The client that waits for an answer. */
export interface Caller {
  /** The id of the request, in the log and in `X-Request-Id`. */
  readonly requestId: string
  /** Of the client: it has closed its connection. */
  readonly departure: Departure
  /**
   * Charges the client for values that are about to be looked up. Rejects with LookupError `TooManyRequests`
   * where it has used up what it may ask for. Left out where nothing is limited.
   */
  readonly charge?: (values: number) => Promise<void>
}

/** Clients that wait for one answer; `null` stands for one that cannot leave. */
export type Callers = readonly (Caller | null)[]

/**
 * Calls back once all of these clients have left; never where one of them cannot, or there is none.
 * @returns ends the watch
 */
export function onceAllHaveLeft(callers: Callers, callback: () => void): () => void {
  const here = new Set(callers.map((caller) => caller?.departure.signal))
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
  return caller?.departure.hasHappened === true
}
