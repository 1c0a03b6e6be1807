// `lookup serve`: the start, reloads and the stop of a process, which responds to requests itself or starts
// workers for them.

import { createApp, type Operations } from '../app.ts'
import type { Config } from '../config/config.ts'
import type { Listener } from '../http/server.ts'
import type { CountsOfAll } from '../observe/counts.ts'
import type { Observe } from '../observe/events.ts'
import { createLogger, type Logger } from '../observe/log.ts'
import { createMetrics, type Metrics } from '../observe/metrics.ts'
import { ServerTimes } from '../operations/history.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { messageOf } from '../text.ts'
import { listenAdmin } from './admin.ts'
import { waitForStop } from './signals.ts'
import { type Database, listenOrExplain, openDatabase, welcome } from './startup.ts'
import type { Scope } from './worker.ts'

/** Tests replace these. */
const processHost = {
  createLog: (config: Config, onLost: (lines: number) => void): Logger => createLogger(config, { onLost }),
  waitForStop,
}

export interface ServeContext {
  readonly config: Config
  readonly database: Database
  readonly metrics: Metrics
  readonly observe: Observe
}

/** The processes that respond to requests: this one, or its workers. */
export interface GatewayService extends Pick<Listener, 'url' | 'close'> {
  /** Why requests fail for other reasons than the database; `null` if they do not. */
  readonly whyNotServing: () => string | null
  /** The counts of all processes. */
  readonly count: (scope: Scope) => Promise<CountsOfAll>
  readonly operations: () => Operations | null
  /** Applies new settings and files, except for the database; replaces workers. */
  readonly reload: (latest: Config) => Promise<void>
}

/**
 * Runs until a signal stops the process, then lets requests in flight finish.
 * @param reread reads the settings again
 */
export async function runServe(
  { stdout, env }: Pick<Terminal, 'stdout' | 'env'>,
  config: Config,
  reread: () => Config,
  host = processHost,
): Promise<void> {
  const observers = createObservers(config, host)
  const { observe, log } = observers
  const isWorker = config.workers > 1 && (await import('./worker.ts')).isWorker
  // A SIGHUP during the start counts, too: the settings may have changed after they were read.
  const starting = Promise.withResolvers<{ reload: () => Promise<void> }>()
  const reload = createReload(async () => (await starting.promise).reload())
  const stopping = host.waitForStop(env, isWorker, reload)
  try {
    const gateway = await start(config, isWorker, reread, observers)
    starting.resolve(gateway)
    const { url, adminUrl, database } = gateway
    if (!isWorker) {
      // The gateway already responds to requests: only these lines wait for the database.
      const data = await Promise.race([database.describe(), stopping.then(database.name)])
      stdout.write(welcome(config, url, adminUrl, data))
      for (const reason of config.warnings) observe({ type: 'setting-warning', reason })
    }
    observe({ type: 'started', address: url, admin: adminUrl, store: config.database.kind })
    if (!isWorker)
      void import('../stores/check/check.ts').then((check) =>
        check.checkInBackground(config.database, observe),
      )

    const { reason, linger } = await stopping
    observe({ type: 'stopping', reason })
    await gateway.stop(linger)
    observe({ type: 'stopped' })
  } finally {
    log.end()
  }
}

function createObservers(config: Config, host: typeof processHost) {
  const metrics = createMetrics()
  const log = host.createLog(config, (count) => metrics.observe({ type: 'log-lines-lost', count }))
  const serverTimes = new ServerTimes()
  const observe: Observe = (observation) => {
    metrics.observe(observation)
    log.observe(observation)
    serverTimes.note(observation)
  }
  return { metrics, log, serverTimes, observe }
}

async function start(
  config: Config,
  isWorker: boolean,
  reread: () => Config,
  { metrics, serverTimes, observe }: ReturnType<typeof createObservers>,
) {
  const database = await openDatabase(config, observe)
  const listeners: Pick<Listener, 'close'>[] = []
  const stop = async (linger?: number) => {
    await Promise.all(listeners.map(({ close }) => close(linger)))
    await database.store.close()
  }
  try {
    const context = { config, database, metrics, observe }
    const hasWorkers = config.workers > 1 && !isWorker
    const service = hasWorkers
      ? await (await import('./workers.ts')).startWorkers(context)
      : await serveRequests(context, isWorker)
    listeners.push(service)
    // New workers have the latest settings. A process without workers keeps those of its start.
    let latest = config
    const settings = () => (hasWorkers ? latest : config)
    // A worker has no admin port: the first process has it.
    const admin = isWorker ? null : await listenAdmin({ service, database, serverTimes, settings }, observe)
    if (admin !== null) listeners.push(admin)

    const exchange = async () => {
      latest = reread()
      await database.exchange(latest)
    }
    const report = (error: unknown) => observe({ type: 'reload-failed', reason: messageOf(error) })
    const reload = async () => {
      // A failed part stays as it was. The database may take long, and the rest does not wait for it.
      await Promise.all([exchange().catch(report), service.reload(latest).catch(report)])
    }
    return { url: service.url, adminUrl: admin?.url ?? null, database, reload, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function serveRequests(context: ServeContext, isWorker: boolean): Promise<GatewayService> {
  const { config, database, metrics, observe } = context
  const app = await createApp(config, database.store, observe)
  const connectionLimit = { maxConnections: config.maxConnections, observe }
  const server = await listenOrExplain('', app, { ...config, connectionLimit })
  const count = async (scope: Scope) => {
    const storeReady = scope === 'page' ? null : (await database.whyUnavailable()) === null
    return metrics.read({ inFlight: app.inFlight(), isMemoryFull: app.memory.isFull(), storeReady })
  }
  const reportLast = isWorker ? (await import('./worker.ts')).reportCounts(count) : null
  return {
    url: server.url,
    whyNotServing: () =>
      app.memory.isFull() ? 'clients do not read their responses, which take all memory for them' : null,
    count: async (scope) => ({ counted: [await count(scope)], wanted: 1, listening: 1, silent: 0 }),
    operations: () => app.operations,
    reload: async (latest) => {
      app.operations?.renew(latest)
      await app.reload()
    },
    close: async (linger) => {
      await server.close(linger)
      await app.close()
      // lookup_store_ready is the lowest value of all processes: an ending worker must not lower it.
      await reportLast?.(await metrics.read({ inFlight: 0, storeReady: true }))
    },
  }
}

/** @returns a function that starts a reload; any number of calls during a reload start one more after it */
function createReload(work: () => Promise<void>): () => void {
  let isWaiting = false
  let last = Promise.resolve()
  return () => {
    if (isWaiting) return
    isWaiting = true
    last = last.then(() => {
      isWaiting = false
      return work()
    })
  }
}
