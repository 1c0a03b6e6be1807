// Reads the state of a Galera node: its cluster, its position, and why its data is not fit to be read.

import type { ClusterNode, StoreValue, Unreadiness } from '../servers/driver.ts'

const names = ['ready', 'cluster_status', 'cluster_state_uuid', 'local_state', 'last_committed'] as const

/**
 * A column to append to a SELECT: `name=value,...` of a node, `NULL` of another MariaDB server. For MySQL it
 * is a comment. Every user may read it, even while the node refuses lookups. Without a provider, MariaDB
 * skips the subquery.
 */
export const nodeColumn = `/*M!100100 , concat('wsrep_reject_queries=', @@global.wsrep_reject_queries, ',',
  (SELECT group_concat(variable_name, '=', variable_value) FROM information_schema.global_status
   WHERE @@global.wsrep_on AND @@global.wsrep_provider <> 'none'
     AND variable_name IN (${names.map((name) => `'wsrep_${name}'`).join()}))) */`

/** `wsrep_cluster_state_uuid` of a node that has not joined a cluster: zeros. */
const NO_CLUSTER = /^[0-]*$/
/** `wsrep_local_state` of a node that has, and receives, all changes. */
const SYNCED = '4'
/** `wsrep_local_state` of a node that copies its data to another node, or was desynced by an operator. */
const DONOR = '2'

/** @param text the value of `nodeColumn` */
export function readNode(text: StoreValue | undefined): {
  node: ClusterNode | null
  unready: Unreadiness | null
} {
  if (typeof text !== 'string') return { node: null, unready: null }
  const pairs = text.split(',').map((pair) => pair.split('='))
  const status = new Map(pairs.map(([name = '', value = '']) => [name.toLowerCase(), value]))
  const unready = unreadyOf(status)
  const cluster = status.get('wsrep_cluster_state_uuid') ?? ''
  const position = unready?.use === 'no' ? null : BigInt(status.get('wsrep_last_committed') ?? 0)
  return { node: { cluster: NO_CLUSTER.test(cluster) ? null : cluster, position }, unready }
}

function unreadyOf(status: ReadonlyMap<string, string>): Unreadiness | null {
  const is = (name: string, good: string) => status.get(name) === good
  const because = (what: string, name: string, use: Unreadiness['use']) => ({
    reason: `${what} (${name} is ${status.get(name)})`,
    use,
  })
  // A node may disconnect because its data differs from the other nodes. A new quorum does not bring it back.
  if (is('wsrep_cluster_status', 'Disconnected'))
    return because('it has left its cluster', 'wsrep_cluster_status', 'no')
  if (!is('wsrep_cluster_status', 'Primary')) return because('it has no quorum', 'wsrep_cluster_status', 'no')
  if (!is('wsrep_ready', 'ON')) return because('it is not synced', 'wsrep_local_state', 'no')
  if (!is('wsrep_reject_queries', 'NONE'))
    return because('it refuses all queries', 'wsrep_reject_queries', 'no')
  if (is('wsrep_local_state', DONOR))
    return because('it is a donor, or desynced', 'wsrep_local_state', 'last resort')
  return is('wsrep_local_state', SYNCED)
    ? null
    : because('it is catching up', 'wsrep_local_state', 'last resort')
}
