// Promise 6: a gateway that is used and abused for minutes takes no more memory and descriptors than after
// its first minute.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { generate } from '../../bench/generate.ts'
import about from '../../package.json' with { type: 'json' }
import { note } from '../kit/figures.ts'
import { temporaryFolder } from '../kit/gateway.ts'
import { PostgresServer } from '../kit/postgres/server.ts'
import { runLookup } from '../kit/run-lookup.ts'
import { serve } from '../kit/serving.ts'
import { common, type Habit, letGo, rare, type Target } from './soak/habits.ts'
import { lastQuarters, meteredFlags, type Reading, read, readHeap } from './soak/process.ts'

const USERS = 20_000
/** Milliseconds between two imports, and between two readings. */
const BETWEEN_IMPORTS = 5000
const BETWEEN_READINGS = 500
/** Visits of each habit before the measurement. */
const WARM_UP = 20
/** MiB of the heap. */
const HEAP = 128
/**
 * MiB by which the fourth quarter may be above the third, and the heap's live objects at the end above those
 * at half-time.
 */
const FLAT = { memory: 8, heap: 3 }

// As `npm start` does, but for the cap.
const nodeFlags = [
  ...(about.scripts.start.match(/--\S+/g) ?? []),
  `--max-old-space-size=${HEAP}`,
  ...meteredFlags,
]

test('over SQLite', { timeout: 400_000 }, (context) => soak(context, 'SQLite', 240, 'sqlite:soak.db'))

test('over PostgreSQL', { timeout: 400_000 }, async (context) => {
  const database = await (await PostgresServer.shared()).makeDatabase()
  onTestFinished(database.remove)
  await soak(context, 'PostgreSQL', 120, database.url)
})

async function soak(context: TestContext, store: string, seconds: number, database: string): Promise<void> {
  const place = temporaryFolder()
  onTestFinished(place.remove)
  const importUsers = importer(place.path, database)
  expect(await runLookup(['migrate', '--database', database], { cwd: place.path })).toMatchObject({
    status: 0,
  })
  await importUsers()
  const env = { DATABASE_URL: database }
  const serving = await serve({ cwd: place.path, env, nodeFlags, timeout: 1_000_000 })
  const { pid = 0 } = serving.process
  const idle = read(pid)

  const target: Target = { url: serving.url, adminUrl: serving.admin, users: USERS }
  // Modules that load late and caches that fill are no growth.
  for (let visit = 0; visit < WARM_UP; visit++)
    await Promise.all(Object.values({ ...common, ...rare }).map((habit) => habit(target, 1_000_000 + visit)))
  const load = startLoad(target)
  const readings: Reading[] = []
  const reading = setInterval(() => readings.push(read(pid)), BETWEEN_READINGS)
  let imports = 0
  async function importUntil(end: number): Promise<void> {
    for (; performance.now() < end; imports++) {
      await importUsers()
      await pause(BETWEEN_IMPORTS)
    }
  }
  const started = performance.now()
  await importUntil(started + seconds * 500)
  const halfway = await readHeap(serving.process)
  await importUntil(started + seconds * 1000)
  clearInterval(reading)
  const atEnd = await readHeap(serving.process)
  const { visits, refused, faults } = await load.stop()
  expect(faults).toEqual([])
  expect(visits).toBeGreaterThan(seconds * 10)
  expect(refused).toBeLessThan(visits / 10)

  const memory = readings.map((each) => each.memory)
  const descriptors = readings.map((each) => each.descriptors)
  const peak = Math.max(...memory)
  const [third, fourth] = lastQuarters(memory)
  const [thirdOpen, fourthOpen] = lastQuarters(descriptors)
  const what = `${store}, ${seconds} s`
  const grown = (before: number, after: number) => `${before.toFixed(0)} → ${after.toFixed(0)}`
  const rows: readonly (readonly [what: string, bound: string, measured: string])[] = [
    ['peak memory, MiB', '≤ 300', `${peak.toFixed(0)} (${visits} visits, ${imports} imports)`],
    ['memory in the last two quarters, MiB', `+ ${FLAT.memory} at most`, grown(third, fourth)],
    ['live objects at half-time and at the end, MiB', `+ ${FLAT.heap} at most`, grown(halfway, atEnd)],
    ['open descriptors in the last two quarters', '+ 10 at most', grown(thirdOpen, fourthOpen)],
  ]
  for (const [figure, bound, measured] of rows)
    note(context, { promise: 6, what: `${what}: ${figure}`, bound, measured })
  expect(peak).toBeLessThan(300)
  expect(fourth - third).toBeLessThan(FLAT.memory)
  expect(atEnd - halfway).toBeLessThan(FLAT.heap)
  expect(fourthOpen - thirdOpen).toBeLessThan(10)
  // Without clients, the descriptors are those of the start and of the store's connections.
  await expect
    .poll(() => read(pid).descriptors, { timeout: 10_000 })
    .toBeLessThanOrEqual(idle.descriptors + 8)
  expect(await serving.stop()).toMatchObject({ status: 0 })
}

/** Replaces all users, in a separate process. */
function importer(cwd: string, database: string): () => Promise<void> {
  writeFileSync(join(cwd, 'users.csv'), [...generate('users', USERS)].join(''))
  return async () => {
    const args = ['import', 'users', 'users.csv', '--replace', '--database', database]
    expect(await runLookup(args, { cwd })).toMatchObject({ status: 0 })
  }
}

/**
 * Clients who visit again and again: four of each common habit, and one of each rare one, that reads slowly.
 */
function startLoad(target: Target) {
  let stopped = false
  let visits = 0
  let refused = 0
  const faults: string[] = []
  async function visitOften([name, habit]: readonly [string, Habit], between: number): Promise<void> {
    while (!stopped && faults.length < 10) {
      const outcome = await habit(target, visits++).catch((error: unknown) => String(error))
      if (outcome === 'refused') refused++
      else if (outcome !== null) faults.push(`${name}: ${outcome}`)
      if (between > 0) await pause(between)
    }
  }
  const frequent = Object.entries(common).flatMap((habit) => [habit, habit, habit, habit])
  const running = Promise.all([
    ...frequent.map((habit) => visitOften(habit, 0)),
    ...Object.entries(rare).map((habit) => visitOften(habit, 200)),
  ])
  const stop = async () => {
    stopped = true
    await running
    letGo()
    return { visits, refused, faults }
  }
  return { stop }
}
