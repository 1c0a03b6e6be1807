import about from '../../../package.json' with { type: 'json' }
import type { Caller } from '../../caller.ts'
import { type Answer, toBytes } from '../answer.ts'

/** What is said of a legacy request; legacy/explanation.ts has it all. */
interface Explanation {
  readonly request: { readonly values: readonly string[] }
  readonly error: { readonly code: string } | null
}

interface ExplainOptions {
  readonly explain: (query: string, caller: Caller) => Promise<Explanation>
  /** The kind of the store. */
  readonly store: string
  /** How it is, and how many rows it has of each kind. */
  readonly state: () => Promise<object>
  /** Values to try. */
  readonly examples: () => Promise<object>
  /** The settings of the dialect that differ from their defaults. */
  readonly dialect: readonly object[]
}

/**
 * Answers `/explain` with what a legacy query string becomes, and with what runs here. A request that is
 * refused is explained with status 200: the error is a part of what it says.
 */
export function createExplainHandler({ explain, store, state, examples, dialect }: ExplainOptions) {
  const headers = ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store']
  headers.push('X-Content-Type-Options', 'nosniff')
  return async (query: string, caller: Caller): Promise<Answer> => {
    const [explanation, now, found] = await Promise.all([explain(query, caller), state(), examples()])
    const service = { version: about.version, store, ...now, dialect, examples: found }
    const body = toBytes(`${JSON.stringify({ ...explanation, service }, null, 2)}\n`)
    const values = explanation.request.values.length
    const outcome = explanation.error?.code ?? 'ok'
    return {
      status: 200,
      headers,
      body,
      etag: null,
      about: { event: 'explain', format: 'JSON', outcome, values },
    }
  }
}
