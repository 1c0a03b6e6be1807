// Several processes behind one port. The first process answers no requests: it starts the others, replaces those
// that die, and adds up what they have counted.

import type { Worker } from 'node:cluster'
import { once } from 'node:events'
import { urlFor } from '../http/server.ts'
import { sumMetrics } from '../observe/metrics.ts'
import type { Observe } from '../observe/observation.ts'
import { CommandError } from './command-error.ts'

const cluster = process.getBuiltinModule('node:cluster')

/** Milliseconds before a worker that died is replaced, so that one that cannot start does not keep us busy. */
const PAUSE = 1000
/** Milliseconds that a worker has to say what it has counted. */
const PATIENCE = 1000

/** Whether this process is one of the others. */
export const isWorker = cluster.isWorker

export interface Workers {
  readonly url: string
  readonly metrics: () => Promise<string>
  /** Lets every worker finish its requests. */
  readonly close: () => Promise<void>
}

/** @throws CommandError when the first worker cannot start; it has said why */
export async function startWorkers(count: number, host: string, observe: Observe): Promise<Workers> {
  let closing = false
  cluster.on('exit', (worker, code, signal) => {
    if (closing || !started.has(worker)) return
    observe({ type: 'worker-lost', reason: signal ?? `exit ${code}` })
    setTimeout(() => !closing && fork(), PAUSE)
  })
  const started = new Set<Worker>()
  const fork = (): Worker => {
    const worker = cluster.fork()
    worker.once('listening', () => started.add(worker))
    return worker
  }

  // One alone first: what is wrong with the port or the data is said once.
  const first = fork()
  const port = await Promise.race([
    once(first, 'listening').then(([address]: { port: number }[]) => address?.port),
    once(first, 'exit').then(() => null),
  ])
  if (port == null) throw new CommandError('No worker could start.')
  await Promise.all(Array.from({ length: count - 1 }, () => once(fork(), 'listening')))

  const workers = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
  return {
    url: urlFor(host, port),
    metrics: async () => sumMetrics(await Promise.all(workers().map(askMetrics))),
    close: async () => {
      closing = true
      await Promise.all(
        workers().map((worker) => {
          const { process: child } = worker
          const exited = once(child, 'exit')
          child.kill('SIGTERM')
          return exited
        }),
      )
    },
  }
}

async function askMetrics(worker: Worker): Promise<string> {
  worker.send('metrics')
  const answer = once(worker, 'message', { signal: AbortSignal.timeout(PATIENCE) })
  return answer.then(
    ([text]) => String(text),
    () => '',
  )
}

/**
 * In a worker: tells the first process what was counted here, when it asks.
 * @returns how to stop, so that the process can end
 */
export function reportMetrics(print: () => string): () => void {
  process.on('message', () => process.send?.(print()))
  return () => process.disconnect?.()
}
