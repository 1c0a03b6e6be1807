// Programs that run to an end, against others that do.

import { engines } from './engines.ts'
import type { Goal } from './goals.ts'
import { timeImports } from './imports.ts'
import { type Latency, type LatencyStore, latencyStores } from './latency.ts'
import { timeServerImports } from './server-imports.ts'
import { has } from './setup.ts'
import { type StartName, timeStarts } from './starts.ts'
import { type ServerKind, serverKinds, serverTitles } from './workloads.ts'

/** Seconds, or for latencies milliseconds, in the order of the rounds. */
export interface Timing {
  readonly ours: number[]
  readonly theirs: number[]
  /** Processor time, where it was measured. */
  readonly cpu?: { readonly ours: number[]; readonly theirs: number[] }
}

export type TimingName =
  | 'import'
  | `${ServerKind}Import`
  | StartName
  | `${LatencyStore}Tail`
  | `${LatencyStore}Beside`
export type Timings = Partial<Record<TimingName, Timing>>

interface Effort {
  readonly users: number
  readonly rounds: number
  readonly starts: number
}

type Say = (text: string) => void

/** Times what some goals need. @param database the URL of a database to start over */
export async function timeAll(
  chosen: readonly Goal[],
  database: string,
  { users, rounds, starts }: Effort,
  { progress, note }: { progress: Say; note: Say },
): Promise<Timings> {
  const wanted = new Set(chosen.flatMap((goal) => (goal.kind === 'slower' ? goal.timing : [])))
  const timings: Timings = {}
  if (wanted.has('import')) {
    if (has('sqlite3')) timings.import = await timeImports(users, rounds, progress)
    else note('No import is timed. To do so: apt-get install sqlite3')
  }
  for (const kind of serverKinds) {
    if (!wanted.has(`${kind}Import`)) continue
    const { client, missing } = engines[kind]
    const lack = has(client.program) ? missing() : client.install
    if (lack === null)
      timings[`${kind}Import`] = await timeServerImports(engines[kind], users, rounds, progress)
    else note(`No import into ${serverTitles[kind]} is timed. To do so: ${lack}`)
  }
  if (wanted.has('start')) Object.assign(timings, await timeStarts(database, starts, progress))
  return timings
}

/** What goals compare of latencies: in each round, the same store. */
export function timingsOf(latencies: readonly Latency[]): Timings {
  const timings: Timings = {}
  for (const store of latencyStores) {
    const of = (contender: Latency['contender'], asPhp = false) =>
      latencies.filter(
        (latency) => latency.store === store && latency.contender === contender && latency.isAsPhp === asPhp,
      )
    const [ours, asPhp, theirs] = [of('gateway'), of('gateway', true), of('php')]
    const p99 = (latency: Latency) => latency.mixed.short.p99
    if (asPhp.length > 0) timings[`${store}Tail`] = { ours: asPhp.map(p99), theirs: theirs.map(p99) }
    if (ours.length > 0)
      timings[`${store}Beside`] = { ours: ours.map(p99), theirs: ours.map(({ alone }) => alone.short.p99) }
  }
  return timings
}
