// As many connections as one process takes.

import { readFileSync } from 'node:fs'
import type { Server } from 'node:net'
import type { Observe } from '../../observation.ts'
import { createThrottledCounter } from '../../throttled-counter.ts'

/** Closes connections beyond a number as soon as they come. */
export function limitConnections(server: Server, most: number, observe: Observe): void {
  // A process without a descriptor left could not answer on the admin port, nor open the database anew.
  server.maxConnections = Math.min(most, Math.ceil(maxDescriptors() * 0.75))
  // In a worker, too: it would give them back to the first process, which offers them to the next worker,
  // without end.
  Object.assign(server, { dropMaxConnection: true }) // Node's types do not know it yet
  const refused = createThrottledCounter((count) => observe({ type: 'connections-refused', count }))
  server.on('drop', () => refused.count())
}

/** How many files the system lets this process have open; only Linux tells. */
function maxDescriptors(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1')
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
