// `/explain`: how a request was read and what it became, with the state of the gateway. The explorer shows
// it.

import own from '../../package.json' with { type: 'json' }
import type { Caller } from '../caller.ts'
import type { Config } from '../config/config.ts'
import { defaultDialect } from '../legacy/dialect.ts'
import { differencesOf, valueAt } from '../legacy/dialect-places.ts'
import { type AppliedChoice, createExplain, type Explanation } from '../legacy/explain.ts'
import type { ExecuteStored } from '../legacy/handler.ts'
import { type HttpResponse, toBytes } from '../response.ts'
import { type StoreState, watchStore } from '../stores/state.ts'
import type { Store } from '../stores/store.ts'

export interface ExplainResponse extends Explanation {
  readonly service: ServiceState
}

interface ServiceState extends StoreState {
  readonly version: string
  /** The kind of the store, such as `sqlite`. */
  readonly store: string
  /** The choices of the dialect that differ from the default. */
  readonly dialect: readonly Pick<AppliedChoice, 'choice' | 'value'>[]
}

/** The status of a response is 200 for a refused request, too: the explanation has the error. */
export function createExplainHandler(config: Config, store: Store, execute: ExecuteStored) {
  const { dialect, legacy, database } = config
  const explain = createExplain(dialect, legacy.maxValues, execute)
  const readState = watchStore(store)
  const choices = differencesOf(dialect, defaultDialect).map(({ path }) => {
    return { choice: path.join('.'), value: valueAt(dialect, path) }
  })
  const headers = ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store']
  headers.push('X-Content-Type-Options', 'nosniff')

  return async (query: string, caller: Caller): Promise<HttpResponse> => {
    const [explanation, state] = await Promise.all([explain(query, caller), readState()])
    const service: ServiceState = { version: own.version, store: database.kind, ...state, dialect: choices }
    const response: ExplainResponse = { ...explanation, service }
    const body = toBytes(`${JSON.stringify(response, null, 2)}\n`)
    const outcome = explanation.error?.code ?? 'ok'
    const values = explanation.request.values.length
    const about = { event: 'explain', format: 'JSON', outcome, values } as const
    return { status: 200, headers, body, etag: null, about }
  }
}
