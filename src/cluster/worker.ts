// Both ends of the channel between the first process and a worker: starts, stops, and reports of counts.

import { pause } from '../clock.ts'
import type { Counts } from '../observe/counts.ts'

const cluster = process.getBuiltinModule('node:cluster')

/** Milliseconds until a new worker listens. */
const START_TIMEOUT_MS = 30_000
/** Milliseconds until a worker ends when the service stops. */
const STOP_TIMEOUT_MS = 9_000
/** Milliseconds until a worker ends whose successor listens: no client waits for its end. */
const RETIRE_TIMEOUT_MS = 30_000
/** Milliseconds until a worker sends its counts. */
const COUNT_TIMEOUT_MS = 1_000

/** `page` leaves out the metrics of Node, which take milliseconds to read. */
export type Scope = 'scrape' | 'page'

/** A message from a worker. The last report, which a worker sends when it ends, has no scope. */
interface WorkerReport {
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
  readonly #worker = cluster.fork()
  readonly #reports = new Map<Scope, PromiseWithResolvers<boolean>>()
  #killing: NodeJS.Timeout | undefined

  constructor() {
    const worker = this.#worker
    const started = Promise.withResolvers<string | null>()
    const ended = Promise.withResolvers<string>()
    this.started = started.promise
    this.ended = ended.promise
    const end = (reason: string) => {
      clearTimeout(this.#killing)
      this.state = 'ending'
      started.resolve(reason)
      ended.resolve(reason)
      for (const report of this.#reports.values()) report.resolve(true)
    }
    worker.once('listening', () => {
      if (this.state !== 'starting') return
      clearTimeout(this.#killing)
      this.state = 'listening'
      started.resolve(null)
    })
    // A worker that ends by itself disconnects before it exits, and no longer listens.
    worker.once('disconnect', () => {
      this.state = 'ending'
    })
    worker.once('exit', (code, signal) => end(signal ?? `exit ${code}`))
    // The system may have reached its limit of processes.
    worker.on('error', (error) => worker.process.pid === undefined && end(error.message))
    worker.on('message', ({ counts = [], scope }: Partial<WorkerReport>) => {
      for (const metric of counts) this.counts.set(metric.name, metric)
      if (scope === undefined) return
      this.#reports.get(scope)?.resolve(true)
      this.#reports.delete(scope)
    })
    this.#killing = setTimeout(() => {
      end(`not listening after ${START_TIMEOUT_MS / 1000} s`)
      worker.process.kill('SIGKILL')
    }, START_TIMEOUT_MS)
  }

  /** Lets the worker finish its requests. */
  stop(): Promise<string> {
    this.#worker.process.kill('SIGTERM')
    return this.#end(STOP_TIMEOUT_MS)
  }

  /** Stops a worker whose successor listens. */
  retire(): Promise<string> {
    this.#send('retire')
    return this.#end(RETIRE_TIMEOUT_MS)
  }

  /** Requests new counts. @returns false if they did not come in time */
  async update(scope: Scope): Promise<boolean> {
    if (this.state === 'starting' || !this.#worker.isConnected()) return true
    const report = this.#reports.get(scope) ?? Promise.withResolvers<boolean>()
    this.#reports.set(scope, report)
    this.#send({ scope })
    return Promise.race([report.promise, pause(COUNT_TIMEOUT_MS).then(() => false)])
  }

  #end(timeout: number): Promise<string> {
    this.state = 'ending'
    clearTimeout(this.#killing)
    // The worker may be frozen.
    this.#killing = setTimeout(() => this.#worker.process.kill('SIGKILL'), timeout)
    return this.ended.finally(() => clearTimeout(this.#killing))
  }

  /** The callback ignores the error of a message to a worker that has just died. */
  #send(message: 'retire' | Pick<WorkerReport, 'scope'>): void {
    if (this.#worker.isConnected()) this.#worker.send(message, () => {})
  }
}

/** Whether this process is a worker. */
export const isWorker = cluster.isWorker

/**
 * In a worker: sends the counts when the first process requests them.
 * @returns a function that sends the last counts, and closes the channel, which would keep this process
 * running
 */
export function reportCounts(read: (scope: Scope) => Promise<Counts>): (last: Counts) => Promise<void> {
  const send = (report: WorkerReport) =>
    new Promise<void>((resolve) => process.send?.(report, () => resolve()))
  const respond = async ({ scope }: Partial<WorkerReport>) => {
    if (scope !== undefined) await send({ counts: await read(scope), scope })
  }
  process.on('message', respond)
  return async (counts) => {
    process.off('message', respond)
    await send({ counts })
    cluster.worker?.disconnect()
  }
}
