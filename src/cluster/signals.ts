// Signals that ask a process to stop, or to reload.

import { closeSync, openSync } from 'node:fs'
import type { Terminal } from '../terminal/terminal.ts'

/** Milliseconds that a replaced worker keeps connections without a request: no client waits for its end. */
const REPLACED_LINGER_MS = 5_000
/** Milliseconds in which a signal that comes twice is one: a terminal and npm may both send it. */
const REPEATED_SIGNAL_MS = 1_000
/** Milliseconds after the end of its terminal in which a SIGHUP comes from that end. */
const RECENT_HANGUP_MS = 3_000

export interface Stop {
  readonly reason: string
  /** Milliseconds that connections without a request are kept, if not the usual. */
  readonly linger?: number
}

const ignore = () => {}

/** @param reload called for every SIGHUP that is not that of a terminal's end; never in a worker */
export function untilAskedToStop(env: Terminal['env'], isWorker: boolean, reload: () => void): Promise<Stop> {
  return new Promise((resolve) => {
    const stop = (reason: string) => resolve({ reason })
    // Not once: a second one would kill this process amidst its requests, and service managers send it to
    // workers as well as to the first process, which sends it on.
    process.on('SIGTERM', stop)
    if (isWorker) {
      // A terminal sends its signals to every process. What they mean is up to the first process.
      process.on('SIGINT', ignore).on('SIGHUP', ignore)
      process.on('message', (message) => {
        if (message === 'retire') resolve({ reason: 'replaced', linger: REPLACED_LINGER_MS })
      })
      return
    }
    process.once('SIGINT', (signal) => {
      stop(signal)
      process.on('SIGINT', ignore)
      // A later one means that the operator does not want to wait.
      setTimeout(() => process.off('SIGINT', ignore), REPEATED_SIGNAL_MS).unref()
    })
    const hasTerminalEnded = watchTerminal()
    process.on('SIGHUP', (signal) => (hasTerminalEnded() ? stop(signal) : reload()))
    if (env.npm_lifecycle_event === undefined) return
    // npm runs a shell between itself and this process, which dies of a signal without passing it on.
    const parent = process.ppid
    setInterval(() => process.ppid === parent || stop('npm exited'), 500).unref()
  })
}

/** @returns whether the terminal has just ended. If it ended long ago, a SIGHUP is from an operator. */
function watchTerminal(): () => boolean {
  let seen = Number.NEGATIVE_INFINITY
  const check = () => {
    const isThere = hasTerminal()
    if (isThere) seen = performance.now()
    return isThere
  }
  if (check()) setInterval(check, RECENT_HANGUP_MS / 3).unref()
  return () => !check() && performance.now() - seen < RECENT_HANGUP_MS
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
