// Puts the gateway together: config, store and observer become one handler of HTTP requests. The only file
// that knows both interfaces, and the one line that adds the migration.

import type { IncomingMessage } from 'node:http'
import type { GraphQLSchema } from 'graphql'
import type { Config } from './config/config.ts'
import { contractNames, contractResponder, contracts } from './contracts/index.ts'
import { LookupError } from './errors.ts'
import { createExecution, type Execution } from './graphql/execute.ts'
import type { GraphqlHandler } from './graphql/http.ts'
import { createSchema, schema as publishedSchema } from './graphql/schema.ts'
import { openAccessLog } from './http/access-log.ts'
import { createCompression } from './http/compression.ts'
import { createHandler } from './http/handler.ts'
import { createMemory, type Memory } from './http/memory.ts'
import { createOverload } from './http/overload.ts'
import {
  type Divert,
  graphqlRoute,
  healthRoute,
  type LegacyResponder,
  legacyRoutes,
  type Route,
  readRoute,
} from './http/routes.ts'
import type { ListenerHandlers } from './http/server.ts'
import { createUnreadableHandler } from './http/unreadable.ts'
import { lazily, whenIdle } from './lazily.ts'
import { createLegacyHandler } from './legacy/handler.ts'
import { createLookups } from './lookups/lookups.ts'
import type { CountsOf } from './observe/counts.ts'
import type { Observe } from './observe/events.ts'
import { createExplainHandler } from './pages/explain.ts'
import { explorerPage } from './pages/explorer.ts'
import { graphiqlPage } from './pages/graphiql.ts'
import type { Html } from './pages/html.ts'
import type { Store } from './stores/store.ts'

interface GatewayApp extends ListenerHandlers {
  readonly memory: Memory
  /** Requests in flight. */
  readonly inFlight: () => number
  /**
   * Opens ACCESS_LOG again, and reads the trusted documents again. @throws ConfigError if they are invalid
   */
  readonly reload: () => Promise<void>
  /** `null` without a cutover, and in a worker. */
  readonly operations: Operations | null
  /** Ends the migration's work and the access log within a few seconds. The store stays open. */
  readonly close: () => Promise<void>
}

export type AdminResponse = readonly [
  status: number,
  text: string,
  headers?: Readonly<Record<string, string>>,
]

/** The dial of a cutover, as the admin port shows it. */
export interface Operations {
  /** The path of the dial. */
  readonly path: string
  readonly respond: (
    request: IncomingMessage,
    counts: () => Promise<CountsOf>,
  ) => AdminResponse | Promise<AdminResponse>
  /** Further lines of /ready. */
  readonly notes: () => readonly string[]
  /** Whether the old service answers lookups while the store is unavailable. */
  readonly isStandIn: () => boolean
  /** Applies the settings of a reload. */
  readonly renew: (config: Config) => void
  /** The state of the dial, for the page for operators. @param host of the request for the page */
  readonly section: (counts: CountsOf, host: string) => Promise<Html>
}

/** The parts of a migration in a process that responds to requests. */
export interface Companions {
  /** A comparison of responses, or a cutover, which passes requests to the old service. */
  readonly divert: Divert | null
  readonly operations: Operations | null
  readonly close: () => Promise<void>
}

interface Migration {
  readonly openCompanions: (config: Config, observe: Observe, legacy: LegacyResponder) => Promise<Companions>
  /** In a process that has workers. */
  readonly openOperations: (config: Config, observe: Observe) => Promise<Operations | null>
  /** The results of comparing responses, for the page for operators. */
  readonly shadowSection: (config: Config, counts: CountsOf) => Promise<Html>
}

const parts: { readonly migration?: () => Promise<Migration> } = {
  // To delete src/migration, delete this line.
  migration: () => import('./migration/live.ts'),
}

/** In a process that has workers, for the admin port. */
export async function openOperations(config: Config, observe: Observe): Promise<Operations | null> {
  return (await parts.migration?.())?.openOperations(config, observe) ?? null
}

export async function shadowSection(config: Config, counts: CountsOf): Promise<Html | null> {
  return (await parts.migration?.())?.shadowSection(config, counts) ?? null
}

