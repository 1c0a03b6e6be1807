/** Someone who waits for an answer, until he is said to leave. */
export function makeCaller(): { readonly requestId: string; readonly socket: { destroyed: boolean } } {
  return { requestId: 'r-1', socket: { destroyed: false } }
}

/** Someone who has left. */
export const gone = { requestId: 'r-2', socket: { destroyed: true } } as const
