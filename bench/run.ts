// npm run bench: measures the gateway and its peers, and says which goals are reached.
//
//   npm run bench                         everything: an hour
//   npm run bench -- --quick              one short round, without ten million users
//   npm run bench -- --only P1,P4         some of the goals
//   npm run bench -- --against HEAD~1     this tree against an earlier commit; fails above 10 %

import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { drawChart } from './chart.ts'
import { type Contender, contenders } from './contenders.ts'
import { engines } from './engines.ts'
import { askFacts, difference } from './facts.ts'
import { cellsOf, type Goal, goals, judge, MILLION, regressions } from './goals.ts'
import { cellOf, type LatencyStore, latencyStores, measureLatencies } from './latency.ts'
import { type Cell, formatOf, keyOf, measure, type Sample, start } from './measure.ts'
import { messageOf } from './processes.ts'
import { writeReadme } from './readme.ts'
import {
  printLatencies,
  printOutcomes,
  printRows,
  printTimings,
  summarize,
  summarizeTimings,
} from './report.ts'
import { checkOut, checkPrograms, gatewayKnows, installPeers } from './setup.ts'
import { alternating } from './statistics.ts'
import { openStores, type Stores } from './stores.ts'
import { type TimingName, timeAll, timingsOf } from './timings.ts'
import { undisturbed } from './undisturbed.ts'
import { type Format, serverTitles, storeOf, workloads } from './workloads.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    only: { type: 'string' },
    against: { type: 'string' },
  },
})
const rounds = Number(options.rounds ?? (options.quick ? 1 : 3))
const measured = Number(options.seconds ?? (options.quick ? 2 : 5))
const duration = { measured, warmUp: options.quick ? 1 : 2 }
const notes: string[] = []

const started = performance.now()
function progress(text: string): void {
  const seconds = Math.round((performance.now() - started) / 1000)
  process.stderr.write(
    `${String(Math.floor(seconds / 60)).padStart(3)}:${String(seconds % 60).padStart(2, '0')}  ${text}\n`,
  )
}
function note(text: string): void {
  if (notes.includes(text)) return
  notes.push(text)
  progress(`NOTE: ${text}`)
}

const shorten = (value: number): number => Number(value.toPrecision(6))

function chooseGoals(): readonly Goal[] {
  if (options.against !== undefined) return regressions
  const ids = options.only?.toUpperCase().split(',')
  return goals.filter(({ id }) => ids === undefined || ids.includes(id))
}

/** Every cell that some goal needs, once, workload by workload. */
function cellsToMeasure(chosen: readonly Goal[]): readonly Cell[] {
  const cells = new Map(chosen.flatMap(cellsOf).map((cell) => [keyOf(cell), cell]))
  const order = Object.keys(workloads)
  return [...cells.values()].toSorted((a, b) => order.indexOf(a.workload) - order.indexOf(b.workload))
}

/** Whether a cell can be measured here; notes why not. */
function isPossible({ contender: name, workload }: Cell): boolean {
  const { title, missing }: Contender = contenders[name]
  const store = storeOf(workload)
  const noServer = store === 'sqlite' ? null : engines[store].missing()
  const lack = missing?.(store) ?? null
  if (store !== 'sqlite' && noServer !== null)
    note(`Nothing is measured over ${serverTitles[store]}. To do so: ${noServer}`)
  else if (lack !== null) note(`${title} is left out. To measure it: ${lack}`)
  else if (name === 'gateway-2' && !gatewayKnows('--workers')) note('serve --workers is not built yet.')
  else return true
  return false
}

/** Whether some goal needs the latencies over a store, which can be opened here. */
function isLatencyChosen(goals: readonly Goal[], store: LatencyStore): boolean {
  const needed: readonly TimingName[] = [`${store}Tail`, `${store}Beside`]
  const isNamed = goals.some((goal) => goal.kind === 'slower' && needed.includes(goal.timing))
  return isNamed && isPossible(cellOf(store))
}

/** Who answers whose facts must be right, once for each store. */
const answererOf = ({ contender, workload }: Cell): string => `${contender} ${storeOf(workload)}`
/** Whose facts are right. */
const reference = { workload: 'json-1', contender: 'gateway', users: MILLION } as const satisfies Cell

/**
 * Answers the same requests by all contenders. @returns cells whose answers are right, and the length of
 * answers
 */
async function checkFacts(cells: readonly Cell[], stores: Stores) {
  const wrong = new Set<string>()
  const gateway = await start(reference.contender, stores.urlOf(reference), 0)
  let bodyLength = 0
  try {
    bodyLength = await meanLength(gateway.url)
    const expected = new Map<Format, readonly unknown[]>()
    for (const format of ['json', 'xml', 'mix', 'graphql'] as const) {
      expected.set(format, await askFacts(gateway.url, format, MILLION))
    }
    // Asked by another schema, and told under the names of ours.
    expected.set('postgraphile', expected.get('graphql') ?? [])
    for (const [answerer, [first, ...rest]] of Map.groupBy(cells, answererOf)) {
      if (first === undefined || answerer === answererOf(reference) || first.contender === 'bare') continue
      const name = `${contenders[first.contender].title}, ${storeOf(first.workload)}`
      progress(`same facts? ${name}`)
      // Facts are those of a million users, whatever is measured afterwards.
      const database = stores.urlOf({ workload: first.workload, users: MILLION })
      const problem = await findDifference([first, ...rest], expected, database).catch(messageOf)
      if (problem === null) continue
      wrong.add(answerer)
      note(`${name} does not count: ${problem}`)
    }
  } finally {
    await gateway.stop()
  }
  return { right: cells.filter((cell) => !wrong.has(answererOf(cell))), bodyLength }
}

