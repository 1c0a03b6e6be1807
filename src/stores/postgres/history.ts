// Whether a replica still has the primary's history. One that was promoted, or that follows another primary,
// never gets what is written to the primary from then on: read from it, answers would be old for ever.

import { isUnsupported } from './errors.ts'
import type { Row } from './pool.ts'
import type { Question } from './statements.ts'

/** Where a server is in the history of its data. */
export interface WalPosition {
  /** Standbys have that of the server they are copies of. */
  readonly system: string
  /** When the server was started: tells two servers apart from one that has two addresses. */
  readonly started: string
  readonly acceptsWrites: boolean
  /** Promoting a standby begins a new one. */
  readonly timeline: number
  /** In its log, in bytes: as far as it has written, or replayed. */
  readonly position: number
}

// Any role may ask this. The receiver's timeline is `null` but for roles with pg_read_all_stats; a standby's
// control file has it too, some minutes later.
const question: Question = {
  name: 'place',
  text: `SELECT system_identifier::text, pg_postmaster_start_time()::text, NOT pg_is_in_recovery(),
    CASE WHEN pg_is_in_recovery()
      THEN greatest((SELECT timeline_id FROM pg_control_checkpoint()),
        (SELECT min_recovery_end_timeline FROM pg_control_recovery()),
        (SELECT received_tli FROM pg_stat_wal_receiver))
      ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END,
    (coalesce(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END, '0/0')
      - '0/0'::pg_lsn)::bigint
    FROM pg_control_system()`,
  values: [],
}

/**
 * @param onUnknown called once for an engine that has no such history
 * @returns asks a server for its place; `null` where that is unknown
 */
export function createWalPositionReader(
  ask: (question: Question) => Promise<readonly Row[]>,
  onUnknown: (error: unknown) => void,
): () => Promise<WalPosition | null> {
  let isKnown = true
  return async () => {
    if (!isKnown) return null
    const rows = await ask(question).catch((error: unknown) => {
      if (!isUnsupported(error)) throw error
      isKnown = false
      onUnknown(error)
      return []
    })
    const [system, started, acceptsWrites, timeline, position] = rows[0] ?? []
    if (typeof timeline !== 'number' || typeof position !== 'number') return null
    return {
      system: String(system),
      started: String(started),
      acceptsWrites: acceptsWrites === true,
      timeline,
      position,
    }
  }
}

/** A replica has another history than the primary. */
export class Diverged extends Error {}

/**
 * What a replica's probe does about its history.
 * @param readPrimary `null` where the primary cannot be asked: what was found out last is still true then
 * @returns a function that throws Diverged where the replica has another history than the primary
 */
export function createHistoryProbe(
  readReplica: () => Promise<WalPosition | null>,
  readPrimary: () => Promise<WalPosition | null>,
): () => Promise<void> {
  let difference: string | null = null
  return async () => {
    const replica = await readReplica()
    if (replica === null) return
    // Asked later than the replica: what follows it cannot be further.
    const primary = await readPrimary()
    if (primary !== null) difference = differenceOf(replica, primary)
    if (difference !== null) throw new Diverged(difference)
  }
}

/** @returns why the replica cannot be a standby of the primary; `null` where it may be */
export function differenceOf(replica: WalPosition, primary: WalPosition): string | null {
  // A server of another system is no standby, and gets its data by other means. And a server in DATABASE_URL
  // that is a standby itself says nothing about others.
  if (replica.system !== primary.system || !primary.acceptsWrites) return null
  if (replica.acceptsWrites)
    return replica.started === primary.started ? null : `it accepts writes itself${remedy}`
  if (replica.timeline > primary.timeline)
    return `it follows another server than the primary, on timeline ${replica.timeline}${remedy}`
  return replica.position > primary.position ? `it has changes that the primary does not have${remedy}` : null
}

const remedy =
  '. Rebuild it as a standby of the server in DATABASE_URL, or take it out of DATABASE_REPLICA_URLS;' +
  ' if it is the primary now, name it in DATABASE_URL'
