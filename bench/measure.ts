// Measures contenders under workloads: each figure is from a fresh process, which runs beside its rivals.

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

type Running = Job & Awaited<ReturnType<typeof open>>

export interface Measure {
  readonly columns: readonly string[]
  /** Measures the servers of one workload, which all run. @returns samples without their round */
  readonly measure: (running: readonly Running[], seed: number) => Promise<readonly Omit<Sample, 'round'>[]>
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

/** Starts a contender. */
async function open({ sqlite, postgres, folder }: Stores, { programs, isOverPostgres }: Contender) {
  const database = isOverPostgres ? postgres : null
  const port = await freePort()
  const server = await startServer(programs({ port, database: database?.url ?? sqlite, folder }), port)
  return { port, cpu: () => server.cpu() + (database?.cpu() ?? 0), stop: server.stop }
}

/** Sends the same requests to all contenders. @returns the jobs with the facts of the first contender */
export async function check(stores: Stores, contenders: Contenders, names: readonly string[]) {
  const expected = new Map<string, readonly unknown[]>()
  const jobs: Job[] = []
  for (const [contender, entry] of Object.entries(contenders)) {
    say(`checking the responses of ${entry.title}`)
    try {
      const { port, stop } = await open(stores, entry)
      for (const [workload, own] of Object.entries<Workload>(workloads)) {
        if (!names.includes(workload) || !entry.workloads.includes(workload)) continue
        const request = entry.request ?? own
        const facts = await readFacts(stores, port, request)
        if (!expected.has(workload)) expected.set(workload, facts)
        if (entry.isConstant || isDeepStrictEqual(facts, expected.get(workload)))
          jobs.push({ workload, contender, entry, request })
        else say(`${workload} is left out: it has other facts, ${JSON.stringify(facts).slice(0, 200)}`)
      }
      await stop()
    } catch (error) {
      // If it still runs, it ends with this process.
      say(`it is left out: ${messageOf(error)}`)
    }
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

/**
 * Measures workload by workload. In each round, the servers of a workload are started anew, and run together.
 */
export async function run(
  stores: Stores,
  jobs: readonly Job[],
  rounds: number,
  { columns, measure }: Measure,
) {
  const samples: Sample[] = []
  for (let round = 1; round <= rounds; round++) {
    for (const [workload, group] of Map.groupBy(jobs, (job) => job.workload)) {
      const running: Running[] = []
      try {
        for (const job of group) running.push({ ...job, ...(await open(stores, job.entry)) })
        for (const sample of await measure(running, round)) {
          const texts = sample.figures.map((figure, at) => `${showFigure(figure)} ${columns[at]}`)
          say(`round ${round} of ${rounds}: ${sample.contender}, ${sample.workload}: ${texts.join(', ')}`)
          samples.push({ ...sample, round })
        }
      } catch (error) {
        say(`round ${round} of ${rounds}: ${workload} failed: ${messageOf(error)}`)
      }
      for (const { stop } of running) await stop()
    }
  }
  return samples
}

/**
 * As many requests as the contender answers. The contenders take turns of one second, so that a change of the
 * machine's load hurts all alike.
 */
export function cpuTime(stores: Stores, seconds: number, connections: number): Measure {
  const measure: Measure['measure'] = async (running, seed) => {
    const turns = running.map(({ workload, contender, request, entry, port, cpu }) => {
      const kinds = [{ ...templateOf(request, stores.digits), name: workload, weight: 1 }]
      const load = { port, connections, rate: null, values: valuesOf(stores, request).path, kinds }
      return { workload, contender, entry, load, cpu, used: 0, requests: 0, seconds: 0 }
    })
    for (const { load, entry } of turns)
      await runLoad({ ...load, seconds: entry.warmUp ?? WARM_UP, seed: 1000 + seed })
    for (let second = 0; second < seconds; second++)
      for (const turn of second % 2 === 0 ? turns : turns.toReversed()) {
        const before = turn.cpu()
        const result = await runLoad({ ...turn.load, seconds: 1, seed: seed * 100 + second })
        if (result.errors > 0) throw new Error(`${result.errors} requests of ${turn.contender} failed`)
        turn.used += turn.cpu() - before
        turn.requests += result.requests
        turn.seconds += result.seconds
      }
    return turns.map(({ workload, contender, used, requests, seconds }) => {
      return { workload, contender, figures: [(used * 1e6) / requests, requests / seconds] }
    })
  }
  return { columns: ['us per request', 'requests/s'], measure }
}

/** An open loop at a fixed rate: one request in ten is for 100 ids. */
export function latency(stores: Stores, seconds: number, rate: number): Measure {
  const kinds = [
    { ...templateOf(workloads['json-1'], stores.digits), name: 'json-1', weight: 9 },
    { ...templateOf(workloads['json-100'], stores.digits), name: 'json-100', weight: 1 },
  ]
  const measure: Measure['measure'] = async (running, seed) => {
    const samples: Omit<Sample, 'round'>[] = []
    // The next round has the other order, so that a change of the machine's load hurts all alike.
    for (const { contender, port } of seed % 2 === 1 ? running : running.toReversed()) {
      const load = { port, connections: OPEN_CONNECTIONS, rate, values: stores.ids.path, kinds }
      await runClient({ ...load, seconds: WARM_UP, seed: 1000 + seed })
      const { latencies } = await runClient({ ...load, seconds, seed })
      for (const [workload, figures] of Object.entries(latencies))
        samples.push({ workload, contender, figures })
    }
    return samples
  }
  return { columns: ['p50 ms', 'p99 ms', 'p99.9 ms', 'errors'], measure }
}
