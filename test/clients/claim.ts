// What a sentence of the judgements says of a client, and how the real client shows it.

import type { JudgementName } from '../../src/migration/probe/judgements.ts'

export interface Answer {
  readonly status?: number
  readonly type?: string
  /** `ORIGIN` is that of the page. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** Whether POST is answered, too; otherwise it is 405. */
  readonly post?: boolean
}

/** A text is an answer in JSON of status 200. */
export type Given = string | Answer

/** What the client makes of an answer: a value as JSON, or `throws` and the name of the exception. */
export type Outcome = readonly [given: Given, result: string]

/**
 * An expression in the client's language, of `answer`, a text, and `url`, where a server has it; then the
 * answer that the client was written for, and the one that differs.
 */
export type Case = readonly [code: string, writtenFor: Outcome, differing: Outcome]

export type Claim =
  | { readonly says: string; readonly cases: readonly [Case, ...Case[]] }
  /** Why no client is asked. */
  | { readonly says: string; readonly unchecked: string }

/** Every sentence about one client: the compiler names those that are missing. */
export type Claims = Readonly<Record<JudgementName, Claim>>

export const answerOf = (given: Given): Answer => (typeof given === 'string' ? { body: given } : given)
