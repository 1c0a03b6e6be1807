// Composition: config, observer and store become one handler of HTTP requests.

import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from './config.ts'
import type { AnswerGraphql } from './gateway/answer.ts'
import { contractAnswer } from './gateway/contracts/answers.ts'
import { contractNames, contracts } from './gateway/contracts/index.ts'
import { createExecution } from './gateway/graphql/execution.ts'
import { schema } from './gateway/graphql/schema.ts'
import { createBackpressure } from './gateway/http/backpressure.ts'
import { createAdmission } from './gateway/http/overload.ts'
import type { RateLimit } from './gateway/http/rate-limit.ts'
import { createOnTimeout } from './gateway/http/request-timeouts.ts'
import { createRouter, type Rooms } from './gateway/http/router.ts'
import { createUnreadableHandler } from './gateway/http/unreadable.ts'
import { describedEvents } from './gateway/legacy/events/index.ts'
import { createExplain } from './gateway/legacy/explain.ts'
import { createLegacyHandler, type LegacyHandler, type Watcher } from './gateway/legacy/handler.ts'
import { createLookups } from './gateway/loaders/lookups.ts'
import { createExplainHandler } from './gateway/pages/explain.ts'
import { explorerPage, type Link } from './gateway/pages/explorer.ts'
import { graphiqlPage } from './gateway/pages/graphiql.ts'
import { lazily } from './lazily.ts'
import type { Observe } from './observation.ts'
import { watchStore } from './stores/state.ts'
import type { Store } from './stores/store.ts'
import { createThrottledCounter } from './throttled-counter.ts'

export interface App {
  /** How many requests are being answered. */
  readonly inFlight: () => number
  readonly handle: RequestListener
  /** For connections whose bytes are no request that Node can read. */
  readonly handleUnreadable: (error: Error, socket: Socket) => void
  /** Ends what goes on beside requests. The store is not closed. */
  readonly close: () => void
}

type OpenWatcher = (config: Config, observe: Observe) => Promise<Watcher | null>

/** What may watch the legacy interface. */
const watchers: readonly OpenWatcher[] = [
  async (...given) => (await import('./migration/shadow/open.ts')).openShadow(...given),
]

export async function createApp(config: Config, store: Store, observe: Observe): Promise<App> {
  const { dialect, queryLimits } = config
  const lookups = createLookups(store, observe)
  const limits = { maxValues: dialect.maxValues, maxFields: queryLimits.fields }
  const execution = createExecution({ schema, lookups, observe, ...limits })
  const facade = createLegacyHandler({
    dialect,
    execute: execution.executeStored,
    version: store.version ?? null,
    observe,
  })
  const opened = await Promise.all(watchers.map((open) => open(config, observe)))
  const watching = opened.filter((watcher) => watcher !== null)
  const legacy = watching.reduce((watched, { watch }) => watch(watched), facade)

  // Yoga takes a tenth of a second to load, the rules of validation a tenth of that: who never asks does not
  // wait.
  const documents = lazily(async () => {
    const [{ createLimits }, { createDocuments }] = await Promise.all([
      import('./gateway/graphql/limits.ts'),
      import('./gateway/graphql/documents.ts'),
    ])
    return createDocuments(schema, createLimits(queryLimits))
  })
  const yoga = whenAsked(async () => {
    const { createGraphQLHandler } = await import('./gateway/graphql/yoga.ts')
    return createGraphQLHandler({ schema, execution, readQuery: await documents(), observe })
  })
  const graphql = whenAsked(async () => {
    const { createFastPath } = await import('./gateway/graphql/post.ts')
    return createFastPath({ execution, readQuery: await documents(), fallback: yoga })
  })

  const others: Rooms['others'] = new Map([
    ...contractNames
      // What introspection does not tell, no file tells either.
      .filter((name) => name !== 'graphql' || queryLimits.introspection)
      .map((name) => [`/schema/${contracts[name].file}`, contractAnswer(name, dialect)] as const),
    ...(config.explorer ? [['/explain', explainer(config, store, facade)] as const] : []),
  ])

  const admission = createAdmission(config.maxInFlight)
  const slowClients = createThrottledCounter((count) => observe({ type: 'slow-clients-cut', count }))
  const backpressure = createBackpressure(slowClients.count)
  const onTimeout = createOnTimeout(backpressure.arrivalsOf, config.timeouts)
  const handle = createRouter({
    rooms: {
      legacy,
      graphql,
      graphiql: config.graphiql ? graphiqlPage : null,
      explorer: config.explorer ? explorerPage(describedEvents(dialect), linksFor(config, others)) : null,
      others,
    },
    admission,
    rateLimit: await openRateLimit(config),
    backpressure,
    maxBody: config.maxBody,
    observe,
  })
  return {
    handle,
    handleUnreadable: createUnreadableHandler({ handle, refuse: legacy.refuse, onTimeout, observe }),
    inFlight: admission.inFlight,
    close: () => {
      for (const { close } of watching) close()
    },
  }
}

function explainer(
  { dialect, database }: Config,
  store: Store,
  { trace }: LegacyHandler,
): ReturnType<typeof createExplainHandler> {
  return createExplainHandler({
    explain: createExplain(trace, dialect),
    store: database.kind,
    state: watchStore(store),
  })
}

/** What there is to read beside the explorer; relative, so that it works below any path. */
function linksFor({ graphiql }: Config, others: Rooms['others']): Link[] {
  const files = contractNames
    .map((name) => contracts[name].file)
    .filter((file) => others.has(`/schema/${file}`))
    .map((file): Link => [`schema/${file}`, file])
  return graphiql ? [['graphql', 'GraphiQL', 'graphiql'], ...files] : files
}

/** Only who limits anything pays for loading what it takes. */
async function openRateLimit({ rateLimit, trustedProxies }: Config): Promise<RateLimit | null> {
  if (rateLimit === null) return null
  const { createRateLimit } = await import('./gateway/http/rate-limit.ts')
  return createRateLimit(rateLimit, trustedProxies)
}

/** A handler that is made when it is first asked. */
function whenAsked(make: () => Promise<AnswerGraphql>): AnswerGraphql {
  let handler: AnswerGraphql | null = null
  const start = lazily(async () => (handler = await make()))
  return (...asked) => (handler === null ? start().then((made) => made(...asked)) : handler(...asked))
}
