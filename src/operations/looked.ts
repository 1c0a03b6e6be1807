// All that the page of operators is made of, as it is at one moment.

import type { CountsOf } from '../counts.ts'
import { addUp, type Counted } from '../gateway/observe/metrics.ts'
import { type Sample, type Samples, sampleOf } from './samples.ts'

/** What all processes have counted. */
export interface CountedByAll {
  readonly counted: readonly Counted[]
  readonly processes: Processes
}

export interface Processes {
  readonly wanted: number
  readonly listening: number
  /** Those that did not say in time what they have counted. */
  readonly silent: number
}

export interface Looked {
  readonly now: Sample
  readonly samples: Samples
  readonly counts: CountsOf
  readonly processes: Processes
}

export async function lookedAt({ counted, processes }: CountedByAll, samples: Samples): Promise<Looked> {
  const all = await addUp(counted, /^(?:lookup_|process_)/)
  const byName = new Map(all.map((metric) => [metric.name, metric.values]))
  const counts: CountsOf = (name) =>
    (byName.get(name) ?? []).map(({ labels, value }) => ({ labels: textsOf(labels), value }))
  return { now: sampleOf(all), samples, counts, processes }
}

function textsOf(labels: object): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]))
}
