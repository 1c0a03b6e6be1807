// Programs that run to an end, against others that do.

import { engines } from './engines.ts'
import type { Goal } from './goals.ts'
import { timeImports } from './imports.ts'
import { timeServerImports } from './server-imports.ts'
import { has } from './setup.ts'
import { timeStarts } from './starts.ts'
import { type ServerKind, serverKinds, serverTitles } from './workloads.ts'

/** Seconds, in the order of the rounds. */
export interface Timing {
  readonly ours: number[]
  readonly theirs: number[]
  /** Processor time, where it was measured. */
  readonly cpu?: { readonly ours: number[]; readonly theirs: number[] }
}

export type TimingName = 'import' | `${ServerKind}Import` | 'start'
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
  if (wanted.has('start')) timings.start = await timeStarts(database, starts, progress)
  return timings
}
