import { type Clock, pause } from '../clock.ts'

interface Options<T> {
  /** Milliseconds until the value is read again. */
  readonly lifetime: (value: T) => number
  /** Milliseconds that a caller waits. Reading goes on for the next caller. */
  readonly patience: number
  readonly clock: Clock
}

/**
 * Caches a value that takes long to read, such as a count of rows. One reading at a time.
 * @param read must not fail
 */
export function createCached<T>(
  read: () => Promise<T>,
  first: T,
  { lifetime, patience, clock }: Options<T>,
): () => Promise<T> {
  let value = first
  let until = 0
  let reading: Promise<void> | null = null

  async function update(): Promise<void> {
    value = await read()
    until = clock.now() + lifetime(value)
    reading = null
  }

  return async () => {
    if (clock.now() >= until) reading ??= update()
    await Promise.race([reading, pause(patience, clock)])
    return value
  }
}
