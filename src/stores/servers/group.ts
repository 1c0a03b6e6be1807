// Decides whether a server has the data of the others: a replica is compared with the primary, a node of a
// Galera cluster with the other nodes. Lookups of a server that this accepts wrongly return stale rows.

import type { Observe } from '../../observe/events.ts'
import type { ClusterNode, Engine, ReplicaComparison, ReplicationState, RunStatement } from './driver.ts'
import { createLagMeter, type LagMeter } from './lag.ts'

/** A server responds, but its data is not fit to be read. */
export class UnfitServer extends Error {
  /** `stale`: its data is old, or differs from the data of the others; `no`: it refuses lookups. */
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
  readonly address: string
  /** Whether its URL is in DATABASE_REPLICA_URLS, and not in DATABASE_URL. */
  readonly isReplica: boolean
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
  /** By address: the nodes of Galera that receive changes. */
  const nodes = new Map<string, ClusterNode>()
  /** By address: the last comparison with the primary. It holds while the primary is down. */
  const comparisons = new Map<string, PrimaryComparison>()
  /**
   * By address: the position that a server has to reach after it was out, however short its lag is, because
   * the others have changed meanwhile. -1 once it has reached this position.
   */
  const targets = new Map<string, bigint>()
  /** The addresses of DATABASE_URL. */
  const hosts = new Set<string>()

  /** Returns the cluster of most hosts. If two clusters have as many hosts, the first host decides. */
  function commonCluster(): string | null {
    const clusters = [...hosts].flatMap((address) => nodes.get(address)?.cluster ?? [])
    const countOf = (cluster: string) => clusters.filter((other) => other === cluster).length
    const most = Math.max(...clusters.map(countOf))
    return clusters.find((cluster) => countOf(cluster) === most) ?? null
  }

  /** Remembers the position of a server. @param state null if the server does not respond */
  function record({ address, isReplica }: Member, state: ReplicationState | null): void {
    if (!isReplica) hosts.add(address)
    if (state?.node && state.node.position !== null) nodes.set(address, state.node)
    else nodes.delete(address)
    const common = commonCluster()
    let furthest = -1n
    for (const { cluster, position } of nodes.values())
      if (position !== null && cluster === common && position > furthest) furthest = position
    if (furthest >= 0n) meters.nodes.mark(furthest)
    if (address === primary().address && state?.writable && state.position !== null)
      meters.replicas.mark(state.position)
  }

  /** @throws UnfitServer */
  async function requireFit(member: Member, state: ReplicationState): Promise<void> {
    const { node, unready } = state
    const common = commonCluster()
    const isOutside = common !== null && (node?.cluster ?? null) !== common && unready === null
    // DATABASE_URL may also name a replica of the nodes: it is no node, and accepts no writes.
    if (isOutside && hosts.size > 1 && !member.isReplica && (node !== null || state.writable))
      throw new UnfitServer('it is not in the cluster of the other hosts in DATABASE_URL', 'stale')
    if (isOutside && node !== null && member.isReplica)
      throw new UnfitServer(reasons['other cluster'], 'stale')
    requireReady(state)
    if (node !== null) requireNoLag(member.address, node.position, meters.nodes, 'the other nodes')
    else if (member.address !== primary().address) await requireFitReplica(member.address, state)
  }

  async function requireFitReplica(address: string, state: ReplicationState): Promise<void> {
    // The target is set before the comparison, which reads a later position of the primary.
    if (!targets.has(address)) targets.set(address, meters.replicas.latest())
    const comparison = await compareWithPrimary(state)
    if (comparison?.isUnrelated && !comparisons.get(address)?.isUnrelated)
      observe({ type: 'lag-unknown', server: address, reason: reasons['is unrelated'] })
    if (comparison !== null) comparisons.set(address, comparison)
    const { difference, isUnrelated, own } = comparisons.get(address) ?? same
    if (difference !== null) throw new UnfitServer(difference, 'stale')
    if (state.writable || isUnrelated) return
    const position = state.position === null ? null : state.position - own
    requireNoLag(address, position, meters.replicas, 'the primary')
    if ((state.secondsBehind ?? 0) > maxLag) throw lagError('the primary')
  }

  /** Returns null if the primary is down, or does not report its state. */
  async function compareWithPrimary(replica: ReplicationState): Promise<PrimaryComparison | null> {
    if (!primary().isUp()) return null
    const state = await primary()
      .readReplicationState()
      .catch(() => null)
    if (state === null) return null
    record(primary(), state)
    // The server in DATABASE_URL may be a replica itself, or this very server by another address.
    if (!state.writable || state.server === replica.server) return same
    const comparison = await compare(replica, state, primary().run).catch(() => null)
    if (comparison === null) return null
    const { relationship, own } = comparison
    const isUnrelated = relationship === 'is unrelated'
    if (replica.writable && !isUnrelated) return { difference: reasons.writable, isUnrelated, own }
    return { difference: relationship === 'is ahead' ? reasons['is ahead'] : null, isUnrelated, own }
  }

  function requireNoLag(address: string, position: bigint | null, meter: LagMeter, others: string): void {
    if (position === null) return
    const target = targets.get(address) ?? meter.latest()
    targets.set(address, target)
    if (position < target) throw lagError(others, meter.hasWatched())
    // Once the server has reached its target, DATABASE_MAX_LAG applies.
    targets.set(address, -1n)
    if (meter.isBehind(position)) throw lagError(others, meter.hasWatched())
  }

  return {
    record,
    requireFit,
    /** Forgets the target of a server that is out. The first check after its return sets a new target. */
    resetTarget: ({ address }: Member) => void targets.delete(address),
  }
}

function lagError(others: string, isCertain = true): UnfitServer {
  return new UnfitServer(`it is too far behind ${others} (DATABASE_MAX_LAG)`, 'last resort', isCertain)
}

/** @throws UnfitServer if a node of Galera reports that it is not fit */
export function requireReady({ unready }: ReplicationState): void {
  if (unready !== null) throw new UnfitServer(unready.reason, unready.isStale ? 'stale' : 'last resort')
}
