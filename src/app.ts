// Composition: config, observer and store become one handler of HTTP requests.

import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from './config/config.ts'
import { contractAnswer, contractNames, contracts } from './gateway/contracts/index.ts'
import { createExecution } from './gateway/graphql/execution.ts'
import { createGraphqlHandler } from './gateway/graphql/handler.ts'
import { schema as plainSchema } from './gateway/graphql/schema.ts'
import { createLookups } from './gateway/loaders/lookups.ts'
import { createExplainHandler } from './gateway/pages/explain.ts'
import { explorerPage } from './gateway/pages/explorer.ts'
import { graphiqlPage } from './gateway/pages/graphiql.ts'
import type { AccessLog } from './http/access-log.ts'
import type { Operations } from './http/admin.ts'
import { createBackpressure } from './http/backpressure.ts'
import { createCompression } from './http/compression.ts'
import { graphqlRoom } from './http/graphql-room.ts'
import { healthRoom } from './http/health-room.ts'
import { type Divert, legacyRooms } from './http/legacy-room.ts'
import { createAdmission } from './http/overload.ts'
import type { RateLimit } from './http/rate-limit.ts'
import { createRequestHandler } from './http/request-handler.ts'
import { createOnTimeout } from './http/request-timeouts.ts'
import { type Room, readingRoom } from './http/room.ts'
import { createRouter } from './http/router.ts'
import { createUnreadableHandler } from './http/unreadable.ts'
import { defaultDialect } from './legacy/dialect.ts'
import { differencesOf, valueAt } from './legacy/dialect-places.ts'
import { shownEvents } from './legacy/events.ts'
import { createExplain } from './legacy/explain.ts'
import { createLegacyHandler, type ExecuteStored, type Watcher } from './legacy/handler.ts'
import type { CountsOf } from './observe/counts.ts'
import type { Observe } from './observe/events.ts'
import type { Html } from './pages/html.ts'
import { watchStore } from './stores/state.ts'
import type { Store } from './stores/store.ts'

export interface App {
  /** How many requests are being answered. */
  readonly inFlight: () => number
  readonly handle: RequestListener
  /** Called for each connection, before anything of it is read. */
  readonly onConnection: (socket: Socket) => void
  /** Opens ACCESS_LOG and reads the manifest of trusted documents again. @throws ConfigError if that is invalid */
  readonly reload: () => Promise<void>
  /** For connections whose bytes are no request that Node can read. */
  readonly handleUnreadable: (error: Error, socket: Socket) => void
  /** What operators may ask and set; `null` where there is nothing, or another process has it. */
  readonly operations: RenewableOperations | null
  /** Ends what goes on beside requests, within a few seconds. The store is not closed. */
  readonly close: () => Promise<void>
}

/** What operators set in settings, too, which are read again. */
export interface RenewableOperations extends Operations {
  readonly renew: (config: Config) => void
  /** Where the dial stands, for the page for operators. @param host of the request for the page */
  readonly section: (host: string) => Promise<Html>
}

/** What goes on beside the answers. */
export interface Companions {
  /** What watches the legacy interface. */
  readonly watchers: readonly Watcher[]
  /** What its requests are diverted by. */
  readonly divert: Divert | null
  readonly operations: RenewableOperations | null
  readonly close: () => Promise<void>
}

interface Leaving {
  readonly openCompanions: (config: Config, observe: Observe) => Promise<Companions>
  /** In a process that has others answer. */
  readonly openOperations: (config: Config, observe: Observe) => Promise<RenewableOperations | null>
  /** The results of comparing responses, for the page for operators. */
  readonly shadowSection: (config: Config, counts: CountsOf) => Promise<Html>
}

/** What leads out of an old service. */
const leaving: readonly (() => Promise<Leaving>)[] = [
  // Without this line, there is no old service to leave.
  () => import('./migration/live.ts'),
]

/** For the process that has others answer, and the admin port. */
export async function openOperations(config: Config, observe: Observe): Promise<RenewableOperations | null> {
  const opened = await Promise.all(
    leaving.map(async (load) => (await load()).openOperations(config, observe)),
  )
  return opened.find((operations) => operations !== null) ?? null
}

export function shadowSections(config: Config, counts: CountsOf): Promise<readonly Html[]> {
  return Promise.all(leaving.map(async (load) => (await load()).shadowSection(config, counts)))
}

