// Runs a gateway through requests of each kind and faults of its database, and reads its log and metrics.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fill } from '../kit/gateway.ts'
import { startServe } from '../kit/served.ts'
import { ask, askAll, data, lookups } from './telling.ts'

export interface Visit {
  /** The text of /metrics. */
  readonly metrics: string
  readonly log: readonly Readonly<Record<string, unknown>>[]
  readonly requests: number
}

/** A fault of the database, and its end. */
interface Fault {
  readonly begin: () => unknown
  readonly end: () => unknown
}

/** @param folder where the data files and `lookup.db` are */
export async function visit(
  folder: string,
  settings: Readonly<Record<string, string>>,
  faults: readonly Fault[],
): Promise<Visit> {
  const gateway = await startServe({ LOG_LEVEL: 'debug', LOG_SAMPLE: '1', ...settings }, folder)
  let requests = await askAll(gateway.url)
  for (const { begin, end } of faults) {
    await begin()
    for (const target of lookups) await ask(gateway.url, target)
    await end()
    requests += lookups.length
  }
  const metrics = await (await fetch(`${gateway.admin}/metrics`)).text()
  await gateway.stop()
  return { metrics, log: gateway.log(), requests }
}

/** Fills a database with the rows of `data`. */
export async function fillTelling(folder: string, database: Parameters<typeof fill>[0]): Promise<void> {
  for (const name of ['users', 'apps'] as const) {
    const file = join(folder, `${name}.jsonl`)
    writeFileSync(file, `${data[name]}\n`)
    await fill(database, name, file)
  }
}
