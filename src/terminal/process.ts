// Runs a command as this process: passes it the streams and signals, and exits with its status.

import { getEventListeners } from 'node:events'
import { statusOf } from './interrupt.ts'
import type { Terminal } from './terminal.ts'

/** Milliseconds after the command until `--import`ed code or an unread stderr no longer keeps the process. */
const EXIT_TIMEOUT_MS = 1_000

export async function runAsProcess(
  main: (argv: readonly string[], terminal: Terminal) => Promise<number | NodeJS.Signals>,
): Promise<void> {
  // The service goes on if the reader of the log is gone.
  process.stderr.on('error', () => {})
  const outcome = await main(process.argv.slice(2), processTerminal())
  setTimeout(() => process.exit(), EXIT_TIMEOUT_MS).unref()
  if (typeof outcome === 'string') {
    process.kill(process.pid, outcome)
    // The first process of a container survives the signal.
    process.exit(statusOf(outcome))
  }
  process.exitCode = outcome
  // The channel to its parent would keep a worker that cannot start.
  if (outcome !== 0 && process.connected) process.exit()
}

function processTerminal(): Terminal {
  let interruption: AbortSignal | null = null
  return {
    // Getters: a command that does not use these neither reads standard input nor listens for signals.
    get stdin() {
      return process.stdin
    },
    get signal() {
      interruption ??= listenForSignals()
      return interruption
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
  }
}

/** A second signal ends the process at once, and so does the first if no work listens for it. */
function listenForSignals(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => {
      if (getEventListeners(controller.signal, 'abort').length === 0) process.kill(process.pid, name)
      else controller.abort(name)
    })
  return controller.signal
}