export async function createApp(config: Config, store: Store, observe: Observe): Promise<GatewayApp> {
  const { dialect, legacy: settings, queryLimits, maxResponseBytes } = config
  const clientSchema = config.joinDateUnit === 'none' ? publishedSchema : createSchema(config.joinDateUnit)
  const schema = config.federation
    ? (await import('./graphql/federation.ts')).subgraphOf(clientSchema)
    : clientSchema
  const execution = createExecution({
    schema,
    lookups: createLookups(store, observe),
    observe,
    maxValues: settings.maxValues,
    maxFields: queryLimits.fields,
    maxResponseBytes,
    hideSuggestions: !queryLimits.introspection,
  })
  const openGraphql = await prepareGraphql(config, schema, execution, observe)
  const legacy = createLegacyHandler({
    dialect,
    settings,
    maxResponseBytes,
    execute: execution.executeStored,
    version: store.version ?? null,
    observe,
  })
  const migration = await (await parts.migration?.())?.openCompanions(config, observe, legacy)

  const files = contractNames
    // Without introspection, no file may reveal the schema either.
    .filter((name) => name !== 'graphql' || queryLimits.introspection)
    .map((name) => [contracts[name].file, contractResponder(name, clientSchema)] as const)
  const fileNames = files.map(([file]) => file)
  const explorer = config.explorer ? explorerPage(config, fileNames) : null
  const divert = migration?.divert ?? null
  const { routes: lookupRoutes, nowhere } = legacyRoutes(legacy, settings.paths, explorer, divert)
  const graphiql = config.graphiql ? graphiqlPage(config.trustedDocuments.only) : null
  const graphqlAt = graphqlRoute(
    async (...request) => (await openGraphql()).respond(...request),
    graphiql,
    config.maxBody,
  )
  const memory = createMemory(() => observe({ type: 'slow-clients-cut', count: 1 }))
  const routes = new Map<string, Route>([
    ...lookupRoutes,
    ['/graphql', graphqlAt],
    ['/graphql/', graphqlAt],
    ...files.map(([file, respond]) => [`/schema/${file}`, readRoute(respond)] as const),
  ])
  if (config.explorer) {
    const explain = createExplainHandler(config, store, execution.executeStored)
    routes.set('/explain', readRoute(explain))
  }
  if (config.healthPath !== null)
    routes.set(
      config.healthPath,
      healthRoute(() => {
        if (memory.isFull()) throw new LookupError('Overloaded')
        return store.ready()
      }),
    )

  // Modules that only some settings need are loaded for these settings only.
  const { accessLog: logPath, rateLimit, trustedProxies } = config
  const accessLog = logPath === null ? null : openAccessLog(logPath, trustedProxies, observe)
  const overload = createOverload()
  const handler = createHandler({
    routeAt: (pathname) => routes.get(pathname) ?? nowhere,
    overload,
    maxInFlight: config.maxInFlight,
    rateLimit:
      rateLimit === null
        ? null
        : (await import('./http/rate-limit.ts')).createRateLimit(rateLimit, config.workers, trustedProxies),
    compress: createCompression(config.compression),
    accessLog,
    observe,
  })
  return {
    handle: handler.handle,
    onConnection: overload.connected,
    memory,
    reload: async () => {
      accessLog?.reopen()
      await (await openGraphql()).reload()
    },
    handleUnreadable: createUnreadableHandler({ paths: settings.paths, refuse: legacy.refuse, observe }),
    inFlight: handler.inFlight,
    operations: migration?.operations ?? null,
    close: async () => {
      await migration?.close()
      accessLog?.close()
    },
  }
}

/**
 * Loads the validation of GraphQL, which takes 60 ms, when the process is idle or a request needs it. With a
 * manifest it is loaded at once: its documents are checked before the gateway is ready. @throws ConfigError
 */
async function prepareGraphql(
  config: Config,
  schema: GraphQLSchema,
  execution: Execution,
  observe: Observe,
): Promise<() => Promise<GraphqlHandler>> {
  const open = lazily(async () => {
    const { createGraphqlHandler } = await import('./graphql/http.ts')
    return createGraphqlHandler(config, schema, execution, observe)
  })
  if (config.trustedDocuments.manifest === null) whenIdle(open)
  else await open()
  return open
}
