// Whether a replica still has the primary's history. One that was promoted, or that follows another primary,
// never gets what is written to the primary from then on: read from it, answers would be old for ever.

import type { Place, Relationship } from '../servers/engine.ts'
import { hasHistory, type WalPosition } from './wal-position.ts'

/** @returns `null` for an engine, or a role on it, that does not tell its history */
export function compare(replica: Place, primary: Place): Relationship | null {
  if (!hasHistory(replica) || !hasHistory(primary)) return null
  return {
    difference: differenceOf(replica, primary),
    unrelated: replica.system === primary.system ? null : otherSystem,
  }
}

/**
 * @param primary asked later than the replica: what follows it cannot be further
 * @returns why the replica cannot be a standby of the primary; `null` where it may be
 */
export function differenceOf(replica: WalPosition, primary: WalPosition): string | null {
  // A server of another system is no standby, and gets its data by other means. And a server in DATABASE_URL
  // that is a standby itself says nothing about others.
  if (replica.system !== primary.system || !primary.acceptsWrites) return null
  if (replica.acceptsWrites)
    return replica.started === primary.started ? null : `it accepts writes itself${remedy}`
  if (replica.timeline > primary.timeline)
    return `it follows another server than the primary, on timeline ${replica.timeline}${remedy}`
  return (replica.position ?? 0) > (primary.position ?? Number.POSITIVE_INFINITY)
    ? `it has changes that the primary does not have${remedy}`
    : null
}

const remedy =
  '. Rebuild it as a standby of the server in DATABASE_URL, or remove it from DATABASE_REPLICA_URLS.' +
  ' If it is the new primary, set DATABASE_URL to it'

const otherSystem =
  'it is not a standby of the server in DATABASE_URL: their system identifiers differ.' +
  ' Correct DATABASE_REPLICA_URLS, unless it gets its data by logical replication'
