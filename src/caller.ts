/** Who waits for an answer: a request of node:http is one. */
export interface Caller {
  readonly socket: { readonly destroyed: boolean }
}

/** Whether nobody reads the answer any more. */
export function hasLeft(caller: Caller | null): boolean {
  return caller?.socket.destroyed === true
}
