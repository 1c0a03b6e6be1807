// Several processes behind one port. The first process answers no requests: it starts the others, replaces
// workers that die, and adds up the counts of all. Each worker accepts connections from one queue of the system:
// a connection that waits in the queue is not lost when a worker dies.

import { once } from 'node:events'
import { urlFor } from '../http/server.ts'
import type { Counts } from '../observe/counts.ts'
import type { Observe } from '../observe/events.ts'
import { addUp } from '../observe/metrics.ts'
import type { CountsOfAll } from '../operations/samples.ts'
import { CommandError, USAGE_STATUS, UsageError } from '../terminal/command-error.ts'
import { createRestart } from './restart.ts'
import type { Asked } from './worker.ts'
import { startWorker, tell, untilListening, type WorkerProcess } from './worker-process.ts'
import { createWorkerSlot } from './worker-slot.ts'

const cluster = process.getBuiltinModule('node:cluster')
const net = process.getBuiltinModule('node:net')

/** Milliseconds that a worker has to say what it has counted. */
const METRICS_TIMEOUT_MS = 1000
/** Series of a metric that are kept of dead workers: clients of GraphQL choose names, and could fill memory. */
const MAX_KEPT_SERIES = 3000

export interface Workers {
  readonly url: string
  /** What all processes have counted, those that have ended included. */
  readonly count: (asked: Asked) => Promise<CountsOfAll>
  /** Whether any worker takes connections. */
  readonly isServing: () => boolean
  /** Replaces every worker: they read the code and `.env` anew. */
  readonly restart: () => void
  /** Lets every worker finish its requests. */
  readonly close: () => Promise<void>
}

interface WorkersOptions {
  readonly workers: number
  readonly port: number
  readonly host: string
  /** What this process has counted itself. */
  readonly read: (asked: Asked) => Promise<Counts>
  readonly observe: Observe
}

/** @throws CommandError when a worker cannot start; it has said why */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { workers: count, host, read, observe } = options
  const port = options.port === 0 ? await findPort(host) : options.port
  cluster.schedulingPolicy = cluster.SCHED_NONE
  // A worker that starts later listens beside the others, whatever `.env` has become.
  const pinned = ['--port', String(port), '--host', host, '--workers', String(count)]
  cluster.setupPrimary()
  cluster.setupPrimary({ args: [...(cluster.settings.args ?? []), ...pinned] })

  const closing = new AbortController()
  /** The last counts of each worker. */
  const alive = new Map<WorkerProcess, Counts>()
  /** The counts of dead workers together. */
  let gone: Promise<Counts> = Promise.resolve([])
  const isServing = () => [...alive.keys()].some(({ isListening }) => isListening())
  // A worker that listened before, and no longer listens, is ending.
  const isStaffed = () =>
    [...alive.keys()].some(({ isListening, hasListened }) => isListening() || !hasListened())

  function start(): WorkerProcess {
    const child = startWorker()
    alive.set(child, [])
    child.worker.on('message', ({ counted }: { counted?: Counts }) => {
      const known = alive.get(child)
      if (counted === undefined || known === undefined) return
      // A look has some metrics only: the others stay as they were.
      alive.set(child, [...new Map([...known, ...counted].map((metric) => [metric.name, metric])).values()])
    })
    void child.ended.then(async () => {
      // The last message of a worker may be read after its exit.
      if (child.worker.isConnected()) await once(child.worker, 'disconnect')
      gone = addCounts(gone, alive.get(child) ?? [])
      alive.delete(child)
    })
    return child
  }

  async function close(): Promise<void> {
    closing.abort()
    await Promise.all([...alive.keys()].map(({ stop }) => stop()))
  }

  // The first worker starts alone: if the port or the data is wrong, only one worker complains.
  const first = start()
  const failure = await untilListening(first)
  const others = failure === null ? Array.from({ length: count - 1 }, start) : []
  const failures = await Promise.all(others.map(untilListening))
  if (others.length < count - 1 || failures.some((failure) => failure !== null)) {
    await close()
    // Files that settings name are read there: its complaint is that of this command.
    throw new (failure === `exit ${USAGE_STATUS}` ? UsageError : CommandError)('No worker could start.')
  }

  const keeping = { start, isStaffed, observe, closing: closing.signal }
  const slots = [first, ...others].map((child) => createWorkerSlot(child, keeping))
  const restart = createRestart(slots, keeping)
  const counting = async (asked: Asked): Promise<CountsOfAll> => {
    const own = await read(asked)
    const asking = [...alive.keys()].filter(({ worker }) => worker.isConnected())
    const said = await Promise.all(asking.map((child) => askMetrics(child, asked)))
    const listening = [...alive.keys()].filter((child) => child.isListening()).length
    const silent = said.filter((inTime) => !inTime).length
    return { counted: [own, await gone, ...alive.values()], wanted: count, listening, silent }
  }
  return { url: urlFor(host, port), count: counting, isServing, restart, close }
}

/**
 * Adds what a worker counted that is gone: a counter that fell would look to Prometheus as if all of it had
 * happened again. What it measured of the moment is gone with it.
 */
async function addCounts(before: Promise<Counts>, counted: Counts): Promise<Counts> {
  const sum = await before
  const full = new Set(sum.filter(({ values }) => values.length > MAX_KEPT_SERIES).map(({ name }) => name))
  const added = counted.filter(({ name, type }) => String(type) !== 'gauge' && !full.has(name))
  return addUp([sum, added], /^/)
}

/** A free port, which the first worker has yet to take: what it says of an address without one is better. */
function findPort(host: string): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().once('error', () => resolve(0))
    server.listen(0, host, () => {
      const address = server.address()
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0))
    })
  })
}

/** Has a worker say what it has counted. @returns whether it has, in time */
function askMetrics({ worker }: WorkerProcess, asked: Asked): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (inTime: boolean) => {
      clearTimeout(late)
      worker.off('message', listen)
      resolve(inTime)
    }
    const listen = (message: { asked?: Asked }) => message.asked === asked && done(true)
    const late = setTimeout(() => done(false), METRICS_TIMEOUT_MS)
    worker.on('message', listen)
    tell(worker, asked)
  })
}
