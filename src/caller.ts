/** Who waits for an answer. */
export interface Caller {
  /** The id of the request, in the log and in `X-Request-Id`. */
  readonly requestId: string
  readonly socket: { readonly destroyed: boolean }
}

/** Whether nobody reads the answer any more. */
export function hasLeft(caller: Caller | null): boolean {
  return caller?.socket.destroyed === true
}
