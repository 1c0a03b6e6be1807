// `lookup serve` with WORKERS=2 or more. The first process serves no requests: it starts workers, replaces
// them when they die or at SIGHUP, and adds up the metrics of all processes. All workers accept connections
// from one queue of the kernel, so a connection in the queue is not lost when a worker dies. A change here
// may lose requests at a restart (promise 5 of docs/promises.md): run the faults tests of test/cluster.

import { setTimeout as pause } from 'node:timers/promises'
import { openOperations } from '../app.ts'
import type { Config } from '../config/config.ts'
import { urlFor } from '../http/server.ts'
import type { Counts, CountsOfAll } from '../observe/counts.ts'
import type { Observe } from '../observe/events.ts'
import { addUp } from '../observe/metrics.ts'
import { CommandError, USAGE_STATUS, UsageError } from '../terminal/command-error.ts'
import type { GatewayService, ServeContext } from './serve.ts'
import { listenOrExplain } from './startup.ts'
import { type Scope, WorkerProcess } from './worker.ts'

const cluster = process.getBuiltinModule('node:cluster')

/** Milliseconds after which a worker has proved that it can run. */
const PROVEN_MS = 10_000
/** Milliseconds before the second replacement in a row of workers that died early; doubled each time. */
const DELAY_MS = 1_000
const MAX_DELAY_MS = 30_000
/** The same if no worker is left, since clients wait. */
const LAST_WORKER_DELAY_MS = 500

/** @throws CommandError if a worker cannot start; the worker has reported the reason */
export async function startWorkers({
  config,
  database,
  metrics,
  observe,
}: ServeContext): Promise<GatewayService> {
  const { workers, host } = config
  // Opened before the workers, which request the dial when they start.
  let operations = await openOperations(config, observe)
  const port = config.port === 0 ? await findPort(config) : config.port
  cluster.schedulingPolicy = cluster.SCHED_NONE
  // Later workers listen on the same port, even if `.env` then names another one.
  const pinned = ['--port', String(port), '--host', host, '--workers', String(workers)]
  cluster.setupPrimary()
  cluster.setupPrimary({ args: [...(cluster.settings.args ?? []), ...pinned] })
  const pool = new WorkerPool(workers, observe)
  await pool.open()
  return {
    url: urlFor(host, port),
    whyNotServing: () => (pool.countIn('listening') > 0 ? null : 'no worker is listening'),
    count: async (scope) => {
      const storeReady = scope === 'page' ? null : (await database.whyUnavailable()) === null
      return pool.count(scope, await metrics.read({ inFlight: 0, storeReady }))
    },
    operations: () => operations,
    reload: async (latest) => {
      if (operations === null) operations = await openOperations(latest, observe)
      else operations.renew(latest)
      await pool.restart()
    },
    close: () => pool.close(),
  }
}

/** Finds a free port for all workers. */
async function findPort({ host, timeouts }: Config): Promise<number> {
  const { url, close } = await listenOrExplain('', { handle: () => {} }, { port: 0, host, timeouts })
  await close(0)
  return Number(new URL(url).port)
}

/** One of the workers that the service should have. */
interface WorkerSlot {
  worker: WorkerProcess | null
  earlyDeaths: number
}

class WorkerPool {
  readonly #observe: Observe
  readonly #closing = new AbortController()
  readonly #workers = new Set<WorkerProcess>()
  readonly #slots: readonly WorkerSlot[]
  /** The counts of dead workers, added up. */
  #past: Promise<Counts> = Promise.resolve([])

  constructor(size: number, observe: Observe) {
    this.#slots = Array.from({ length: size }, () => ({ worker: null, earlyDeaths: 0 }))
    this.#observe = observe
  }

  async open(): Promise<void> {
    const failure = await this.#startAll()
    if (failure === null) return
    await this.close()
    // A worker reads the files that settings name, too: its exit status 2 is the status of this command.
    throw new (failure === `exit ${USAGE_STATUS}` ? UsageError : CommandError)('No worker could start.')
  }

