// Decides which signals stop a process, and which ones make it reload its settings and files.

import { closeSync, openSync } from 'node:fs'
import type { Terminal } from '../terminal/terminal.ts'

/** Milliseconds that a replaced worker keeps idle connections: no client waits for its end. */
const REPLACED_LINGER_MS = 5_000
/** Milliseconds in which two signals count as one: a terminal and npm may both send it. */
const REPEATED_SIGNAL_MS = 1_000
/** Milliseconds after the end of the terminal in which a SIGHUP comes from that end, not from an operator. */
const HANGUP_MS = 3_000

export interface StopRequest {
  readonly reason: string
  /** Milliseconds that idle connections are kept, if not the default. */
  readonly linger?: number
}

const ignore = () => {}

/** @param reload called for each SIGHUP, unless the terminal has just ended; never in a worker */
export function waitForStop(
  env: Terminal['env'],
  isWorker: boolean,
  reload: () => void,
): Promise<StopRequest> {
  return new Promise((resolve) => {
    const stop = (reason: string) => resolve({ reason })
    // Not `once`: without a listener, a second SIGTERM kills this process and its requests. A worker gets two
    // if a service manager signals all processes, since the first process stops its workers by SIGTERM.
    process.on('SIGTERM', stop)
    if (isWorker) {
      // A terminal signals every process. The first process decides what follows.
      process.on('SIGINT', ignore).on('SIGHUP', ignore)
      process.on('message', (message) => {
        if (message === 'retire') resolve({ reason: 'replaced', linger: REPLACED_LINGER_MS })
      })
      return
    }
    process.once('SIGINT', (signal) => {
      stop(signal)
      process.on('SIGINT', ignore)
      // A later SIGINT ends the process: the operator is impatient.
      setTimeout(() => process.off('SIGINT', ignore), REPEATED_SIGNAL_MS).unref()
    })
    const hasTerminalEnded = watchTerminal()
    process.on('SIGHUP', (signal) => (hasTerminalEnded() ? stop(signal) : reload()))
    if (env.npm_lifecycle_event === undefined) return
    // npm starts this process by a shell, which dies of a signal and does not pass it on.
    const parent = process.ppid
    setInterval(() => process.ppid === parent || stop('npm exited'), 500).unref()
  })
}

/** @returns whether the terminal has just ended: a gateway that was disowned there goes on, and may reload */
function watchTerminal(): () => boolean {
  let seen = Number.NEGATIVE_INFINITY
  const look = () => {
    const isThere = hasTerminal()
    if (isThere) seen = performance.now()
    return isThere
  }
  if (look()) setInterval(look, HANGUP_MS / 3).unref()
  return () => !look() && performance.now() - seen < HANGUP_MS
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
