// What comparing two answers tells.

/** In what way two answers differ. */
const differenceKinds = {
  refused: 'one service answers, the other refuses',
  status: 'different HTTP status',
  format: 'JSON in one response, XML in the other',
  unreadable: 'a response cannot be read',
  root: 'different name of the XML root',
  missing: 'missing in the new response',
  extra: 'only in the new response',
  type: 'different type',
  value: 'different value',
  order: 'different order in XML',
} as const
export type DifferenceKind = keyof typeof differenceKinds

const explanations: ReadonlyMap<string, string> = new Map(Object.entries(differenceKinds))

/** The explanation of a kind that comes from a state file or a metric. */
export function explainKind(kind: string): string {
  return explanations.get(kind) ?? kind
}

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
  ignored: 'ignored (--ignore)',
  tolerated: 'within the tolerance (--tolerate)',
  learned: 'changed by the old service itself (--learn)',
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

/**
 * The result of a comparison; `ignored` if the meaning is the same except for differences that do not count.
 */
export function resultOf({
  bytes,
  differences,
  ignored,
}: Comparison): 'bytes' | 'meaning' | 'ignored' | 'different' {
  if (bytes === 'same') return 'bytes'
  if (differences.length > 0) return 'different'
  return ignored.length > 0 ? 'ignored' : 'meaning'
}