  /** @param own the counts of this process */
  async count(scope: Scope, own: Counts): Promise<CountsOfAll> {
    const updated = await Promise.all([...this.#workers].map((worker) => worker.update(scope)))
    // No `await` between these two: a worker that ends is then counted once, not twice and not never.
    const [past, present] = [this.#past, [...this.#workers].map(({ counts }) => [...counts.values()])]
    return {
      counted: [own, await past, ...present],
      wanted: this.#slots.length,
      listening: this.countIn('listening'),
      silent: updated.filter((isUpdated) => !isUpdated).length,
    }
  }

  async restart(): Promise<void> {
    const { signal } = this.#closing
    if (signal.aborted) return
    this.#observe({ type: 'restarting' })
    const reason = await this.#startAll()
    if (signal.aborted) return
    this.#observe(reason === null ? { type: 'restarted' } : { type: 'restart-failed', reason })
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all([...this.#workers].map((worker) => worker.stop()))
  }

  countIn(state: WorkerProcess['state']): number {
    return [...this.#workers].filter((worker) => worker.state === state).length
  }

  /** Starts a worker for each slot, and retires its predecessor. @returns why one could not start */
  async #startAll(): Promise<string | null> {
    const { signal } = this.#closing
    const retired: Promise<unknown>[] = []
    const startIn = async (slot: WorkerSlot): Promise<string | null> => {
      if (signal.aborted) return null
      const worker = this.#start()
      const failure = await worker.started
      if (failure !== null || signal.aborted) return failure
      if (slot.worker !== null) retired.push(slot.worker.retire())
      this.#assign(slot, worker)
      return null
    }
    // Start one worker first. If it fails, the others would fail, too, and the current workers stay.
    const [first, ...others] = this.#slots
    const failure = first === undefined ? null : await startIn(first)
    const failures = failure === null ? await Promise.all(others.map(startIn)) : [failure]
    await Promise.all(retired)
    return failures.find((one) => one !== null) ?? null
  }

  #start(): WorkerProcess {
    const worker = new WorkerProcess()
    this.#workers.add(worker)
    void worker.ended.then(() => {
      this.#workers.delete(worker)
      this.#past = addCounts(this.#past, [...worker.counts.values()])
    })
    return worker
  }

  /** Assigns a worker to a slot, and a new worker when that one dies. */
  #assign(slot: WorkerSlot, worker: WorkerProcess): void {
    const { signal } = this.#closing
    const isOver = () => signal.aborted || slot.worker !== worker
    slot.worker = worker
    void worker.ended.then(async (reason) => {
      if (isOver()) return
      this.#observe({ type: 'worker-lost', reason })
      if (performance.now() - worker.startedAt > PROVEN_MS) slot.earlyDeaths = 0
      await pause(this.#delayFor(slot), undefined, { signal }).catch(() => {})
      slot.earlyDeaths++
      if (!isOver()) this.#assign(slot, this.#start())
    })
  }

  /** The first replacement is immediate. Later ones wait, so that a crash loop does not use all CPU time. */
  #delayFor({ earlyDeaths }: WorkerSlot): number {
    if (earlyDeaths === 0) return 0
    const isStaffed = this.countIn('listening') + this.countIn('starting') > 0
    return isStaffed ? Math.min(DELAY_MS * 2 ** (earlyDeaths - 1), MAX_DELAY_MS) : LAST_WORKER_DELAY_MS
  }
}

/**
 * Adds the counts of a dead worker, except its gauges. Otherwise a counter would fall, and Prometheus would
 * count all of its value again.
 */
async function addCounts(past: Promise<Counts>, counts: Counts): Promise<Counts> {
  return addUp([await past, counts.filter(({ type }) => type !== 'gauge')], /^/)
}
