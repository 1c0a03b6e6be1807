// Measures contenders under workloads: each figure is from a fresh process.

import { isDeepStrictEqual } from 'node:util'
import type { Contender } from './contenders.ts'
import type { Stores } from './data.ts'
import { runClient, runLoad } from './load.ts'
import { freePort, messageOf, startServer } from './processes.ts'
import { templateOf, type Workload, workloads } from './workloads.ts'

/** By name. The first one is what the others are compared with. */
export type Contenders = Readonly<Record<string, Contender>>

export interface Sample {
  readonly workload: string
  readonly contender: string
  readonly round: number
  /** In the order of the columns. */
  readonly figures: readonly number[]
}

/** A workload of a contender, and its request. */
interface Job extends Pick<Sample, 'workload' | 'contender'> {
  readonly entry: Contender
  readonly request: Workload
}

export interface Measure {
  readonly columns: readonly string[]
  /** @returns figures by workload */
  readonly measure: (job: Job, seed: number) => Promise<Readonly<Record<string, readonly number[]>>>
}

/** In an open loop, a slow response must not delay the next request. */
const OPEN_CONNECTIONS = 64
/** Seconds until V8 has compiled most servers. */
const WARM_UP = 2
const CHECKED_REQUESTS = 20

const started = performance.now()

/** Writes a line of progress. */
export function say(text: string): void {
  const seconds = Math.round((performance.now() - started) / 1000)
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  process.stderr.write(`${clock.padStart(6)}  ${text}\n`)
}

const valuesOf = ({ ids, usernames }: Stores, { isByName }: Workload) => (isByName ? usernames : ids)

/** Starts a contender for as long as `use` takes. */
async function withServer<Result>(
  { sqlite, postgres, folder }: Stores,
  { programs, isOverPostgres }: Contender,
  use: (server: { port: number; cpu: () => number }) => Promise<Result>,
): Promise<Result> {
  const database = isOverPostgres ? postgres : null
  const port = await freePort()
  const server = await startServer(programs({ port, database: database?.url ?? sqlite, folder }), port)
  try {
    return await use({ port, cpu: () => server.cpu() + (database?.cpu() ?? 0) })
  } finally {
    await server.stop()
  }
}

/** Sends the same requests to all contenders. @returns the jobs with the facts of the first contender */
export async function check(stores: Stores, contenders: Contenders, names: readonly string[]) {
  const expected = new Map<string, readonly unknown[]>()
  const jobs: Job[] = []
  for (const [contender, entry] of Object.entries(contenders)) {
    say(`checking the responses of ${entry.title}`)
    await withServer(stores, entry, async ({ port }) => {
      for (const [workload, own] of Object.entries<Workload>(workloads)) {
        if (!names.includes(workload) || !entry.workloads.includes(workload)) continue
        const request = entry.request ?? own
        const facts = await readFacts(stores, port, request)
        if (!expected.has(workload)) expected.set(workload, facts)
        if (entry.isConstant || isDeepStrictEqual(facts, expected.get(workload)))
          jobs.push({ workload, contender, entry, request })
        else say(`${workload} is left out: it has other facts, ${JSON.stringify(facts).slice(0, 200)}`)
      }
    }).catch((error: unknown) => say(`it is left out: ${messageOf(error)}`))
  }
  return jobs
}

/** Sends some requests by fetch, which reads whatever encoding a server chooses. */
async function readFacts(stores: Stores, port: number, workload: Workload): Promise<readonly unknown[]> {
  const { method, target, headers, body, between, count } = workload
  const { list } = valuesOf(stores, workload)
  const facts: unknown[] = []
  for (let at = 0; at < CHECKED_REQUESTS; at++) {
    const values = list.slice(at * count, (at + 1) * count).join(between)
    const url = `http://127.0.0.1:${port}${target.replace('{values}', values)}`
    const sent = body === '' ? null : body.replace('{values}', values)
    facts.push(factsOf(await (await fetch(url, { method, headers, body: sent })).text()))
  }
  return facts
}

/** Reads a response so that escapes, the order of members and the form of empty elements do not matter. */
function factsOf(text: string): unknown {
  if (!text.startsWith('{')) return text.replace(/<(\w+)><\/\1>/g, '<$1/>')
  const { data, ...others } = JSON.parse(text)
  if (data === undefined) return others
  // PostGraphile has one user at a time, and writes 64-bit integers as strings.
  return data.user ? [{ ...data.user, joinDate: Number(data.user.joinDate) }] : data.users
}

export const showFigure = (figure: number): string =>
  figure < 1000 ? String(Number(figure.toPrecision(3))) : Math.round(figure).toLocaleString('en')

/** Measures workload by workload, so that contenders which are compared share a minute. */
export async function run(jobs: readonly Job[], rounds: number, { columns, measure }: Measure) {
  const samples: Sample[] = []
  const groups = [...Map.groupBy(jobs, ({ workload }) => workload).values()]
  let done = 0
  for (let round = 1; round <= rounds; round++) {
    // The next round has the other order, so that a change of the machine's load hurts all alike.
    for (const job of groups.flatMap((group) => (round % 2 === 1 ? group : group.toReversed()))) {
      const { contender, entry } = job
      const place = `${++done} of ${jobs.length * rounds}: ${entry.title}`
      const found = await measure(job, round).catch((error: unknown) => {
        say(`${place}, ${job.workload} failed: ${messageOf(error)}`)
        return {}
      })
      for (const [workload, figures] of Object.entries(found)) {
        const texts = figures.map((figure, at) => `${showFigure(figure)} ${columns[at]}`)
        say(`${place}, ${workload}: ${texts.join(', ')}`)
        samples.push({ workload, contender, round, figures })
      }
    }
  }
  return samples
}

/** As many requests as the contender answers. */
export function cpuTime(stores: Stores, seconds: number, connections: number): Measure {
  const measure: Measure['measure'] = ({ workload, entry, request }, seed) =>
    withServer(stores, entry, async ({ port, cpu }) => {
      const kinds = [{ ...templateOf(request, stores.digits), name: workload, weight: 1 }]
      const { path: values } = valuesOf(stores, request)
      const load = { port, connections, rate: null, values, kinds }
      await runLoad({ ...load, seconds: entry.warmUp ?? WARM_UP, seed: 1000 + seed })
      const before = cpu()
      const { requests, seconds: took, errors } = await runLoad({ ...load, seconds, seed })
      if (errors > 0) throw new Error(`${errors} requests failed`)
      return { [workload]: [((cpu() - before) * 1e6) / requests, requests / took] }
    })
  return { columns: ['us per request', 'requests/s'], measure }
}

/** An open loop at a fixed rate: one request in ten is for 100 ids. */
export function latency(stores: Stores, seconds: number, rate: number): Measure {
  const kinds = [
    { ...templateOf(workloads['json-1'], stores.digits), name: 'json-1', weight: 9 },
    { ...templateOf(workloads['json-100'], stores.digits), name: 'json-100', weight: 1 },
  ]
  const measure: Measure['measure'] = ({ entry }, seed) =>
    withServer(stores, entry, async ({ port }) => {
      const load = { port, connections: OPEN_CONNECTIONS, rate, values: stores.ids.path, kinds }
      await runClient({ ...load, seconds: WARM_UP, seed: 1000 + seed })
      return (await runClient({ ...load, seconds, seed })).latencies
    })
  return { columns: ['p50 ms', 'p99 ms', 'p99.9 ms', 'errors'], measure }
}
