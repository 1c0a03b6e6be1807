// One worker, as the first process sees it.

import type { Worker } from 'node:cluster'
import { once } from 'node:events'
import { closeUntaken, untilHandedOver } from './handover.ts'

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
}

export function startWorker(): WorkerProcess {
  const started = performance.now()
  const worker = cluster.fork()
  closeUntaken(worker.process)
  const ended = new Promise<string>((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ?? `exit ${code}`))
    // The system may have no process to give.
    worker.on('error', (error) => worker.process.pid === undefined && resolve(error.message))
  })
  worker.on('message', (message) => message === 'release' && void release(worker))
  const late = setTimeout(() => kill(worker, 'SIGKILL'), START_TIMEOUT_MS)
  void ended.then(() => clearTimeout(late))
  let listening = false
  worker.once('listening', () => {
    listening = true
    clearTimeout(late)
  })
  const isListening = () => listening && worker.isConnected()
  return { worker, ended, isListening, hasListened: () => listening, age: () => performance.now() - started }
}

/** Gives it no further connections. The last worker goes on until all that have come are with one. */
async function release(worker: Worker): Promise<void> {
  const isLast = () =>
    Object.values(cluster.workers ?? {}).every((other) => other === worker || !other?.isConnected())
  if (isLast()) await untilHandedOver()
  if (worker.isConnected()) worker.disconnect()
}

/** @returns why it never will, or `null` when it does */
export function untilListening({ worker, ended }: WorkerProcess): Promise<string | null> {
  return Promise.race([once(worker, 'listening').then(() => null), ended])
}

/** Lets a worker finish its requests and end; another has its place already, so that it may take its time. */
export function retire(child: WorkerProcess): Promise<void> {
  return end(child, END.one, () => tell(child, 'retire'))
}

/** Lets a worker finish its requests and end. */
export function stop(child: WorkerProcess): Promise<void> {
  return end(child, END.all, () => kill(child.worker, 'SIGTERM'))
}

async function end({ worker, ended }: WorkerProcess, patience: number, ask: () => void): Promise<void> {
  ask()
  // It may be frozen.
  const late = setTimeout(() => kill(worker, 'SIGKILL'), patience)
  await ended
  clearTimeout(late)
}

/**
 * A worker that has just died hears nothing, and that is no error: a call without a callback would make it
 * one.
 */
export function tell({ worker }: WorkerProcess, what: string): void {
  worker.send(what, () => {})
}

function kill({ process: child }: Worker, signal: NodeJS.Signals): void {
  child.kill(signal)
}
