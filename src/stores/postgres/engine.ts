// PostgreSQL, and engines that speak its protocol, as the servers of a store.

import {
  type Engine,
  plain,
  type ReplicaComparison,
  type ReplicationState,
  type RunStatement,
} from '../servers/driver.ts'
import { readLogin } from './driver.ts'
import { errors, sqlState } from './errors.ts'
import { statements } from './statements.ts'

// Every role may read this. The receiver's timeline is NULL without pg_read_all_stats; a standby's control
// file has the timeline too, some minutes later.
const replicationState = plain(`SELECT NOT pg_is_in_recovery(),
  ((CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END) - '0/0'::pg_lsn)::bigint,
  system_identifier::text, pg_postmaster_start_time()::text,
  CASE WHEN pg_is_in_recovery()
    THEN greatest((SELECT timeline_id FROM pg_control_checkpoint()),
      (SELECT min_recovery_end_timeline FROM pg_control_recovery()),
      (SELECT received_tli FROM pg_stat_wal_receiver))
    ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END
  FROM pg_control_system()`)

async function readReplicationState(run: RunStatement): Promise<ReplicationState> {
  const [writable, position, system, started, timeline] = (await run(replicationState))[0] ?? []
  return {
    writable: writable === true,
    position: position === null || position === undefined ? null : BigInt(String(position)),
    lineage: String(system),
    server: String(started),
    history: String(timeline),
    ...{ executed: null, secondsBehind: null, node: null, unready: null },
  }
}

/** Promoting a standby begins a new timeline, which never gets what the old primary writes from then on. */
async function compare(replica: ReplicationState, primary: ReplicationState): Promise<ReplicaComparison> {
  const { position } = replica
  if (replica.lineage !== primary.lineage) return { relationship: 'is unrelated', own: 0n }
  const isFurther = (position ?? 0n) > (primary.position ?? position ?? 0n)
  const isAhead = Number(replica.history) > Number(primary.history) || isFurther
  return { relationship: isAhead ? 'is ahead' : 'follows', own: 0n }
}

const hidden = plain(`SELECT c.relname FROM pg_class AS c
  WHERE c.oid IN (to_regclass('users'), to_regclass('apps')) AND row_security_active(c.oid)
    AND NOT EXISTS (SELECT FROM pg_policy AS p WHERE p.polrelid = c.oid)`)

/** Row-level security without a policy hides all rows: every lookup would find nothing. */
async function inspect(run: RunStatement): Promise<readonly string[]> {
  const [table] = await run(hidden).catch((error: unknown) => {
    // Other engines that speak the protocol may not know the function.
    if (sqlState(error) === null) throw error
    return []
  })
  if (table === undefined) return []
  throw new Error(
    `${table[0]} has row-level security and no policy, so that the role sees no row. Create a policy for the role (CREATE POLICY … FOR SELECT)`,
  )
}

const remedy =
  '. Rebuild it as a standby of the server in DATABASE_URL, or remove it from DATABASE_REPLICA_URLS.' +
  ' If it is the new primary, set DATABASE_URL to it'

/** The relations may be tables or views (schema/postgres.sql). */
export const postgres: Engine = {
  errors,
  statements,
  readReplicationState,
  compare,
  inspect,
  readLogin,
  reasons: {
    writable: `it accepts writes itself${remedy}`,
    'is ahead': `it has changes that the primary does not have${remedy}`,
    'is unrelated':
      'it is not a standby of the server in DATABASE_URL: their system identifiers differ.' +
      ' Correct DATABASE_REPLICA_URLS, unless it gets its data by logical replication',
  },
}
