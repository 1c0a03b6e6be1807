// Where a server is in the write-ahead log of its data: asked once in each probe, for all that depends on it.

import type { Place, Question, Row } from '../servers/engine.ts'
import { isUnsupported } from './errors.ts'

/** Its position is in bytes: as far as it has written, or replayed. */
export interface WalPosition extends Place {
  /** Standbys have that of the server they are copies of. */
  readonly system: string
  /** When the server was started: tells two servers apart from one that has two addresses. */
  readonly started: string
  /** Promoting a standby begins a new one. */
  readonly timeline: number
}

export function hasHistory(place: Place): place is WalPosition {
  return 'timeline' in place
}

/** A question for servers that do not know how to answer the one before it. */
interface Step {
  readonly question: Question
  /** What is unknown without it. */
  readonly unknown: 'history-unknown' | 'lag-unknown'
  readonly next: Step | null
}

const position = `NOT pg_is_in_recovery(),
    ((CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END)
      - '0/0'::pg_lsn)::bigint`

const withoutHistory: Step = {
  question: { name: 'position', text: `SELECT ${position}`, values: [] },
  unknown: 'lag-unknown',
  next: null,
}

// Any role may ask this. The receiver's timeline is `null` but for roles with pg_read_all_stats; a standby's
// control file has it too, some minutes later.
const withHistory: Step = {
  question: {
    name: 'place',
    text: `SELECT ${position}, system_identifier::text, pg_postmaster_start_time()::text,
    CASE WHEN pg_is_in_recovery()
      THEN greatest((SELECT timeline_id FROM pg_control_checkpoint()),
        (SELECT min_recovery_end_timeline FROM pg_control_recovery()),
        (SELECT received_tli FROM pg_stat_wal_receiver))
      ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END
    FROM pg_control_system()`,
    values: [],
  },
  unknown: 'history-unknown',
  next: withoutHistory,
}

/** Of a server that only has to be there. */
const nothing: Question = { name: 'nothing', text: 'SELECT 1', values: [] }

/**
 * @param isWanted whether its place matters; otherwise it only has to answer
 * @param onUnknown called once for an engine, or a role on it, that does not say
 * @returns asks a server for its place; `null` where that is unknown
 */
export function createPositionReader(
  ask: (question: Question) => Promise<readonly Row[]>,
  isWanted: boolean,
  onUnknown: (what: Step['unknown'], error: unknown) => void,
): () => Promise<Place | null> {
  let step: Step | null = isWanted ? withHistory : null
  return async () => {
    while (step !== null) {
      const { question, unknown, next }: Step = step
      try {
        return placeOf(await ask(question))
      } catch (error) {
        if (!isUnsupported(error)) throw error
        onUnknown(unknown, error)
        step = next
      }
    }
    await ask(nothing)
    return null
  }
}

function placeOf([row = []]: readonly Row[]): Place | WalPosition {
  const [acceptsWrites, reached, system, started, timeline] = row
  const position = typeof reached === 'number' ? reached : null
  const place = { acceptsWrites: acceptsWrites === true, position }
  return typeof timeline === 'number'
    ? { ...place, system: String(system), started: String(started), timeline }
    : place
}
