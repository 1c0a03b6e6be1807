// How far a standby is behind, without trusting its clock, and right for a primary that has nothing to do: for how
// long has the primary been beyond the position in its log that the standby has reached?

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
