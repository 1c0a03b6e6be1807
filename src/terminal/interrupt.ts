// Interrupts a command by a signal: of Ctrl-C, a service manager, `timeout`, or a terminal that is closed.

import { constants } from 'node:os'
import type { Terminal } from './terminal.ts'

interface Interrupt {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal
  /** The signal that has come. */
  readonly name: () => NodeJS.Signals
  /** From now on, a signal ends the process at once. */
  readonly release: () => void
}

/** The exit status that a shell shows for a command that a signal has ended. */
export function statusOf(name: NodeJS.Signals): number {
  return 128 + constants.signals[name]
}

/** Listens for an interruption of a command. */
export function onInterrupt({ signal: interruption }: Terminal): Interrupt {
  const controller = new AbortController()
  const stop = () => controller.abort()
  if (interruption.aborted) stop()
  else interruption.addEventListener('abort', stop)
  return {
    signal: controller.signal,
    name: () => interruption.reason,
    release: () => interruption.removeEventListener('abort', stop),
  }
}

/** Resolves with the result of a work, or rejects with the reason of a signal that comes first. */
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
