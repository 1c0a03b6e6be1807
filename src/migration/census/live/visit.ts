import type { Asked } from '../asked.ts'

/** Who sends a request, as far as that can be told. */
export interface Visitor {
  /** Equal for equal visitors. */
  readonly key: string
  /** `null` for all that are not told apart. */
  readonly address: string | null
  /** Headers, as they were sent, cut to a length. */
  readonly agent: string
  readonly referer: string
}

/** What a visitor has asked since the last writing. */
export interface Visit extends Visitor {
  /** Milliseconds since 1970. */
  first: number
  last: number
  /** By a text of all that tells one from another. */
  readonly asked: Map<string, Counted>
}

export interface Counted extends Asked {
  /** Days since 1970. */
  readonly day: number
  requests: number
}

/** What the writing thread is given. */
export interface WriterPlace {
  readonly file: string
  /** `null` for the one beside the file, which is made where there is none. */
  readonly keyFile: string | null
}

/** What it says of a batch of visits: why it was not written, or `null` where it was. */
export type Written = string | null
