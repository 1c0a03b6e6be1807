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

export interface Comparison {
  readonly bytes: 'same' | 'different'
  /** None where the meaning is the same; each field and kind once, and 100 at most. */
  readonly differences: readonly Difference[]
}
