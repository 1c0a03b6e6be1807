import { fileURLToPath } from 'node:url'
import { createApp, openOperations, type RenewableOperations } from '../app.ts'
import type { Config } from '../config.ts'
import { type Listener, listen } from '../gateway/http/server.ts'
import { createCounting } from '../gateway/observe/counting.ts'
import { createLogger } from '../gateway/observe/logger.ts'
import type { Metrics, Readings } from '../gateway/observe/metrics.ts'
import type { Observe } from '../observation.ts'
import type { CountedByAll } from '../operations/looked.ts'
import { createServerTimes } from '../operations/server-times.ts'
import { MAX_SHADOW_RATE } from '../settings.ts'
import { isMissing, missingDatabase, nameOf, unusableDatabase } from '../stores/database-errors.ts'
import { watchEmptiness } from '../stores/emptiness.ts'
import { type LiveStore, openLiveStore } from '../stores/live-store.ts'
import type { Store } from '../stores/store.ts'
import { listenAdmin } from './listen-admin.ts'
import { listenOrExplain } from './listen-or-explain.ts'
import { createReload, databaseRenewal } from './reload.ts'
import { REPLACED, type Role, untilAskedToStop } from './signals.ts'
import type { Asked } from './worker.ts'

/** Milliseconds that a replaced worker keeps connections without a request: no client waits for its end. */
const REPLACED_LINGER_MS = 5_000

/**
 * `lookup serve`: runs until it is asked to stop, then lets requests in flight finish.
 * @param reread reads the settings again, as they are then
 * @returns whether the process cannot end by itself, since a write to the log blocks
 */
export async function runServe(config: Config, reread: () => Config): Promise<{ readonly isStuck: boolean }> {
  const metrics = createCounting()
  const log = createLogger(config, { onLost: () => metrics.observe({ type: 'log-lines-lost', count: 1 }) })
  const serverTimes = createServerTimes()
  const observe: Observe = (observation) => {
    metrics.observe(observation)
    log.observe(observation)
    serverTimes.note(observation)
    if (observation.type === 'reloaded') inForce = { ...inForce, database: latest.database }
  }
  /** The settings as they were read last, and those in force. */
  let latest = config
  let inForce = config

  const role = await roleOf(config)
  let renew = () => {}
  const stopping = untilAskedToStop(role, () => renew())
  const made = await provideDatabase(config)
  const live = await open(config, observe)
  const { store } = live
  const closeStore = async (error: unknown) => {
    await store.close()
    throw error
  }
  const serving = await startServing(role, config, store, metrics, observe).catch(closeStore)
  const rereadAll = () => {
    const renewed = reread()
    latest = renewed
    // A process that answers requests itself keeps what it was started with, but for the database.
    if (role === 'first') inForce = renewed
    // Before anything else: workers that start soon follow it.
    serving.renewOperations(renewed)
    return renewed
  }
  const reload = createReload([databaseRenewal(live, config, rereadAll), serving.reload], observe)
  renew = () => {
    reload()
    serving.restart?.()
  }
  const whatIsEmpty = watchEmptiness(store, nameOf(config.database), observe)
  // A worker only serves; everything else is the first process's business.
  const admin =
    role === 'worker'
      ? null
      : await listenAdmin(
          config,
          { store, ...serving, whatIsEmpty, serverTimes, inForce: () => inForce },
          observe,
        ).catch(async (error: unknown) => {
          await serving.close()
          return closeStore(error)
        })
  // Requests are answered already: only these lines wait for it.
  const empty = role === 'worker' ? null : await whatIsEmpty()
  const name = nameOf(config.database)
  const data = made ? `${name}, just made with sample data` : empty === null ? name : `${name}: ${empty}`
  if (role !== 'worker') process.stdout.write(welcome(config, serving, admin, data))
  if (role !== 'worker') for (const reason of config.warnings) observe({ type: 'setting-warning', reason })
  observe({ type: 'started', address: serving.url, admin: admin?.url ?? null, store: config.database.kind })

  const reason = await stopping
  observe({ type: 'stopping', reason })
  await Promise.all([serving.close(reason === REPLACED ? REPLACED_LINGER_MS : undefined), admin?.close()])
  await store.close()
  observe({ type: 'stopped' })
  return log.end()
}

/** What several processes need is loaded only where there are several. */
async function roleOf({ workers }: Config): Promise<Role> {
  if (workers === 1) return 'alone'
  return (await import('./worker.ts')).isWorker ? 'worker' : 'first'
}

interface Serving extends Pick<Listener, 'url' | 'close'> {
  /** What all processes have counted. */
  readonly count: (asked: Asked) => Promise<CountedByAll>
  /** Whether a process answers requests. */
  readonly isServing: () => boolean
  readonly restart?: () => void
  /** Reads again what it answers by, besides the database. */
  readonly reload: () => Promise<void>
  readonly operations: () => RenewableOperations | null
  /** Sets what operators may set as the settings have it now. */
  readonly renewOperations: (config: Config) => void
}