/** @param cells of one contender */
async function findDifference(
  cells: readonly [Cell, ...Cell[]],
  expected: ReadonlyMap<Format, readonly unknown[]>,
  database: string,
): Promise<string | null> {
  const server = await start(cells[0].contender, database, 0)
  try {
    for (const format of new Set(cells.map(formatOf))) {
      const problem = difference(expected.get(format) ?? [], await askFacts(server.url, format, MILLION))
      if (problem !== null) return `${format}, ${problem}`
    }
    return null
  } finally {
    await server.stop()
  }
}

async function meanLength(url: string): Promise<number> {
  let length = 0
  for (let id = 1; id <= 200; id++) {
    const response = await fetch(`${url}/?Event=ProfileLookup&Users=${id * 1000}`)
    length += (await response.arrayBuffer()).byteLength
  }
  return Math.round(length / 200)
}

async function measureAll(cells: readonly Cell[], stores: Stores, bodyLength: number) {
  const samples = new Map<string, (Sample | null)[]>(cells.map((cell) => [keyOf(cell), []]))
  const byWorkload = [...Map.groupBy(cells, (cell) => cell.workload).values()]
  for (let round = 1; round <= rounds; round++) {
    let done = 0
    // Workload by workload, so that those who are compared are measured within the same minute.
    for (const cell of byWorkload.flatMap((members) => alternating(members, round))) {
      const place = `round ${round} of ${rounds}, ${++done} of ${cells.length}`
      const name = `${keyOf(cell)}, round ${round}`
      const conditions = { stores, bodyLength, seed: round, duration }
      const say = { progress, note }
      const sample = await undisturbed(name, () => measure(cell, conditions), say).catch((error: unknown) => {
        note(`${name} failed: ${messageOf(error)}`)
        return null
      })
      samples.get(keyOf(cell))?.push(sample)
      progress(
        `${place}: ${keyOf(cell)}  ${sample === null ? 'failed' : `${sample.cpu.toFixed(1)} µs/request`}`,
      )
    }
  }
  return samples
}

async function main(): Promise<void> {
  checkPrograms()
  installPeers(progress)
  if (options.against !== undefined) checkOut(options.against)
  const chosen = chooseGoals()
  const possible = cellsToMeasure(chosen).filter(isPossible)
  const wanted = possible.filter((cell) => !(options.quick && cell.users > MILLION))
  if (wanted.length < possible.length) note('10,000,000 users are left out by --quick.')

  const openLoops = latencyStores.filter((store) => isLatencyChosen(chosen, store))
  const stores = await openStores([reference, ...wanted, ...openLoops.map(cellOf)], progress)
  const { right: cells, bodyLength } = await checkFacts(wanted, stores)
  const samples = await measureAll(cells, stores, bodyLength)
  const latencies = await measureLatencies(
    stores,
    { rounds, seconds: 2 * measured },
    (store, contender) => openLoops.includes(store) && isPossible({ ...cellOf(store), contender }),
    { progress, note },
  )
  await stores.close()
  const effortOfTimings = { users: MILLION, rounds, starts: options.quick ? 5 : 20 }
  const timed = await timeAll(chosen, stores.urlOf(reference), effortOfTimings, { progress, note })
  const timings = { ...timed, ...timingsOf(latencies) }

  const rows = summarize(cells, samples)
  const outcomes = chosen.map((goal) => judge(goal, samples, timings))
  const machine = `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.versions.node}`
  const effort = `${rounds} ${rounds === 1 ? 'round' : 'rounds'} of ${duration.measured} s`
  const text = [
    `${machine}; ${effort}; median (least–most)`,
    ...(rows.length === 0 ? [] : [printRows(rows)]),
    ...(Object.keys(timed).length === 0 ? [] : [printTimings(timed)]),
    ...(latencies.length === 0 ? [] : [printLatencies(latencies)]),
    printOutcomes(outcomes),
    ...notes,
  ]
  process.stdout.write(`${text.join('\n\n')}\n`)

  if (options.against !== undefined) {
    if (outcomes.some((outcome) => !outcome.reached)) process.exitCode = 1
  } else if (options.quick || options.only !== undefined) {
    progress('results.json, results.svg and docs/speed.md are written by whole runs only')
  } else {
    const result = { machine, effort, rows, timings: summarizeTimings(timed), latencies, outcomes, notes }
    const text = JSON.stringify(
      result,
      (_key, value) => (typeof value === 'number' ? shorten(value) : value),
      2,
    )
    writeFileSync(new URL('results.json', import.meta.url), `${text}\n`)
    writeFileSync(new URL('results.svg', import.meta.url), drawChart(rows))
    writeReadme({ outcomes, latencies }, machine, effort)
  }
}

await main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`)
  // At once, since servers may be running: they end with this process.
  process.exit(1)
})
