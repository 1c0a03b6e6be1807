// Measures one contender under one workload, in a fresh process.

import { join } from 'node:path'
import { type Contender, type ContenderName, contenders } from './contenders.ts'
import { cache } from './databases.ts'
import { busyTime, freePort, type Server, startServer } from './processes.ts'
import { type WorkloadName, workloads } from './workloads.ts'
import { runLoad } from './wrk.ts'

/** What is measured: a contender, a workload, and how many users there are. */
export interface Cell {
  readonly workload: WorkloadName
  readonly contender: ContenderName
  readonly users: number
}

export const keyOf = ({ workload, contender, users }: Cell): string => `${workload} ${contender} ${users}`

/** One measurement of a cell. */
export interface Sample {
  readonly requestsPerSecond: number
  /** Latencies in milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Microseconds of processor time per request. */
  readonly cpu: number
  /** MiB. */
  readonly memory: number
  /** How much of the server's core went to others in the meantime, from 0 to 1. */
  readonly disturbance: number
}

export interface Duration {
  readonly warmUp: number
  readonly measured: number
}

/** Two workers get both cores, and share the second with the load generator: there are only two. */
const coresOf = (contender: ContenderName): string => (contender === 'gateway-2' ? '0,1' : '0')

export async function start(contender: ContenderName, database: string, bodyLength: number): Promise<Server> {
  const port = await freePort()
  const { commands }: Contender = contenders[contender]
  return startServer(commands({ port, database, bodyLength, folder: join(cache, contender) }), {
    url: `http://127.0.0.1:${port}`,
    cores: coresOf(contender),
    folder: cache,
  })
}

export async function measure(
  { workload: name, contender, users }: Cell,
  {
    database,
    bodyLength,
    seed,
    duration,
  }: { database: string; bodyLength: number; seed: number; duration: Duration },
): Promise<Sample> {
  const workload = workloads[name]
  const server = await start(contender, database, bodyLength)
  try {
    const load = { workload, users, seed, cores: '1' }
    await runLoad(server.url, { ...load, seconds: duration.warmUp, seed: seed + 1000 })
    const [before, busyBefore] = [server.cpu(), busyTime(0)]
    const result = await runLoad(server.url, { ...load, seconds: duration.measured })
    const [cpu, busy] = [server.cpu() - before, busyTime(0) - busyBefore]
    if (result.errors > 0) throw new Error(`${result.errors} requests failed`)
    return {
      requestsPerSecond: result.requests / result.seconds,
      p50: result.p50,
      p99: result.p99,
      cpu: (cpu * 1e6) / result.requests,
      memory: server.peakMemory(),
      // Two workers are not bound to that core, and cannot be told from others.
      disturbance: contender === 'gateway-2' ? 0 : Math.max(0, (busy - cpu) / result.seconds),
    }
  } finally {
    await server.stop()
  }
}