/** Answers requests: here, or with `WORKERS` in other processes that run this same command. */
async function startServing(
  role: Role,
  config: Config,
  store: Store,
  counting: Metrics,
  observe: Observe,
): Promise<Serving> {
  const { port, host, workers, timeouts, maxConnections } = config
  if (role === 'first') {
    const read = async (asked: Asked) => counting.read(await readings(store, 0, asked))
    // Workers that are started later may have a RATE_LIMIT when this process has none.
    ;(await import('../gateway/http/rate-limit.ts')).countForWorkers()
    const { startWorkers } = await import('./workers.ts')
    // Before there are workers, which follow it.
    let operations = await openOperations(config, observe)
    const renewOperations = (renewed: Config) => {
      if (operations !== null) operations.renew(renewed)
      // The workers that start soon may be the first that need it.
      else
        void openOperations(renewed, observe).then((opened) => {
          operations = opened
        })
    }
    const started = await startWorkers({ workers, port, host, read, observe })
    // Those that take the place of the workers read all anew.
    return { ...started, reload: async () => {}, operations: () => operations, renewOperations }
  }
  const app = await createApp(config, store, observe)
  const read = async (asked: Asked) => counting.read(await readings(store, app.inFlight(), asked))
  const processes = { wanted: 1, listening: 1, silent: 0 }
  const count = async (asked: Asked) => ({ counted: [await read(asked)], processes })
  const connectionLimit = { maxConnections, observe }
  const worker = role === 'worker' ? await import('./worker.ts') : null
  const release =
    worker === null ? undefined : () => worker.release(counting.read({ inFlight: 0, storeReady: false }))
  const options = { port, host, timeouts, connectionLimit, release }
  const server = await listenOrExplain('PORT', () => listen(app, options))
  worker?.reportMetrics({ metrics: () => read('metrics'), look: () => read('look') })
  worker?.takeWaiting(server.take)
  const close = async (linger?: number) => {
    await server.close(linger)
    await app.close()
  }
  const { reload, operations } = app
  return {
    ...{ ...server, close, count, reload },
    isServing: () => true,
    operations: () => operations,
    renewOperations: (renewed) => operations?.renew(renewed),
  }
}

async function readings(store: Store, inFlight: number, asked: Asked): Promise<Readings> {
  if (asked === 'look') return { inFlight, storeReady: null }
  const isReady = async () => {
    await store.ready()
    return true
  }
  return { inFlight, storeReady: await isReady().catch(() => false) }
}

/** Makes the default database with sample data where the operator chose none. @returns whether it did */
async function provideDatabase({ database, databaseChosen }: Config): Promise<boolean> {
  if (!isMissing(database)) return false
  if (databaseChosen) throw missingDatabase(database)
  const { importFile } = await import('../data/import/import-file.ts')
  const { relations } = await import('../data/relations.ts')
  for (const relation of Object.values(relations)) {
    const file = fileURLToPath(new URL(`../data/sample/${relation.name}.jsonl`, import.meta.url))
    const request = { database, relation, file, format: 'jsonl', replace: false, rejects: null } as const
    const { committed, problems } = await importFile({ ...request, onProgress: () => {} }).catch(
      (error: unknown) => {
        throw unusableDatabase(database, error)
      },
    )
    if (!committed) throw new Error(`the sample data is invalid: ${JSON.stringify(problems)}`)
  }
  return true
}

async function open({ database }: Config, observe: Observe): Promise<LiveStore> {
  try {
    return await openLiveStore(database, observe)
  } catch (error) {
    throw unusableDatabase(database, error)
  }
}

function welcome(
  { graphiql, explorer, shadow, cutover, census }: Config,
  { url }: Pick<Listener, 'url'>,
  admin: Pick<Listener, 'url'> | null,
  data: string,
) {
  const rows = [
    ['Legacy JSON', `${url}/?Event=ProfileLookup&Users=1:2:3`],
    ['Legacy XML', `${url}/?Event=ProfileLookup&Users=1:2:3&Format=XML`],
    [graphiql ? 'GraphiQL' : 'GraphQL', `${url}/graphql`],
    ...(explorer ? [['Explorer', `${url}/`]] : []),
    ...(admin === null
      ? []
      : [
          ['Operations', `${admin.url}/`],
          ['Readiness', `${admin.url}/ready`],
        ]),
    ...shadowRow(shadow),
    ...cutoverRow(cutover),
    ...(census.file === null ? [] : [['Census', census.file]]),
    ['Data', data],
  ]
  const table = rows.map(([name = '', value]) => `  ${name.padEnd(12)} ${value}`).join('\n')
  return `Lookup Service is running. Ctrl+C stops it.\n\n${table}\n\n`
}

function shadowRow({ url, sample }: Config['shadow']): [string, string][] {
  if (url === null) return []
  const share = `${Number((sample * 100).toPrecision(6))} % of the answers, ${MAX_SHADOW_RATE} a second at most`
  return [['Compared', `with ${url}: ${sample === 0 ? 'none of the answers, see SHADOW_SAMPLE' : share}`]]
}

function cutoverRow({ url, share }: Config['cutover']): [string, string][] {
  if (url === null) return []
  return [['Passed on', `to ${url}: all legacy clients but ${Number((share * 100).toPrecision(6))} %`]]
}
