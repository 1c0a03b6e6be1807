// What a node of Galera says of itself.

import type { Value } from '../servers/engine.ts'
import type { NodeStatus, Trouble } from '../servers/node.ts'

const names = ['ready', 'cluster_status', 'cluster_state_uuid', 'local_state', 'last_committed'] as const

/**
 * A further column of any question: `NULL` on a server of MariaDB that is no node, and none at all on MySQL,
 * which takes it for a comment. Every user may read it, of a node that answers no lookup, too. Where there is
 * no provider, the condition is false before anything is read.
 */
export const nodeColumn = `/*M!100100 , concat('wsrep_reject_queries=', @@global.wsrep_reject_queries, ',',
  (SELECT group_concat(variable_name, '=', variable_value) FROM information_schema.global_status
   WHERE @@global.wsrep_on AND @@global.wsrep_provider <> 'none'
     AND variable_name IN (${names.map((name) => `'wsrep_${name}'`).join()}))) */`

/** `wsrep_local_state` of a node that has, and gets, all there is; of one that gives its data to another. */
const SYNCED = '4'
const DONOR = '2'
/** The identifier of a node that is not in a cluster yet. */
const NO_CLUSTER = /^[0-]*$/

/** @param text the value of that column. @returns `null` where it is no node */
export function readNode(text: Value | undefined): NodeStatus | null {
  if (typeof text !== 'string') return null
  const pairs = text.split(',').map((pair) => pair.split('='))
  const said = new Map(pairs.map(([name = '', value = '']) => [name.toLowerCase(), value]))
  const trouble = troubleOf(said)
  const cluster = said.get('wsrep_cluster_state_uuid') ?? ''
  return {
    cluster: NO_CLUSTER.test(cluster) ? null : cluster,
    position: trouble?.isApart ? null : Number(said.get('wsrep_last_committed')),
    trouble,
  }
}

/** Why one node has other data than another; `null` where it has not, or does not know its cluster yet. */
export function differenceOfNodes({ cluster }: NodeStatus, { cluster: other }: NodeStatus): string | null {
  if (cluster === null || other === null || cluster === other) return null
  return (
    'it is a node of another cluster than the first server in DATABASE_URL (wsrep_cluster_state_uuid).' +
    ' Name nodes of one cluster'
  )
}

function troubleOf(said: ReadonlyMap<string, string>): Trouble | null {
  const is = (name: string, good: string) => said.get(name) === good
  const because = (what: string, name: string, isApart: boolean) => ({
    reason: `${what} (${name} is ${said.get(name)})`,
    isApart,
  })
  // Such as one whose data turned out to differ from the others': a new quorum does not bring it back.
  if (is('wsrep_cluster_status', 'Disconnected'))
    return because('it has left its cluster', 'wsrep_cluster_status', true)
  if (!is('wsrep_cluster_status', 'Primary')) return because('it has no quorum', 'wsrep_cluster_status', true)
  if (!is('wsrep_ready', 'ON')) return because('it is not synced', 'wsrep_local_state', true)
  if (!is('wsrep_reject_queries', 'NONE'))
    return because('it refuses all queries', 'wsrep_reject_queries', false)
  if (is('wsrep_local_state', DONOR)) return because('it is a donor, or desynced', 'wsrep_local_state', false)
  return is('wsrep_local_state', SYNCED) ? null : because('it is catching up', 'wsrep_local_state', false)
}