export async function createApp(config: Config, store: Store, observe: Observe): Promise<App> {
  const { dialect, legacy: settings, queryLimits, trustedDocuments, graphqlMaxAge: maxAge } = config
  const lookups = createLookups(store, observe)
  const limits = {
    maxValues: settings.maxValues,
    maxFields: queryLimits.fields,
    hideSuggestions: !queryLimits.introspection,
  }
  const schema = await schemaFor(config)
  const execution = createExecution({ schema, lookups, observe, ...limits })
  const graphql = await createGraphqlHandler({
    schema,
    execution,
    queryLimits,
    trustedDocuments,
    maxAge,
    observe,
  })
  const facade = createLegacyHandler({
    dialect,
    settings,
    execute: execution.executeStored,
    version: store.version ?? null,
    observe,
  })
  const companions = await Promise.all(
    leaving.map(async (load) => (await load()).openCompanions(config, observe)),
  )
  const watchers = companions.flatMap((companion) => companion.watchers)
  const legacy = watchers.reduce((watched, { watch }) => watch(watched), facade)
  const divert = companions.find((companion) => companion.divert !== null)?.divert ?? null

  const files = contractNames
    // What introspection does not tell, no file tells either.
    .filter((name) => name !== 'graphql' || queryLimits.introspection)
    .map((name) => [contracts[name].file, contractAnswer(name)] as const)

  const backpressure = createBackpressure(() => observe({ type: 'slow-clients-cut', count: 1 }))
  const admission = createAdmission(config.maxInFlight, backpressure.isFull)
  const onTimeout = createOnTimeout(backpressure.arrivalsOf, config.timeouts)

  const explorer = config.explorer
    ? explorerPage({
        events: shownEvents(dialect),
        path: pathFor(settings.paths),
        files: files.map(([file]) => file),
        graphiql: config.graphiql,
        onlyDocuments: trustedDocuments.only,
      })
    : null
  const diversion = divert === null ? null : { divert, admission }
  const { rooms: lookupRooms, nowhere } = legacyRooms(legacy, settings.paths, explorer, diversion)
  const graphqlAt = graphqlRoom({
    answer: graphql.answer,
    graphiql: config.graphiql ? graphiqlPage(trustedDocuments.only) : null,
    admission,
    maxBody: config.maxBody,
  })
  const rooms = new Map<string, Room>([
    ...lookupRooms,
    ['/graphql', graphqlAt],
    ['/graphql/', graphqlAt],
    ...files.map(([file, answer]) => [`/schema/${file}`, readingRoom(answer)] as const),
  ])
  if (config.explorer) rooms.set('/explain', readingRoom(explainer(config, store, execution.executeStored)))
  if (config.healthPath !== null)
    rooms.set(
      config.healthPath,
      healthRoom(() => store.ready()),
    )

  const router = createRouter({ rooms, nowhere, rateLimit: await openRateLimit(config) })
  const compress = createCompression(config.compression)
  const accessLog = await openAccessLog(config, observe)
  const handle = createRequestHandler({ router, compress, admission, backpressure, accessLog, observe })
  return {
    handle,
    onConnection: backpressure.accept,
    reload: () => {
      accessLog?.reopen()
      return graphql.reload()
    },
    handleUnreadable: createUnreadableHandler({
      handle,
      paths: settings.paths,
      refuse: legacy.refuse,
      isPending: (socket) => backpressure.arrivalsOf(socket)?.latest?.complete === true,
      onTimeout,
      observe,
    }),
    inFlight: admission.inFlight,
    operations: companions.find(({ operations }) => operations !== null)?.operations ?? null,
    close: async () => {
      await Promise.all([...companions, accessLog].map((opened) => opened?.close()))
    },
  }
}

function explainer(
  { dialect, legacy, database }: Config,
  store: Store,
  execute: ExecuteStored,
): ReturnType<typeof createExplainHandler> {
  return createExplainHandler({
    explain: createExplain(dialect, legacy.maxValues, execute),
    store: database.kind,
    state: watchStore(store),
    dialect: differencesOf(dialect, defaultDialect).map(({ path }) => {
      return { choice: path.join('.'), value: valueAt(dialect, path) }
    }),
  })
}

/** Where the explorer asks: beside it, relative as its links are. */
function pathFor(paths: readonly string[]): string {
  const [path = '/'] = paths
  return paths.includes('/') ? '' : `.${path}`
}

/** Only a gateway that routers ask loads what makes a subgraph. */
async function schemaFor({ federation }: Config): Promise<typeof plainSchema> {
  if (!federation) return plainSchema
  const { subgraphOf } = await import('./gateway/graphql/federation.ts')
  return subgraphOf(plainSchema)
}

/** Only a gateway that limits anything pays for loading what it takes. */
async function openRateLimit({ rateLimit, workers, trustedProxies }: Config): Promise<RateLimit | null> {
  if (rateLimit === null) return null
  const { createRateLimit } = await import('./http/rate-limit.ts')
  return createRateLimit(rateLimit, workers, trustedProxies)
}

/** Loads sonic-boom only if ACCESS_LOG is set. */
async function openAccessLog(
  { accessLog, trustedProxies }: Config,
  observe: Observe,
): Promise<AccessLog | null> {
  if (accessLog === null) return null
  const { openAccessLog } = await import('./http/access-log.ts')
  return openAccessLog(accessLog, trustedProxies, observe)
}
