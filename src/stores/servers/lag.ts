// How far a standby is behind, without trusting its clock, and right for a primary that has nothing to do:
// for how long has the primary been beyond the position in its log that the standby has reached?

interface Sample {
  /** Milliseconds of a clock that never goes back. */
  readonly at: number
  /** The primary's position in its log then, in bytes. */
  readonly position: number
}

export interface LagMeter {
  readonly primaryIsAt: (position: number) => void
  /**
   * Whether a standby at this position has been behind for longer than is allowed, or may have been: since
   * when the primary has been at its first known position, nothing tells.
   */
  readonly isBehind: (position: number) => boolean
  /** Whether a standby may be behind by so many seconds, as it says itself. */
  readonly allows: (seconds: number) => boolean
  /** Whether the primary has been watched for as long as a standby may be behind. */
  readonly hasWatched: () => boolean
}

/** @param allowed milliseconds */
export function createLagMeter(allowed: number, now: () => number = () => performance.now()): LagMeter {
  let samples: Sample[] = []
  let since: number | null = null

  function primaryIsAt(position: number): void {
    // A new primary may begin before the end of the old one's log.
    if (position < (samples.at(-1)?.position ?? 0)) samples = []
    samples.push({ at: since === null ? Number.NEGATIVE_INFINITY : now(), position })
    since ??= now()
    // Of what is older than allowed, the last says it all.
    const recent = samples.findIndex(({ at }) => at > now() - allowed)
    if (recent > 1) samples.splice(0, recent - 1)
  }

  function isBehind(position: number): boolean {
    return samples.some((sample) => sample.at <= now() - allowed && sample.position > position)
  }

  const allows = (seconds: number) => seconds * 1000 <= allowed

  return { primaryIsAt, isBehind, allows, hasWatched: () => since !== null && now() - since >= allowed }
}

/** A standby lags. */
export class Lag extends Error {
  /** Whether it is certain; otherwise the primary is not watched for long enough. */
  readonly isCertain: boolean

  constructor(isCertain: boolean, others = 'the primary') {
    super(`it is too far behind ${others} (DATABASE_MAX_LAG)`)
    this.isCertain = isCertain
  }
}
