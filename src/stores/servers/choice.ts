import type { Server } from './server.ts'

/** What of a server decides whether it is asked. */
export type Candidate = Pick<Server, 'state' | 'isSuspect' | 'busy' | 'connections' | 'isReplica'>

/**
 * The server to ask next: the least reluctant that is not out, and of two alike the first.
 * @param except not this one
 * @returns `null` where there is none
 */
export function choose<S extends Candidate>(servers: readonly S[], except: S | null): S | null {
  let best: S | null = null
  let least = Number.POSITIVE_INFINITY
  for (const server of servers) {
    if (server === except || server.state() === 'out') continue
    const reluctance = reluctanceOf(server)
    if (reluctance >= least) continue
    best = server
    least = reluctance
  }
  return best
}

/**
 * Last come the faulty, then suspects, those that are fully busy, and the primary; of the rest the least busy
 * is first. A stale one comes after a faulty one, and before one that fails, too.
 */
function reluctanceOf(server: Candidate): number {
  const busy = server.busy()
  return (
    byState[server.state()] +
    (server.isSuspect() ? 100_000 : 0) +
    (busy >= server.connections ? 10_000 : 0) +
    (server.isReplica ? 0 : 1000) +
    busy
  )
}

const byState = { fit: 0, faulty: 1_000_000, stale: 1_050_000, out: Number.POSITIVE_INFINITY } as const
