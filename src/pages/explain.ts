import own from '../../package.json' with { type: 'json' }
import { type Answer, toBytes } from '../answer.ts'
import type { Caller } from '../caller.ts'
import type { AppliedChoice, Explanation } from '../legacy/explain.ts'
import type { StoreState } from '../stores/state.ts'

/** A response of `/explain`. The explorer shows it. */
export interface ExplainResponse extends Explanation {
  readonly service: StoreState & Service
}

interface Service {
  readonly version: string
  /** The kind of the store, such as `sqlite`. */
  readonly store: string
  /** The choices of the dialect that differ from the default. */
  readonly dialect: readonly Pick<AppliedChoice, 'choice' | 'value'>[]
}

interface ExplainOptions extends Omit<Service, 'version'> {
  readonly explain: (query: string, caller: Caller) => Promise<Explanation>
  readonly state: () => Promise<StoreState>
}

/** Answers `/explain`. Its status is 200 for a refused request too: the explanation has the error. */
export function createExplainHandler({ explain, store, state, dialect }: ExplainOptions) {
  const headers = ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store']
  headers.push('X-Content-Type-Options', 'nosniff')
  return async (query: string, caller: Caller): Promise<Answer> => {
    const [explanation, now] = await Promise.all([explain(query, caller), state()])
    const response: ExplainResponse = {
      ...explanation,
      service: { version: own.version, store, ...now, dialect },
    }
    const body = toBytes(`${JSON.stringify(response, null, 2)}\n`)
    const outcome = explanation.error?.code ?? 'ok'
    const values = explanation.request.values.length
    const about = { event: 'explain', format: 'JSON', outcome, values } as const
    return { status: 200, headers, body, etag: null, about }
  }
}
