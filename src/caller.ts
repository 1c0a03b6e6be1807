// The client that waits for a response, as the layers below HTTP see it.

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
   * Waits in the queue of the overload control for a response of so many fields. Returns undefined if the
   * response may begin now. Rejects with LookupError `Overloaded`.
   */
  readonly enterQueue?: ((fields: number) => Promise<void> | undefined) | undefined
}

/** Whether the client has closed its connection. */
export function hasLeft(caller: Caller | null): boolean {
  return caller?.signal.aborted === true
}
