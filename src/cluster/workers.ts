// Several processes behind one port. The first process answers no requests: it starts the others, replaces
// those that die, and adds up what they have counted.

import { urlFor } from '../gateway/http/server.ts'
import type { Counted } from '../gateway/observe/metrics.ts'
import type { Observe } from '../observation.ts'
import type { CountedByAll } from '../operations/samples.ts'
import { CommandError, USAGE_STATUS, UsageError } from '../terminal/command-error.ts'
import { addCounts, renewCounts } from './lost-counts.ts'
import { createRestart } from './restart.ts'
import { createWaitingRoom } from './waiting-room.ts'
import type { Asked } from './worker.ts'
import { startWorker, stop, tell, untilListening, type WorkerProcess } from './worker-process.ts'
import { createWorkerSlot } from './worker-slot.ts'

const cluster = process.getBuiltinModule('node:cluster')
const net = process.getBuiltinModule('node:net')

/** Milliseconds that a worker has to say what it has counted. */
const METRICS_TIMEOUT_MS = 1000

export interface Workers {
  readonly url: string
  /** What all processes have counted, those that have ended included. */
  readonly count: (asked: Asked) => Promise<CountedByAll>
  /** Whether any worker takes connections. */
  readonly isServing: () => boolean
  /** Replaces every worker, one after the other: they read the code and `.env` anew. */
  readonly restart: () => void
  /** Lets every worker finish its requests. */
  readonly close: () => Promise<void>
}

interface WorkersOptions {
  readonly workers: number
  readonly port: number
  readonly host: string
  /** What this process has counted itself. */
  readonly read: (asked: Asked) => Promise<Counted>
  readonly observe: Observe
}

/** @throws CommandError when a worker cannot start; it has said why */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { workers: count, host, read, observe } = options
  const port = options.port === 0 ? await findPort(host) : options.port
  // A worker that starts later listens beside the others, whatever `.env` has become.
  const pinned = ['--port', String(port), '--host', host, '--workers', String(count)]
  cluster.setupPrimary()
  cluster.setupPrimary({ args: [...(cluster.settings.args ?? []), ...pinned] })

  const stopping = new AbortController()
  /** The workers, with what each had counted when it last said so; and what the lost ones had counted. */
  const alive = new Map<WorkerProcess, Counted>()
  let lost: Counted = []
  const isServing = () => [...alive.keys()].some(({ isListening }) => isListening())
  // One that listened and does no more is on its way out.
  const isStaffed = () =>
    [...alive.keys()].some(({ isListening, hasListened }) => isListening() || !hasListened())
  const room = createWaitingRoom(port, host)
  function start(): WorkerProcess {
    const child = startWorker()
    alive.set(child, [])
    // Other messages are about the clients' limits.
    child.worker.on('message', ({ counted }: { counted?: Counted }) => {
      const known = alive.get(child)
      if (counted !== undefined && known !== undefined) alive.set(child, renewCounts(known, counted))
    })
    room.watch(child, () => isServing() || stopping.signal.aborted)
    void child.ended.then(() => {
      lost = addCounts(lost, alive.get(child) ?? [])
      alive.delete(child)
    })
    return child
  }

  async function close(): Promise<void> {
    stopping.abort()
    room.close()
    await Promise.all([...alive.keys()].map(stop))
  }

  // One alone first: what is wrong with the port or the data is said once.
  const first = start()
  const failure = await untilListening(first)
  const others = failure === null ? Array.from({ length: count - 1 }, start) : []
  const failures = await Promise.all(others.map(untilListening))
  if (others.length < count - 1 || failures.some((failure) => failure !== null)) {
    await close()
    // Files that settings name are read there: its complaint is that of this command.
    throw new (failure === `exit ${USAGE_STATUS}` ? UsageError : CommandError)('No worker could start.')
  }

  const keeping = { start, isStaffed, observe, closing: stopping.signal }
  const slots = [first, ...others].map((child) => createWorkerSlot(child, keeping))
  const restart = createRestart(slots, keeping)
  const counting = async (asked: Asked): Promise<CountedByAll> => {
    const own = await read(asked)
    // One that takes no more connections has said what it had counted, and is not asked.
    const asking = [...alive.keys()].filter(({ worker }) => worker.isConnected())
    const said = await Promise.all(asking.map((child) => askMetrics(child, asked)))
    const listening = [...alive.keys()].filter((child) => child.isListening()).length
    const silent = said.filter((inTime) => !inTime).length
    return { counted: [own, lost, ...alive.values()], wanted: count, listening, silent }
  }
  return { url: urlFor(host, port), count: counting, isServing, restart, close }
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
function askMetrics(child: WorkerProcess, asked: Asked): Promise<boolean> {
  const { worker } = child
  return new Promise((resolve) => {
    const done = (inTime: boolean) => {
      clearTimeout(late)
      worker.off('message', listen)
      resolve(inTime)
    }
    const listen = (message: { asked?: Asked }) => message.asked === asked && done(true)
    const late = setTimeout(() => done(false), METRICS_TIMEOUT_MS)
    worker.on('message', listen)
    tell(child, asked)
  })
}
