/** The client that waits for an answer. */
export interface Caller {
  /** The id of the request, in the log and in `X-Request-Id`. */
  readonly requestId: string
  readonly socket: { readonly destroyed: boolean }
  /**
   * Charges the client for values that are about to be looked up. Rejects with LookupError `TooManyRequests`
   * where it has used up what it may ask for. Left out where nothing is limited.
   */
  readonly charge?: (values: number) => Promise<void>
}

/** Whether the client has closed its connection. */
export function hasLeft(caller: Caller | null): boolean {
  return caller?.socket.destroyed === true
}
