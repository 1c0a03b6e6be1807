// Whether a measurement had the machine for itself; where it had not, it is repeated.

import type { Cell } from './measure.ts'
import { busyTime, cpuOf, messageOf, type Server } from './processes.ts'
import type { Stores } from './stores.ts'
import { storeOf } from './workloads.ts'

/** How much of a core may go to others. */
const MAX_DISTURBANCE = 0.1
/** Repeats of a measurement, at most. */
const MAX_REPEATS = 2

export interface Disturbed {
  /**
   * How much of the server's core went to others in the meantime, from 0 to 1; with a database server, of
   * both cores.
   */
  readonly disturbance: number
}

/**
 * Watches from now on.
 * @returns what has gone to others since. Call it when the load generator has ended: its time is known then
 */
export function watchOthers(server: Server, stores: Stores, cell: Pick<Cell, 'workload'>): () => number {
  const read = () => {
    // The second core has the load generator, and a database server where there is one.
    if (storeOf(cell.workload) === 'sqlite') return busyTime(0) - server.cpu()
    return busyTime(0) + busyTime(1) - server.cpu() - stores.cpuOf(cell) - cpuOf(process.pid)
  }
  const before = read()
  const started = performance.now()
  return () => Math.max(0, (1000 * (read() - before)) / (performance.now() - started))
}

/** Measures again, at most twice, where others took more than a tenth of the core. */
export async function undisturbed<Measured extends Disturbed>(
  name: string,
  measure: () => Promise<Measured>,
  { progress, note }: Record<'progress' | 'note', (text: string) => void>,
): Promise<Measured> {
  let best = await measure()
  for (let repeat = 1; repeat <= MAX_REPEATS && best.disturbance > MAX_DISTURBANCE; repeat++) {
    progress(`again: ${Math.round(best.disturbance * 100)} % of the core went to others (${name})`)
    const next = await measure().catch((error: unknown) => {
      note(`${name} failed when it was repeated: ${messageOf(error)}`)
      return best
    })
    if (next.disturbance < best.disturbance) best = next
  }
  if (best.disturbance > MAX_DISTURBANCE) note(`${name} was disturbed: read it with care.`)
  return best
}
