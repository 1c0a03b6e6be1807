// One worker, as the first process sees it.

import type { Worker } from 'node:cluster'
import { once } from 'node:events'

const cluster = process.getBuiltinModule('node:cluster')

/** Milliseconds that a worker has until it listens. */
const START_TIMEOUT_MS = 30_000
/**
 * Milliseconds that a worker has to end: when the service stops, and when only it does, so that no client
 * waits.
 */
const END = { all: 9_000, one: 30_000 }

export interface WorkerProcess {
  readonly worker: Worker
  /** Why it has ended, or could not be started. */
  readonly ended: Promise<string>
  /** Whether it takes connections. */
  readonly isListening: () => boolean
  /** Whether it ever did. */
  readonly hasListened: () => boolean
  /** Milliseconds since it was started. */
  readonly age: () => number
  /** Lets it finish its requests and end; another has its place already, so that it may take its time. */
  readonly retire: () => Promise<void>
  /** Lets it finish its requests and end. */
  readonly stop: () => Promise<void>
}

export function startWorker(): WorkerProcess {
  const started = performance.now()
  const worker = cluster.fork()
  const ended = new Promise<string>((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ?? `exit ${code}`))
    // The system may have no process to give.
    worker.on('error', (error) => worker.process.pid === undefined && resolve(error.message))
  })
  const late = setTimeout(() => worker.process.kill('SIGKILL'), START_TIMEOUT_MS)
  void ended.then(() => clearTimeout(late))
  let hasListened = false
  let isEnding = false
  worker.once('listening', () => {
    hasListened = true
    clearTimeout(late)
  })

  async function end(patience: number, ask: () => void): Promise<void> {
    isEnding = true
    ask()
    // It may be frozen.
    const late = setTimeout(() => worker.process.kill('SIGKILL'), patience)
    await ended
    clearTimeout(late)
  }

  return {
    worker,
    ended,
    isListening: () => hasListened && !isEnding && worker.isConnected(),
    hasListened: () => hasListened,
    age: () => performance.now() - started,
    retire: () => end(END.one, () => tell(worker, 'retire')),
    stop: () => end(END.all, () => void worker.process.kill('SIGTERM')),
  }
}

/** @returns why it never will, or `null` when it does */
export function untilListening({ worker, ended }: WorkerProcess): Promise<string | null> {
  return Promise.race([once(worker, 'listening').then(() => null), ended])
}

/**
 * A worker that has just died hears nothing, and that is no error: a call without a callback would make it
 * one.
 */
export function tell(worker: Worker, what: string): void {
  worker.send(what, () => {})
}
