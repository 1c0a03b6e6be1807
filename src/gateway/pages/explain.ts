import own from '../../../package.json' with { type: 'json' }
import type { Caller } from '../../caller.ts'
import { type Answer, toBytes } from '../answer.ts'

interface ExplainOptions {
  readonly explain: (query: string, caller: Caller) => Promise<Explanation>
  /** The kind of the store, such as `sqlite`. */
  readonly store: string
  /** Whether the store responds, and its number of rows. */
  readonly state: () => Promise<object>
  /** The choices of the dialect that differ from the default. */
  readonly dialect: readonly object[]
}

/** The part of legacy/explain.ts that is counted. */
interface Explanation {
  readonly request: { readonly values: readonly string[] }
  readonly error: { readonly code: string } | null
}

/** Answers `/explain`. Its status is 200 for a refused request too: the explanation has the error. */
export function createExplainHandler({ explain, store, state, dialect }: ExplainOptions) {
  const headers = ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store']
  headers.push('X-Content-Type-Options', 'nosniff')
  return async (query: string, caller: Caller): Promise<Answer> => {
    const [explanation, now] = await Promise.all([explain(query, caller), state()])
    const service = { version: own.version, store, ...now, dialect }
    const body = toBytes(`${JSON.stringify({ ...explanation, service }, null, 2)}\n`)
    const outcome = explanation.error?.code ?? 'ok'
    const values = explanation.request.values.length
    const about = { event: 'explain', format: 'JSON', outcome, values } as const
    return { status: 200, headers, body, etag: null, about }
  }
}
