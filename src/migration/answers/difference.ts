// What comparing two answers tells.

/** In what way two answers differ. */
export const differenceKinds = {
  refused: 'one refuses what the other answers',
  status: 'the HTTP status',
  format: 'one answers JSON, the other XML',
  unreadable: 'one cannot be read',
  root: 'the name of the XML root',
  missing: 'the new service leaves out what the old one says',
  extra: 'the new service says what the old one leaves out',
  type: 'the type of a value',
  value: 'a value',
  order: 'the order in XML, where order counts',
} as const
export type DifferenceKind = keyof typeof differenceKinds

export interface Difference {
  /** `answer` for all of it, `entry` for what is said of one identifier, or the name of a field. */
  readonly field: string
  readonly kind: DifferenceKind
  /** What each says there, cut to a length that can be read. */
  readonly old: string
  readonly new: string
}

/** Why a difference does not count. */
export const reasons = {
  ignored: 'its value is ignored (--ignore)',
  tolerated: 'it differs by no more than is tolerated (--tolerate)',
  learned: 'the old service changes it by itself (--learn)',
} as const
export type Reason = keyof typeof reasons

/** A difference that does not count. */
export interface Ignored extends Difference {
  readonly reason: Reason
}

export interface Comparison {
  readonly bytes: 'same' | 'different'
  /** None where the meaning is the same; each field and kind once, and 100 at most. */
  readonly differences: readonly Difference[]
  /** What did not count; likewise. */
  readonly ignored: readonly Ignored[]
}

/** What a comparison came to; `ignored` where the meaning is the same but for what does not count. */
export function resultOf({
  bytes,
  differences,
  ignored,
}: {
  readonly bytes: Comparison['bytes']
  readonly differences: readonly unknown[]
  readonly ignored: readonly unknown[]
}): 'bytes' | 'meaning' | 'ignored' | 'different' {
  if (bytes === 'same') return 'bytes'
  if (differences.length > 0) return 'different'
  return ignored.length > 0 ? 'ignored' : 'meaning'
}
