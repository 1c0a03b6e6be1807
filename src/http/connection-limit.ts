// As many connections as one process takes.

import { readdirSync, readFileSync } from 'node:fs'
import type { Server } from 'node:net'
import type { Observe } from '../observe/events.ts'

/** Files that the process has yet to open: of the database, its servers, the log. */
const RESERVED_FILES = 32

/** Closes connections beyond a number as soon as they come. */
export function limitConnections(server: Server, most: number, observe: Observe): void {
  const allowed = allowedConnections()
  server.maxConnections = Math.min(most, allowed)
  if (allowed < most) {
    const reason = `The system lets this process have ${allowed} connections (ulimit -n), fewer than MAX_CONNECTIONS (${most}). Raise the limit of open files.`
    observe({ type: 'setting-warning', reason })
  }
  server.on('drop', () => observe({ type: 'connections-refused', count: 1 }))
}

/**
 * How many connections leave files for the admin port and the database. Without a free file, the system resets
 * connections unseen. Only Linux tells how many files a process may open.
 */
function allowedConnections(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1')
    const files = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
    const free = files - readdirSync('/proc/self/fd').length - RESERVED_FILES
    return Math.max(1, Math.floor(Math.min(0.75 * files, free)))
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
