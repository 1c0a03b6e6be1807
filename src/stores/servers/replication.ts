// What the servers know of each other, where there are several: where the primary is, and what that means for
// a replica.

import type { Observe } from '../../observe/events.ts'
import type { Engine, Place } from './engine.ts'
import { Lag, type LagMeter } from './lag.ts'
import type { NodeLag } from './node.ts'

/** Milliseconds for which the primary, which is not out, may fail to say where it is before that is logged. */
const UNKNOWN_MS = 3000

export interface Replication {
  readonly lag: LagMeter
  readonly nodes: NodeLag
  readonly isPrimaryOut: () => boolean
  /** Where the primary is, asked from now on; `null` where it cannot be asked. */
  readonly readPrimary: () => Promise<Place | null>
}

/** A replica has another history than the primary. */
export class Diverged extends Error {}

/** What asking the primary needs of it. */
interface Primary {
  readonly address: string
  readonly describeError: (error: unknown) => string
  readonly isOut: () => boolean
  /** @throws where it cannot be asked */
  readonly readPosition: () => Promise<Place | null>
}

/**
 * Asks the primary where it is, once for all replicas that want to know at a time. It is waited for as long
 * as a probe waits, or until it is out.
 */
export function createPrimaryReader(
  primary: Primary,
  observe: Observe,
  now: () => number = () => performance.now(),
): () => Promise<Place | null> {
  let since: number | null = null
  let isTold = false

  async function read(): Promise<Place | null> {
    if (primary.isOut()) return null
    try {
      const place = await primary.readPosition()
      since = null
      isTold = false
      return place
    } catch (error) {
      if (primary.isOut()) since = null
      else unknown(error)
      return null
    }
  }

  function unknown(error: unknown): void {
    since ??= now()
    if (isTold || now() - since < UNKNOWN_MS) return
    isTold = true
    observe({ type: 'history-unknown', server: primary.address, reason: primary.describeError(error) })
  }

  return shareNext(read)
}

/** Calls while one is under way share the one after it: each has an answer from after it was made. */
function shareNext<T>(work: () => Promise<T>): () => Promise<T> {
  let current: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | null = null
  return () => {
    next ??= current.then(() => {
      const begun = work()
      current = begun.catch(() => {})
      next = null
      return begun
    })
    return next
  }
}

/**
 * @param address of a replica
 * @returns judges where the replica is. @throws Diverged where it has another history than the primary, Lag
 * where it lags
 */
export function createReplicaJudge(
  compare: Engine['compare'],
  address: string,
  { lag, nodes, readPrimary }: Pick<Replication, 'lag' | 'nodes' | 'readPrimary'>,
  observe: Observe,
): (replica: Place) => Promise<void> {
  // While the primary cannot be asked, what was found out last is still true.
  let difference: string | null = null
  let unrelated: string | null = null

  function learn(replica: Place, primary: Place): void {
    // Nodes are no replicas of the first host, which may be the one that is outside of their cluster.
    const isNode = nodes.hosts.has(address) && Boolean(replica.node)
    const found = isNode ? { difference: null, unrelated: null } : compare(replica, primary)
    if (found === null) return
    difference = found.difference
    if (found.unrelated !== null && unrelated === null)
      observe({ type: 'lag-unknown', server: address, reason: found.unrelated })
    unrelated = found.unrelated
  }

  return async (replica) => {
    // Asked later than the replica.
    const primary = await readPrimary()
    if (primary !== null) learn(replica, primary)
    if (difference !== null) throw new Diverged(difference)
    const { acceptsWrites, position, secondsBehind, node = null } = replica
    if (acceptsWrites || unrelated !== null || node !== null) return
    if (position === null) {
      if (!lag.allows(secondsBehind ?? 0)) throw new Lag(true)
      return
    }
    if (lag.isBehind(position)) throw new Lag(lag.hasWatched())
  }
}
