// One work at a time at the server, while the client prepares the next.

interface Relay {
  /** Waits until the one before is done, and begins the next. @throws what became of the one before */
  readonly begin: (work: () => Promise<void>) => Promise<void>
  /** All are done. @throws what became of the last one */
  readonly finish: () => Promise<void>
}

export function createRelay(): Relay {
  let last: Promise<void> = Promise.resolve()
  return {
    begin: async (work) => {
      await last
      last = work()
      last.catch(() => {}) // the next one says so
    },
    finish: () => last,
  }
}
