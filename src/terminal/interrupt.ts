// What Ctrl-C, service managers, `timeout` and a terminal that is closed do to a command.

import { constants } from 'node:os'

export interface Interrupt {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal
  /** Which one has come. */
  readonly name: () => NodeJS.Signals
  /** From now on, a signal ends the process at once. */
  readonly release: () => void
}

/** The exit status that a shell shows where a signal has ended a command. */
export function statusOf(name: NodeJS.Signals): number {
  return 128 + constants.signals[name]
}

/** Listens for a signal. A second one ends the process at once, as ever. */
export function onInterrupt(): Interrupt {
  const controller = new AbortController()
  let come: NodeJS.Signals = 'SIGINT'
  const stop = (name: NodeJS.Signals) => {
    come = name
    controller.abort()
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const name of signals) process.once(name, stop)
  return {
    signal: controller.signal,
    name: () => come,
    release: () => {
      for (const name of signals) process.off(name, stop)
    },
  }
}

/**
 * The result of a work, or the reason of a signal that comes first. What becomes of the work then is up to
 * the caller.
 */
export async function unlessAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return work
  signal.throwIfAborted()
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
  })
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop))
}
