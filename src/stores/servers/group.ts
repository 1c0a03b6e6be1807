// Whether a server has the data of the others: replicas are compared with the primary, nodes of a cluster
// with each other.

import type { Observe } from '../../observe/events.ts'
import type { Ask, Engine, Node, Place } from './driver.ts'
import { createLagMeter, type LagMeter } from './lag.ts'

/** A server responds, and is not fit to be read all the same. */
export class Unfit extends Error {
  /** `stale`: its data is old, or not that of the others; `no`: it refuses lookups. */
  readonly use: 'last resort' | 'stale' | 'no'
  /** Otherwise it is not logged: a standby that is well may seem to lag after the start. */
  readonly isCertain: boolean

  constructor(reason: string, use: Unfit['use'], isCertain = true) {
    super(reason)
    this.use = use
    this.isCertain = isCertain
  }
}

/** What the group asks of its members. */
export interface Member {
  readonly address: string
  /** Whether DATABASE_URL names it; DATABASE_REPLICA_URLS names the others. */
  readonly isHost: boolean
  readonly isUp: () => boolean
  readonly ask: Ask
  /** Returns its place now, or null if it does not say. @throws if it cannot be asked */
  readonly readPlace: () => Promise<Place | null>
}

export type Group = ReturnType<typeof createGroup>

/** @param maxLag seconds @param primary the first member */
export function createGroup(
  { compare, words }: Pick<Engine, 'compare' | 'words'>,
  maxLag: number,
  primary: () => Member,
  observe: Observe,
) {
  const meters = { replicas: createLagMeter(maxLag * 1000), nodes: createLagMeter(maxLag * 1000) }
  /** The nodes that get changes. */
  const nodes = new Map<string, Node>()
  /** What comparisons found last: it holds while the primary cannot be asked. */
  const known = new Map<string, { readonly difference: string | null; readonly isUnrelated: boolean }>()
  /** The positions that servers have to reach which were away: others changed meanwhile. */
  const targets = new Map<string, bigint>()
  const hosts = new Set<string>()

  /** The cluster that most hosts are in; of as many, that of the first. */
  function commonCluster(): string | null {
    const clusters = [...hosts].flatMap((address) => nodes.get(address)?.cluster ?? [])
    const countOf = (cluster: string) => clusters.filter((other) => other === cluster).length
    const most = Math.max(...clusters.map(countOf))
    return clusters.find((cluster) => countOf(cluster) === most) ?? null
  }

  /** Remembers where a member is; null if it cannot be asked. */
  function note({ address, isHost }: Member, place: Place | null): void {
    if (isHost) hosts.add(address)
    if (place?.node && place.node.position !== null) nodes.set(address, place.node)
    else nodes.delete(address)
    const common = commonCluster()
    let furthest = -1n
    for (const { cluster, position } of nodes.values())
      if (position !== null && cluster === common && position > furthest) furthest = position
    if (furthest >= 0n) meters.nodes.mark(furthest)
    if (address === primary().address && place?.writable && place.position !== null)
      meters.replicas.mark(place.position)
  }

  /** @throws Unfit */
  async function judge(member: Member, place: Place): Promise<void> {
    const { node, unready } = place
    const common = commonCluster()
    const isOutside = common !== null && (node?.cluster ?? null) !== common && unready === null
    // A replica of the nodes may be named beside them: it accepts no writes.
    if (isOutside && hosts.size > 1 && member.isHost && (node !== null || place.writable))
      throw new Unfit('it is not in the cluster of the other hosts in DATABASE_URL', 'stale')
    if (isOutside && node !== null && !member.isHost) throw new Unfit(words['other cluster'], 'stale')
    refuseUnready(place)
    if (node !== null) judgeLag(member.address, node.position, meters.nodes, 'the other nodes')
    else if (member.address !== primary().address) await judgeReplica(member.address, place)
  }

  async function judgeReplica(address: string, place: Place): Promise<void> {
    if (!targets.has(address)) targets.set(address, meters.replicas.latest())
    const found = await compareWithPrimary(place)
    if (found?.isUnrelated && !known.get(address)?.isUnrelated)
      observe({ type: 'lag-unknown', server: address, reason: words['is unrelated'] })
    if (found !== null) known.set(address, found)
    const { difference = null, isUnrelated = false } = known.get(address) ?? {}
    if (difference !== null) throw new Unfit(difference, 'stale')
    if (place.writable || isUnrelated) return
    judgeLag(address, place.position, meters.replicas, 'the primary')
    if ((place.secondsBehind ?? 0) > maxLag) throw lag('the primary')
  }

  /** Returns null if the primary does not say, or may itself be a replica. */
  async function compareWithPrimary(place: Place) {
    if (!primary().isUp()) return null
    // Read after the replica's place: whatever follows the primary cannot be further than it.
    const now = await primary()
      .readPlace()
      .catch(() => null)
    if (now === null) return null
    note(primary(), now)
    if (!now.writable || now.server === place.server) return { difference: null, isUnrelated: false }
    const relationship = await compare(place, now, primary().ask).catch(() => null)
    if (relationship === null) return null
    const isUnrelated = relationship === 'is unrelated'
    if (place.writable && !isUnrelated) return { difference: words.writable, isUnrelated }
    return { difference: relationship === 'is ahead' ? words['is ahead'] : null, isUnrelated }
  }

  function judgeLag(address: string, position: bigint | null, meter: LagMeter, others: string): void {
    if (position === null) return
    const target = targets.get(address) ?? meter.latest()
    targets.set(address, target)
    if (position < target) throw lag(others, meter.hasWatched())
    // Reached: from now on it may be as far behind as is allowed.
    targets.set(address, -1n)
    if (meter.isBehind(position)) throw lag(others, meter.hasWatched())
  }

  return {
    note,
    judge,
    /** A member went out: what it has to reach is known when it is back. */
    forget: ({ address }: Member) => void targets.delete(address),
  }
}

function lag(others: string, isCertain = true): Unfit {
  return new Unfit(`it is too far behind ${others} (DATABASE_MAX_LAG)`, 'last resort', isCertain)
}

/** @throws Unfit if the server itself says that it is not fit */
export function refuseUnready({ unready }: Place): void {
  if (unready !== null) throw new Unfit(unready.reason, unready.isStale ? 'stale' : 'last resort')
}
