// What usual clients make of a response that differs from the one they were written for. jQuery in Chromium,
// PHP, Jackson on a JDK and Newtonsoft.Json on Mono gave these results in their default settings.

import type { Judgement, JudgementName } from '../../src/migration/probe/judgements.ts'
import { readLines } from '../legacy/support/lines.ts'

export interface Response {
  readonly status?: number
  readonly type?: string
  /** `ORIGIN` is that of the page. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The body, if it is not UTF-8. */
  readonly base64?: string
  /** Whether POST gets the response, too; otherwise POST gets 405. */
  readonly post?: boolean
}

export interface Case {
  /** An expression in the client's language, of `answer`, the body, and `url`, which serves the response. */
  readonly code: string
  /** The response that the client was written for; a string is JSON of status 200. */
  readonly expected: Response | string
  /** The value of the expression as JSON, or `throws` and the name of the exception. */
  readonly result: string
  readonly differing: Response | string
  readonly becomes: string
}

export interface Fact {
  readonly client: Exclude<keyof Judgement, 'what' | 'harmless'>
  readonly difference: JudgementName
  readonly cases: readonly Case[]
}

export const facts = readLines<Fact>(new URL('facts.jsonl', import.meta.url).pathname)
