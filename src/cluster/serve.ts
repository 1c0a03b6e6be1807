import { createApp, openOperations, type RenewableOperations } from '../app.ts'
import type { Config } from '../config/config.ts'
import { LINGER_MS } from '../http/drain.ts'
import { type Listener, listen } from '../http/server.ts'
import { createDeferredMetrics } from '../observe/deferred.ts'
import type { Observe } from '../observe/events.ts'
import { createLogger, type Logger } from '../observe/log.ts'
import type { Metrics, Readings } from '../observe/metrics.ts'
import type { CountsOfAll } from '../operations/samples.ts'
import { ServerTimes } from '../operations/since.ts'
import { nameOf } from '../stores/database-errors.ts'
import { watchEmptiness } from '../stores/emptiness.ts'
import type { Store } from '../stores/store.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { listenAdmin } from './listen-admin.ts'
import { listenOrExplain } from './listen-or-explain.ts'
import { openDatabase, provideDatabase, whatIsDown } from './open-database.ts'
import { createReload, databaseRenewal } from './reload.ts'
import { REPLACED, type Role, untilAskedToStop } from './signals.ts'
import { welcome } from './welcome.ts'
import type { Asked } from './worker.ts'

/** Milliseconds that a replaced worker keeps connections without a request: no client waits for its end. */
const REPLACED_LINGER_MS = 5_000

/** What a serving process has of its own, which a test gives otherwise. */
export interface Host {
  readonly createLog: (config: Config, onLost: () => void) => Logger
  /** @returns the reason, once the process is asked to stop */
  readonly untilAskedToStop: (role: Role, renew: () => void) => Promise<string>
  /** Milliseconds that connections without a request are kept after that. */
  readonly lingerAfter: (reason: string) => number
}

export function processHost(terminal: Terminal): Host {
  return {
    createLog: (config, onLost) => createLogger(config, { onLost }),
    untilAskedToStop: (role, renew) => untilAskedToStop(terminal, role, renew),
    lingerAfter: (reason) => (reason === REPLACED ? REPLACED_LINGER_MS : LINGER_MS),
  }
}

/**
 * `lookup serve`: runs until it is asked to stop, then lets requests in flight finish.
 * @param reread reads the settings again, as they are then
 */
export async function runServe(
  { stdout }: Pick<Terminal, 'stdout'>,
  config: Config,
  reread: () => Config,
  host: Host,
): Promise<void> {
  const metrics = createDeferredMetrics()
  const log = host.createLog(config, () => metrics.observe({ type: 'log-lines-lost', count: 1 }))
  const serverTimes = new ServerTimes()
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
  const stopping = host.untilAskedToStop(role, () => renew())
  const made = await provideDatabase(config)
  /** What led to the failure is in the log, which may not have been loaded yet. */
  const fail = async (error: unknown): Promise<never> => {
    await log.end()
    throw error
  }
  const live = await openDatabase(config, observe).catch(fail)
  const { store } = live
  const closeStore = async (error: unknown) => {
    await store.close()
    return fail(error)
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
  const findProblem = async () => {
    const noProblem = stopping.then(() => null)
    return (await whatIsEmpty()) ?? (await Promise.race([whatIsDown(config, store), noProblem]))
  }
  // Requests are answered already: only these lines wait for it.
  if (role !== 'worker') {
    const name = nameOf(config.database)
    const problem = made ? null : await findProblem()
    const described = problem === null ? name : `${name}: ${problem}`
    const data = made ? `${name}, just made with sample data` : described
    stdout.write(welcome(config, serving, admin, data))
    for (const reason of config.warnings) observe({ type: 'setting-warning', reason })
  }
  observe({ type: 'started', address: serving.url, admin: admin?.url ?? null, store: config.database.kind })

  const reason = await stopping
  observe({ type: 'stopping', reason })
  const linger = host.lingerAfter(reason)
  await Promise.all([serving.close(linger), admin?.close(linger)])
  await store.close()
  observe({ type: 'stopped' })
  await log.end()
}

/** What several processes need is loaded only where there are several. */
async function roleOf({ workers }: Config): Promise<Role> {
  if (workers === 1) return 'alone'
  return (await import('./worker.ts')).isWorker ? 'worker' : 'first'
}

interface Serving extends Pick<Listener, 'url' | 'close'> {
  /** What all processes have counted. */
  readonly count: (asked: Asked) => Promise<CountsOfAll>
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
  const count = async (asked: Asked) => ({ counted: [await read(asked)], wanted: 1, listening: 1, silent: 0 })
  const connectionLimit = { maxConnections, observe }
  const worker = role === 'worker' ? await import('./worker.ts') : null
  const options = { port, host, timeouts, connectionLimit }
  const server = await listenOrExplain('PORT', () => listen(app, options))
  const leave = worker?.reportMetrics({ metrics: () => read('metrics'), look: () => read('look') })
  const close = async (linger?: number) => {
    await server.close(linger)
    await app.close()
    // lookup_store_ready is the lowest value of all processes: an ending worker must not lower it.
    await leave?.(await counting.read({ inFlight: 0, storeReady: true }))
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
