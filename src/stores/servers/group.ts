// Decides whether a server has the data of the others: a replica is compared with the primary, a node of a
// Galera cluster with the other nodes. Lookups of a server that this accepts wrongly return stale rows.

import type { Observe } from '../../observe/events.ts'
import type { ClusterNode, Engine, ReplicaComparison, ReplicationState, RunStatement } from './driver.ts'
import { createLagMeter, type LagMeter } from './lag.ts'

/** A server responds, but its data is not fit to be read. */
export class UnfitServer extends Error {
  /** `stale`: its data differs from the data of the others; `no`: it refuses lookups. */
  readonly use: 'last resort' | 'stale' | 'no'
  /** A lag right after the start is not certain, and is not logged. */
  readonly isCertain: boolean

  constructor(reason: string, use: UnfitServer['use'], isCertain = true) {
    super(reason)
    this.use = use
    this.isCertain = isCertain
  }
}

/** A server of the group. */
export interface Member {
  /** Whether its URL is in DATABASE_REPLICA_URLS, and not in DATABASE_URL. */
  readonly isReplica: boolean
  readonly address: string
  readonly isUp: () => boolean
  readonly run: RunStatement
  /** @throws if the server does not respond */
  readonly readReplicationState: () => Promise<ReplicationState>
}

interface PrimaryComparison extends Pick<ReplicaComparison, 'own'> {
  /** Why the data of the replica cannot be that of the primary, or null. */
  readonly difference: string | null
  readonly isUnrelated: boolean
}

const same: PrimaryComparison = { difference: null, isUnrelated: false, own: 0n }

export type ServerGroup = ReturnType<typeof createGroup>

/** @param maxLag seconds @param primary the first server of DATABASE_URL, which all replicas follow */
export function createGroup(
  { compare, reasons }: Pick<Engine, 'compare' | 'reasons'>,
  maxLag: number,
  primary: () => Member,
  observe: Observe,
) {
  const meters = { replicas: createLagMeter(maxLag * 1000), nodes: createLagMeter(maxLag * 1000) }
  /** The nodes of Galera that receive changes. */
  const nodes = new Map<Member, ClusterNode>()
  /** The last comparison of each replica with the primary. It holds while the primary is down. */
  const comparisons = new Map<Member, PrimaryComparison>()
  /**
   * The position that a server has to reach after it was out, however short its lag is, because the others
   * have changed meanwhile. -1 once it has reached this position.
   */
  const targets = new Map<Member, bigint>()

  /** Returns the cluster of most hosts. Of two with as many, it has the host that has been up for longest. */
  function commonCluster(): string | null {
    const clusters = [...nodes].flatMap(([{ isReplica }, { cluster }]) => (isReplica ? [] : [cluster]))
    const countOf = (cluster: string | null) => clusters.filter((other) => other === cluster).length
    const most = Math.max(...clusters.map(countOf))
    return clusters.find((cluster) => countOf(cluster) === most) ?? null
  }

  /** Remembers the position of a server. @param state null if the server does not respond */
  function record(member: Member, state: ReplicationState | null): void {
    if (state?.node && state.node.position !== null) nodes.set(member, state.node)
    else nodes.delete(member)
    const common = commonCluster()
    let furthest = -1n
    for (const { cluster, position } of nodes.values())
      if (cluster === common && position !== null && position > furthest) furthest = position
    if (furthest >= 0n) meters.nodes.mark(furthest)
    if (member === primary() && state?.writable && state.position !== null)
      meters.replicas.mark(state.position)
  }

  /** @throws UnfitServer */
  async function requireFit(member: Member, state: ReplicationState): Promise<void> {
    const { node, writable } = state
    const common = commonCluster()
    // DATABASE_URL may also name a replica of the nodes: it is no node, and accepts no writes.
    const claimsMembership = node !== null || (writable && !member.isReplica)
    if (common !== null && claimsMembership && node?.cluster !== common)
      throw new UnfitServer('it is not in the cluster of most hosts in DATABASE_URL', 'stale')
    if (node !== null) requireNoLag(member, node.position, meters.nodes, 'the other nodes')
    else if (member !== primary()) await requireFitReplica(member, state)
  }

  async function requireFitReplica(member: Member, replica: ReplicationState): Promise<void> {
    // The target is set before the comparison, which reads a later position of the primary.
    if (!targets.has(member)) targets.set(member, meters.replicas.latest())
    if (primary().isUp()) {
      try {
        comparisons.set(member, await compareWithPrimary(member, replica))
      } catch {} // The last comparison holds.
    }
    const { difference, isUnrelated, own } = comparisons.get(member) ?? same
    if (difference !== null) throw new UnfitServer(difference, 'stale')
    if (replica.writable || isUnrelated) return
    if ((replica.secondsBehind ?? 0) > maxLag) throw lagError('the primary')
    const position = replica.position === null ? null : replica.position - own
    requireNoLag(member, position, meters.replicas, 'the primary')
  }

  async function compareWithPrimary(member: Member, replica: ReplicationState): Promise<PrimaryComparison> {
    const state = await primary().readReplicationState()
    record(primary(), state)
    // The server in DATABASE_URL may be a replica itself, or this very server by another address.
    if (!state.writable || state.server === replica.server) return same
    const { relationship, own } = await compare(replica, state, primary().run)
    if (relationship === 'is unrelated') {
      if (!comparisons.get(member)?.isUnrelated)
        observe({ type: 'lag-unknown', server: member.address, reason: reasons[relationship] })
      return { difference: null, isUnrelated: true, own }
    }
    const isAhead = relationship === 'is ahead' ? reasons[relationship] : null
    return { difference: replica.writable ? reasons.writable : isAhead, isUnrelated: false, own }
  }

  function requireNoLag(member: Member, position: bigint | null, meter: LagMeter, others: string): void {
    if (position === null) return
    const target = targets.get(member) ?? meter.latest()
    const isReached = position >= target
    targets.set(member, isReached ? -1n : target)
    if (!isReached || meter.isBehind(position)) throw lagError(others, meter.hasWatched())
  }

  return {
    record,
    requireFit,
    /** Forgets the target of a server that is out. The first check after its return sets a new target. */
    resetTarget: (member: Member) => void targets.delete(member),
  }
}

function lagError(others: string, isCertain = true): UnfitServer {
  return new UnfitServer(`it is too far behind ${others} (DATABASE_MAX_LAG)`, 'last resort', isCertain)
}
