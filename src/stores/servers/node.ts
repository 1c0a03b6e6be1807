// Nodes of a cluster that may all be written to: what one says of itself, and how far it is behind others.

import type { ServerState } from './examination.ts'
import { createHosts, type Hosts } from './hosts.ts'
import { Lag, type LagMeter } from './lag.ts'

/** Why a node is not fit to be asked. */
export interface Trouble {
  readonly reason: string
  /** Whether it gets nothing of what the others get, so that its data are old. */
  readonly isApart: boolean
}

export interface NodeStatus {
  /** The cluster that it belongs to; `null` where it does not know. */
  readonly cluster: string | null
  /** How many of the cluster's transactions it has; `null` while it is apart. */
  readonly position: number | null
  readonly trouble: Trouble | null
}

/** A node is not fit, as it says itself. */
export class Unfit extends Error {
  readonly state: Exclude<ServerState, 'fit'>

  constructor(reason: string, state: Unfit['state']) {
    super(reason)
    this.state = state
  }
}

type Membership = Pick<NodeStatus, 'cluster' | 'position'>

/** Of nodes, none is the primary: each is measured by those that are further. */
export interface NodeLag {
  /** @param node `null` where it is none, or cannot be asked */
  readonly nodeIsAt: (address: string, node: Membership | null) => void
  /** @throws Lag where it is behind the others */
  readonly judge: (address: string) => void
  /** Those that the operator names as nodes of one cluster. */
  readonly hosts: Hosts
  /** @throws Unfit where it is one of these, and not in the cluster that most of them are in */
  readonly judgeMembership: (address: string, node: Membership | null) => void
}

/**
 * A node that was away may take itself for synced until it notices that the others went on without it.
 * @param addresses of the hosts in DATABASE_URL
 */
export function createNodeLag(meter: LagMeter, addresses: readonly string[] = []): NodeLag {
  const hosts = createHosts(addresses)
  const positions = new Map<string, number>()
  const away = new Set<string>()
  /** What nodes that are back have to reach: what another one has then; `null` until one is asked. */
  const due = new Map<string, number | null>()

  const furthestBut = (own: string | null) =>
    Math.max(
      // Another cluster counts from elsewhere.
      ...[...positions].flatMap(([address, position]) =>
        address === own || hosts.isOutside(address) ? [] : [position],
      ),
    )

  function nodeIsAt(address: string, node: Membership | null): void {
    const position = node?.position ?? null
    // Of a node that is apart, the cluster goes on without it.
    hosts.isIn(address, position === null ? null : (node?.cluster ?? null))
    if (position === null) {
      positions.delete(address)
      due.delete(address)
      away.add(address)
    } else {
      positions.set(address, position)
      if (away.delete(address)) due.set(address, null)
      for (const [other, known] of due) if (other !== address && known === null) due.set(other, position)
    }
    if (positions.size > 0) meter.primaryIsAt(furthestBut(null))
  }

  function isBack(address: string, position: number): boolean {
    const known = due.get(address)
    const others = furthestBut(address)
    // Others that have gone meanwhile are not waited for.
    if (known === undefined || others === Number.NEGATIVE_INFINITY) return true
    return known !== null && position >= Math.min(known, others)
  }

  function judge(address: string): void {
    const position = positions.get(address)
    if (position === undefined) return
    if (!isBack(address, position)) throw new Lag(false, OTHERS)
    due.delete(address)
    if (meter.isBehind(position)) throw new Lag(meter.hasWatched(), OTHERS)
  }

  function judgeMembership(address: string, node: Membership | null): void {
    // One that is joining, or apart, does not say that it is in another.
    const isClear = node === null || (node.cluster !== null && node.position !== null)
    if (isClear && hosts.isOutside(address)) throw new Unfit(OUTSIDE, 'stale')
  }

  return { nodeIsAt, judge, hosts, judgeMembership }
}

const OTHERS = 'the other nodes'
const OUTSIDE = 'it is not in the cluster of the other hosts in DATABASE_URL'

/** @throws Unfit, or Lag, where a node that answers lookups is not fit all the same */
export function judgeNode(address: string, { trouble }: NodeStatus, lag: NodeLag | null): void {
  if (trouble !== null) throw new Unfit(trouble.reason, trouble.isApart ? 'stale' : 'faulty')
  lag?.judge(address)
}
