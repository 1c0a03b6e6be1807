// Several processes behind one port. The first process answers no requests: it starts the others, replaces those
// that die, and adds up what they have counted.

import type { Worker } from 'node:cluster'
import { once } from 'node:events'
import { urlFor } from '../http/server.ts'
import type { Counted } from '../observe/metrics.ts'
import type { Observe } from '../observe/observation.ts'
import { CommandError } from './command-error.ts'

const cluster = process.getBuiltinModule('node:cluster')

/** Milliseconds before a worker that died is replaced, so that one that cannot start does not keep us busy. */
const PAUSE = 1000
const ASK_METRICS = 'metrics'
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

/**
 * @param readOwn what this process has counted itself
 * @throws CommandError when a worker cannot start; it has said why
 */
export async function startWorkers(
  count: number,
  host: string,
  readOwn: () => Promise<Counted>,
  observe: Observe,
): Promise<Workers> {
  let replacing = false
  cluster.on('exit', (_worker, code, signal) => {
    if (!replacing) return
    observe({ type: 'worker-lost', reason: signal ?? `exit ${code}` })
    setTimeout(() => replacing && cluster.fork(), PAUSE)
  })

  const workers = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
  async function close(): Promise<void> {
    replacing = false
    await Promise.all(
      workers().map((worker) => {
        const { process: child } = worker
        const exited = once(child, 'exit')
        child.kill('SIGTERM')
        return exited
      }),
    )
  }

  try {
    // One alone first: what is wrong with the port or the data is said once.
    const port = await untilListening(cluster.fork())
    await Promise.all(Array.from({ length: count - 1 }, () => untilListening(cluster.fork())))
    replacing = true
    const metrics = async () => {
      const { printMetrics } = await import('../observe/metrics.ts')
      return printMetrics(await Promise.all([readOwn(), ...workers().map(askMetrics)]))
    }
    return { url: urlFor(host, port), metrics, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** @returns its port */
async function untilListening(worker: Worker): Promise<number> {
  const listening = once(worker, 'listening').then(([address]: { port: number }[]) => address?.port)
  const port = await Promise.race([listening, once(worker, 'exit').then(() => undefined)])
  if (port === undefined) throw new CommandError('No worker could start.')
  return port
}

/** What a worker has counted; nothing where it does not say in time. */
function askMetrics(worker: Worker): Promise<Counted> {
  return new Promise((resolve) => {
    const stop = (counted: Counted) => {
      clearTimeout(timer)
      worker.off('message', listen)
      resolve(counted)
    }
    // Other messages are about the clients' limits.
    const listen = (message: { counted?: Counted }) => message.counted && stop(message.counted)
    const timer = setTimeout(stop, PATIENCE, [])
    worker.on('message', listen)
    worker.send(ASK_METRICS)
  })
}

/**
 * In a worker: tells the first process what was counted here, when it asks.
 * @returns how to stop, so that the process can end
 */
export function reportMetrics(read: () => Promise<Counted>): () => void {
  process.on('message', async (message) => {
    if (message === ASK_METRICS) process.send?.({ counted: await read() })
  })
  // Disconnecting would end a worker there and then, with whatever else has to be said before its end (traces, say).
  return () => process.channel?.unref()
}
