// How far a replica is behind, without trusting its clock, and right for a primary that has nothing to do:
// for how long has the primary been beyond the position that the replica has reached?

interface LagSample {
  /** Milliseconds of a clock that never goes back. */
  readonly at: number
  readonly position: bigint
}

export type LagMeter = ReturnType<typeof createLagMeter>

/** @param allowed milliseconds */
export function createLagMeter(allowed: number, now: () => number = () => performance.now()) {
  let samples: LagSample[] = []
  let since: number | null = null

  return {
    /** Remembers the position of the primary, or of the node that is furthest. */
    mark(position: bigint): void {
      // A new primary may begin before the end of the old one's log.
      if (position < (samples.at(-1)?.position ?? 0n)) samples = []
      // It is unknown since when the primary has been at its first known position.
      samples.push({ at: since === null ? Number.NEGATIVE_INFINITY : now(), position })
      since ??= now()
      // Only the last one of the samples that are older than allowed matters.
      const recent = samples.findIndex(({ at }) => at > now() - allowed)
      if (recent > 1) samples.splice(0, recent - 1)
    },
    latest: (): bigint => samples.at(-1)?.position ?? 0n,
    /** Whether a replica at this position has been behind for longer than is allowed, or may have been. */
    isBehind: (position: bigint): boolean =>
      samples.some((sample) => sample.at <= now() - allowed && sample.position > position),
    /** Whether the primary has been watched for as long as a replica may be behind. */
    hasWatched: (): boolean => since !== null && now() - since >= allowed,
  }
}
