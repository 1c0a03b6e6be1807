// How long requests take at half of what a contender can answer: an open loop, most requests for one user and
// some for a hundred.

import { fileURLToPath } from 'node:url'
import { type Contender, type ContenderName, contenders } from './contenders.ts'
import type { LoopOptions, LoopResult } from './load/open-loop.ts'
import { start } from './measure.ts'
import { messageOf, run } from './processes.ts'
import { alternating } from './statistics.ts'
import type { Stores } from './stores.ts'
import { type Disturbed, undisturbed, watchOthers } from './undisturbed.ts'
import type { StoreKind, WorkloadName } from './workloads.ts'

/** Of requests, those for a hundred users. */
const LONG_SHARE = 0.1
const WARM_UP_SECONDS = 3
const CAPACITY_SECONDS = 3

/** What is measured over each kind of store, and a workload that opens it. */
const measured = {
  sqlite: { workload: 'json-1', peers: ['by-hand-obvious', 'php'] },
  postgres: { workload: 'postgres-json-1', peers: ['one-query', 'php'] },
  mysql: { workload: 'mysql-json-1', peers: ['by-hand-mysql2', 'php'] },
} as const satisfies Partial<
  Record<StoreKind, { readonly workload: WorkloadName; readonly peers: readonly ContenderName[] }>
>

export type LatencyStore = keyof typeof measured
export const latencyStores: readonly LatencyStore[] = ['sqlite', 'postgres', 'mysql']

/** A contender over a store, once. */
export interface Latency extends Disturbed {
  readonly store: LatencyStore
  readonly contender: ContenderName
  readonly title: string
  /** Whether it is asked as much as nginx + PHP-FPM, which an operator comes from. */
  readonly isAsPhp: boolean
  /** Requests a second: half of what can be answered. */
  readonly rate: number
  readonly mixed: LoopResult
  /** Requests for one user, as many as before, with no others beside them. */
  readonly alone: LoopResult
}

/** The cells whose stores have to be open. */
export const cellOf = (store: LatencyStore) =>
  ({ workload: measured[store].workload, contender: 'gateway', users: 1_000_000 }) as const

export interface LatencyEffort {
  readonly rounds: number
  readonly seconds: number
}

/** @param isPossible whether a contender can be measured over a store here */
export async function measureLatencies(
  stores: Stores,
  { rounds, seconds }: LatencyEffort,
  isPossible: (store: LatencyStore, contender: ContenderName) => boolean,
  say: Record<'progress' | 'note', (text: string) => void>,
): Promise<readonly Latency[]> {
  const latencies: Latency[] = []
  for (let round = 1; round <= rounds; round++)
    for (const store of latencyStores) {
      const names: readonly ContenderName[] = ['gateway', ...measured[store].peers]
      const add = async (contender: ContenderName, rate: number | null): Promise<Latency | null> => {
        const name = `latency, ${store}, ${contender}${rate === null ? '' : ' as PHP'}, round ${round}`
        const one = { stores, store, contender, rate, seconds, seed: round }
        const latency = await undisturbed(name, () => measureOne(one), say).catch((error: unknown) => {
          say.note(`${name} failed: ${messageOf(error)}`)
          return null
        })
        if (latency === null) return null
        latencies.push(latency)
        const { p99 } = latency.mixed.short
        say.progress(`latency, ${store}, ${contender}: p99 ${p99.toFixed(2)} ms at ${latency.rate}/s`)
        return latency
      }
      for (const contender of alternating(names, round)) {
        if (!isPossible(store, contender)) continue
        const latency = await add(contender, null)
        if (contender === 'php' && latency !== null) await add('gateway', latency.rate)
      }
    }
  return latencies
}

interface Measured {
  readonly stores: Stores
  readonly store: LatencyStore
  readonly contender: ContenderName
  /** Requests a second, where it is not half of what it can answer. */
  readonly rate: number | null
  readonly seconds: number
  readonly seed: number
}

async function measureOne({ stores, store, contender, rate, seconds, seed }: Measured): Promise<Latency> {
  const server = await start(contender, stores.urlOf(cellOf(store)), 0)
  const port = Number(new URL(server.url).port)
  let phase = 0
  let disturbance = 0
  const ask = async (options: Pick<LoopOptions, 'rate' | 'seconds' | 'long'>) => {
    const others = watchOthers(server, stores, cellOf(store))
    // Other users each time: what was asked for before is known.
    const result = await loop({ port, users: 1_000_000, seed: 1000 * ++phase + seed, ...options })
    // Of the phases, the most: a short one that was disturbed spoils what follows from it.
    disturbance = Math.max(disturbance, others())
    return result
  }
  try {
    await ask({ rate: null, seconds: WARM_UP_SECONDS, long: LONG_SHARE })
    disturbance = 0
    const busy = await ask({ rate: null, seconds: CAPACITY_SECONDS, long: LONG_SHARE })
    const answers = busy.short.count + busy.long.count - busy.errors
    const asked = rate ?? Math.round(answers / CAPACITY_SECONDS / 2)
    const mixed = await ask({ rate: asked, seconds, long: LONG_SHARE })
    const alone = await ask({ rate: asked * (1 - LONG_SHARE), seconds, long: 0 })
    const { title }: Contender = contenders[contender]
    const isAsPhp = rate !== null
    return {
      ...{ store, contender, rate: asked, isAsPhp, mixed, alone, disturbance },
      title: isAsPhp ? `${title}, asked as much as PHP` : title,
    }
  } finally {
    await server.stop()
  }
}

const script = fileURLToPath(new URL('load/open-loop.ts', import.meta.url))

async function loop(options: LoopOptions): Promise<LoopResult> {
  const args = ['-c', '1', process.execPath, script, JSON.stringify(options)]
  return JSON.parse(await run({ file: 'taskset', args }, '.'))
}
