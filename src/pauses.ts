/** Resolves after so many milliseconds. It keeps no process from ending. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref())
}

/** Returns after so many milliseconds. Nothing else runs meanwhile: no event loop turns. */
export function sleep(milliseconds: number): void {
  if (milliseconds > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
