// How far a standby is behind, without trusting its clock, and right for a primary that has nothing to do:
// for how long has the primary been beyond the position in its log that the standby has reached?

import { isUnsupported } from './errors.ts'
import type { Row } from './pool.ts'
import type { Question } from './statements.ts'

interface Sample {
  /** Milliseconds of a clock that never goes back. */
  readonly at: number
  /** The primary's position in its log then, in bytes. */
  readonly position: number
}

export interface LagMeter {
  readonly primaryIsAt: (position: number) => void
  /** Whether a standby at this position has been behind for longer than is allowed. */
  readonly isBehind: (position: number) => boolean
}

/** @param allowed milliseconds */
export function createLagMeter(allowed: number, now: () => number = () => performance.now()): LagMeter {
  let samples: Sample[] = []

  function primaryIsAt(position: number): void {
    // A new primary may begin before the end of the old one's log.
    if (position < (samples.at(-1)?.position ?? 0)) samples = []
    samples.push({ at: now(), position })
    // Of what is older than allowed, the last says it all.
    const recent = samples.findIndex(({ at }) => at > now() - allowed)
    if (recent > 1) samples.splice(0, recent - 1)
  }

  function isBehind(position: number): boolean {
    return samples.some((sample) => sample.at <= now() - allowed && sample.position > position)
  }

  return { primaryIsAt, isBehind }
}

/** The primary's position in its log, or the one a standby has replayed. */
const position: Question = {
  name: 'position',
  text: `SELECT pg_is_in_recovery(), ((CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
    ELSE pg_current_wal_lsn() END) - '0/0'::pg_lsn)::bigint`,
  values: [],
}

/** A standby lags. */
export class Lag extends Error {}

/**
 * What one server's probe does about lag.
 * @param onUnknown called once for an engine that has no such log
 * @returns a function that throws Lag where the server is a standby that lags
 */
export function createLagProbe(
  ask: (question: Question) => Promise<readonly Row[]>,
  meter: LagMeter | null,
  isReplica: boolean,
  onUnknown: (error: unknown) => void,
): () => Promise<void> {
  let isKnown = meter !== null
  return async () => {
    if (!isKnown || meter === null) return
    const rows = await ask(position).catch((error: unknown) => {
      if (!isUnsupported(error)) throw error
      isKnown = false
      onUnknown(error)
      return []
    })
    const [isStandby, reached] = rows[0] ?? []
    if (typeof reached !== 'number') return
    if (!isReplica && isStandby === false) meter.primaryIsAt(reached)
    if (isReplica && isStandby === true && meter.isBehind(reached))
      throw new Lag('it is too far behind the primary (DATABASE_MAX_LAG)')
  }
}
