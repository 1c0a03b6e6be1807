// What asks a process to stop, or to begin anew with its settings.

import { closeSync, openSync } from 'node:fs'
import type { Terminal } from '../terminal/terminal.ts'

/** A process that serves alone, the first one of several, or one of its workers. */
export type Role = 'alone' | 'first' | 'worker'

/** Why a worker stops that has a successor. */
export const REPLACED = 'replaced'

/** Milliseconds in which a signal that comes twice is one: a terminal and npm may both send it. */
const REPEATED_SIGNAL_MS = 1_000
/** Milliseconds since the terminal was last there, after which a SIGHUP does not come from its end. */
const RECENT_HANGUP_MS = 3_000

const ignore = () => {}

/**
 * @param renew called for every SIGHUP that is not that of a terminal's end; never in a worker
 * @returns the reason, once this process is asked to stop
 */
export function untilAskedToStop({ env }: Terminal, role: Role, renew: () => void): Promise<string> {
  return new Promise((resolve) => {
    // Not once: a second one would kill this process amidst its requests, and service managers send it to
    // workers as well as to the first process, which sends it on.
    process.on('SIGTERM', resolve)
    if (role === 'worker') {
      // A terminal sends its signals to every process. What they mean is up to the first process.
      process.on('SIGINT', ignore).on('SIGHUP', ignore)
      process.on('message', (message) => message === 'retire' && resolve(REPLACED))
      return
    }
    process.once('SIGINT', (signal) => {
      resolve(signal)
      process.on('SIGINT', ignore)
      // A later one means that the operator does not want to wait.
      setTimeout(() => process.off('SIGINT', ignore), REPEATED_SIGNAL_MS).unref()
    })
    const hasJustEnded = watchTerminal()
    process.on('SIGHUP', (signal) => (hasJustEnded() ? resolve(signal) : renew()))
    if (env.npm_lifecycle_event === undefined) return
    // npm runs a shell between itself and this process, which dies of a signal without passing it on.
    const parent = process.ppid
    setInterval(() => process.ppid === parent || resolve('npm exited'), 500).unref()
  })
}

/**
 * @returns whether the terminal that this process was started from has just ended, as when its window is
 * closed. Where it ended long ago and the process was left running, a SIGHUP is a wish for a restart again.
 */
function watchTerminal(): () => boolean {
  if (!hasTerminal()) return () => false
  let seen = performance.now()
  const look = () => {
    if (hasTerminal()) seen = performance.now()
  }
  setInterval(look, RECENT_HANGUP_MS / 3).unref()
  return () => !hasTerminal() && performance.now() - seen < RECENT_HANGUP_MS
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
