// Runs a command as this process: its streams, its signals, its exit status.

import { getEventListeners } from 'node:events'
import { statusOf } from './interrupt.ts'
import type { Terminal } from './terminal.ts'

/** Milliseconds after the command for what else keeps the process: `--import`ed code, an unread stderr. */
const EXIT_TIMEOUT_MS = 1_000

export async function runAsProcess(
  main: (argv: readonly string[], terminal: Terminal) => Promise<number | NodeJS.Signals>,
): Promise<void> {
  // A log whose reader is gone is no reason to stop serving.
  process.stderr.on('error', () => {})
  const outcome = await main(process.argv.slice(2), processTerminal())
  setTimeout(() => process.exit(), EXIT_TIMEOUT_MS).unref()
  if (typeof outcome === 'string') {
    process.kill(process.pid, outcome)
    // The first process of a container survives the signal.
    process.exit(statusOf(outcome))
  }
  process.exitCode = outcome
  // A worker that cannot start would be held by the channel to its parent.
  if (outcome !== 0 && process.connected) process.exit()
}

function processTerminal(): Terminal {
  let interruption: AbortSignal | null = null
  return {
    // Reading standard input, and listening for signals, begin when a command asks for them.
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

/** A second signal ends the process at once, as does one that no work listens for. */
function listenForSignals(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => {
      if (getEventListeners(controller.signal, 'abort').length === 0) process.kill(process.pid, name)
      else controller.abort(name)
    })
  return controller.signal
}
