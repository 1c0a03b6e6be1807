// A worker, seen from both ends of its channel to the first process.

import { pause } from '../clock.ts'
import type { Counts } from '../observe/counts.ts'

const cluster = process.getBuiltinModule('node:cluster')

/** Milliseconds that a worker has until it listens, */
const START_TIMEOUT_MS = 30_000
/** to end when the service stops, to end when a successor has its place, */
const STOP_TIMEOUT_MS = 9_000
const RETIRE_TIMEOUT_MS = 30_000
/** and to send its counts. */
const COUNT_TIMEOUT_MS = 1_000

/** Metrics: `own` leaves out those of the process. To list its open files, for instance, takes milliseconds. */
export type Scope = 'all' | 'own'

/** What a worker sends; unasked and without a scope when it ends. */
interface Report {
  readonly counts: Counts
  readonly scope?: Scope
}

/** A worker, as the first process sees it. */
export class WorkerProcess {
  state: 'starting' | 'listening' | 'ending' = 'starting'
  readonly startedAt = performance.now()
  /** The latest counts, by the names of the metrics. */
  readonly counts = new Map<string, Counts[number]>()
  /** Resolves with `null` when the worker listens, or with the reason why it never will. */
  readonly started: Promise<string | null>
  /** Resolves with the reason. */
  readonly ended: Promise<string>
  /** Resolves after the last message, which may be read after the exit. */
  readonly disconnected: Promise<void>
  readonly #worker = cluster.fork()
  readonly #reports = new Map<Scope, PromiseWithResolvers<boolean>>()

  constructor() {
    const worker = this.#worker
    const ended = Promise.withResolvers<string>()
    const end = (reason: string) => {
      this.state = 'ending'
      ended.resolve(reason)
    }
    const late = setTimeout(() => {
      end(`not listening after ${START_TIMEOUT_MS / 1000} s`)
      worker.process.kill('SIGKILL')
    }, START_TIMEOUT_MS)
    worker.once('exit', (code, signal) => end(signal ?? `exit ${code}`))
    // The system may have no process to give.
    worker.on('error', (error) => worker.process.pid === undefined && end(error.message))
    const listening = new Promise<null>((resolve) => {
      worker.once('listening', () => {
        if (this.state === 'starting') this.state = 'listening'
        resolve(null)
      })
    })
    const disconnected = new Promise<void>((resolve) => {
      worker.once('disconnect', () => {
        this.state = 'ending'
        for (const report of this.#reports.values()) report.resolve(true)
        resolve()
      })
    })
    this.ended = ended.promise
    this.started = Promise.race([listening, this.ended]).finally(() => clearTimeout(late))
    this.disconnected = this.ended.then(() => (worker.isConnected() ? disconnected : undefined))
    worker.on('message', ({ counts = [], scope }: Partial<Report>) => {
      for (const metric of counts) this.counts.set(metric.name, metric)
      if (scope === undefined) return
      this.#reports.get(scope)?.resolve(true)
      this.#reports.delete(scope)
    })
  }

  /** Lets the worker finish its requests. A successor has its place: no client waits for the end. */
  async retire(): Promise<void> {
    this.#send('retire')
    await this.#end(RETIRE_TIMEOUT_MS)
  }

  async stop(): Promise<void> {
    this.#worker.process.kill('SIGTERM')
    await this.#end(STOP_TIMEOUT_MS)
  }

  /** Requests new counts. @returns whether they came in time, or will come unasked when the worker ends */
  async update(scope: Scope): Promise<boolean> {
    if (this.state === 'starting' || !this.#worker.isConnected()) return true
    const report = this.#reports.get(scope) ?? Promise.withResolvers<boolean>()
    this.#reports.set(scope, report)
    this.#send({ scope })
    return Promise.race([report.promise, pause(COUNT_TIMEOUT_MS).then(() => false)])
  }

  async #end(patience: number): Promise<void> {
    this.state = 'ending'
    // The worker may be frozen.
    const late = setTimeout(() => this.#worker.process.kill('SIGKILL'), patience)
    await this.ended
    clearTimeout(late)
  }

  /** Without a callback, a message to a worker that has just died would be an error. */
  #send(message: 'retire' | Pick<Report, 'scope'>): void {
    if (this.#worker.isConnected()) this.#worker.send(message, () => {})
  }
}

/** Whether this process is a worker. */
export const isWorker = cluster.isWorker

/**
 * In a worker: sends its counts when the first process requests them.
 * @returns sends the last counts, and closes the channel, which would keep this process running
 */
export function reportCounts(read: (scope: Scope) => Promise<Counts>): (last: Counts) => Promise<void> {
  const send = (report: Report) => new Promise<void>((resolve) => process.send?.(report, () => resolve()))
  const respond = async ({ scope }: Partial<Report>) => {
    if (scope !== undefined) await send({ counts: await read(scope), scope })
  }
  process.on('message', respond)
  return async (last) => {
    process.off('message', respond)
    await send({ counts: last })
    cluster.worker?.disconnect()
  }
}
