// Measures one contender under one workload, in a fresh process.

import { join } from 'node:path'
import { type ClientRequest, clients } from './clients.ts'
import { type Contender, type ContenderName, contenders } from './contenders.ts'
import { cache } from './databases.ts'
import { freePort, type Server, startServer } from './processes.ts'
import type { Stores } from './stores.ts'
import { type Disturbed, watchOthers } from './undisturbed.ts'
import { type Format, type Workload, type WorkloadName, workloads } from './workloads.ts'
import { runLoad } from './wrk.ts'

/** What is measured: a contender, a workload, and how many users there are. */
export interface Cell {
  readonly workload: WorkloadName
  readonly contender: ContenderName
  readonly users: number
}

export const keyOf = ({ workload, contender, users }: Cell): string => `${workload} ${contender} ${users}`

/** How a contender is asked. */
export function formatOf({ workload, contender: name }: Cell): Format {
  const contender: Contender = contenders[name]
  return contender.format ?? workloads[workload].format
}

/** One measurement of a cell. */
export interface Sample extends Disturbed {
  readonly requestsPerSecond: number
  /** Latencies in milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Microseconds of processor time per request, a database server's included. */
  readonly cpu: number
  /** What of it is the database server's. */
  readonly databaseCpu: number
  /** MiB, without a database server. */
  readonly memory: number
}

export interface Duration {
  readonly warmUp: number
  readonly measured: number
}

/** Seconds until it is as fast as it will be. */
function warmUpOf({ contender: name }: Cell, { warmUp }: Duration): number {
  const contender: Contender = contenders[name]
  return Math.max(warmUp, contender.warmUp ?? 0)
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

/** Sends the query that a client later names by its hash. */
async function register(url: string, { client }: Workload): Promise<void> {
  if (client === undefined) return
  const { method, target, headers, registers }: ClientRequest = clients[client]
  if (registers === undefined) return
  const pairs = headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? ''] as const] : []))
  const response = await fetch(`${url}${target}`, {
    method,
    headers: Object.fromEntries(pairs),
    body: registers,
  })
  if (!response.ok) throw new Error(`the query cannot be registered: ${await response.text()}`)
}

export interface Conditions {
  readonly stores: Stores
  readonly bodyLength: number
  readonly seed: number
  readonly duration: Duration
}

export async function measure(
  cell: Cell,
  { stores, bodyLength, seed, duration }: Conditions,
): Promise<Sample> {
  const { workload, contender, users } = cell
  await stores.prepare(cell)
  const server = await start(contender, stores.urlOf(cell), bodyLength)
  try {
    await register(server.url, workloads[workload])
    const load = { workload: workloads[workload], format: formatOf(cell), users, seed, cores: '1' }
    await runLoad(server.url, { ...load, seconds: warmUpOf(cell, duration), seed: seed + 1000 })
    const others = watchOthers(server, stores, cell)
    const read = () => [server.cpu(), stores.cpuOf(cell)]
    const before = read()
    const result = await runLoad(server.url, { ...load, seconds: duration.measured })
    const [own = 0, database = 0] = read().map((now, index) => now - (before[index] ?? 0))
    if (result.errors > 0) throw new Error(`${result.errors} requests failed`)
    const perRequest = (seconds: number) => (seconds * 1e6) / result.requests
    return {
      requestsPerSecond: result.requests / result.seconds,
      p50: result.p50,
      p99: result.p99,
      cpu: perRequest(own + database),
      databaseCpu: perRequest(database),
      memory: server.peakMemory(),
      // Two workers are not bound to that core, and cannot be told from others.
      disturbance: contender === 'gateway-2' ? 0 : others(),
    }
  } finally {
    await server.stop()
  }
}
