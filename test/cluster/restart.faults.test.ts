// SIGHUP with `--workers`: new workers take over, with the current code, `.env` and files.

import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished } from 'vitest'
import { openSocket } from '../http/raw.ts'
import { childrenOf, isAlive } from '../kit/children.ts'
import { ask } from '../kit/load.ts'
import { serve, startServing } from '../kit/serving.ts'
import { test } from '../kit/test.ts'
import { csvFile, csvRow, type Workplace } from '../kit/workplace.ts'

async function start(place: Workplace) {
  const serving = await serve({ cwd: place.path }, '--workers', '2')
  const { url, log } = serving
  const hangUp = () => serving.process.kill('SIGHUP')
  /** Sends SIGHUP, and waits for a line of the log. */
  const hangUpUntil = (type: string) => {
    const logged = log.next(type, 40_000)
    hangUp()
    return logged
  }
  const lookup = () => ask(`${url}/?Event=ProfileLookup&Users=1`)
  const workers = () => childrenOf(serving.process.pid)
  return { ...serving, lookup, hangUp, hangUpUntil, workers }
}

const save = (place: Workplace, documents: Readonly<Record<string, string>>) =>
  place.write('documents.json', JSON.stringify(documents))

test('new workers have the settings, limits, database and documents of then, and the port of before', async ({
  place,
}) => {
  for (const name of ['one', 'two']) {
    place.write('users.csv', csvFile(csvRow(1, { username: name })))
    await place.run(['import', 'users', 'users.csv', '--database', `sqlite:${name}.db`])
  }
  const documents = 'GRAPHQL_DOCUMENTS=documents.json\n'
  save(place, { one: '{ __typename }' })
  place.write('.env', `DATABASE_URL=sqlite:one.db\nWORKERS=2\n${documents}`)
  const { url, admin, lookup, hangUpUntil, log, workers, stop } = await start(place)
  expect((await lookup()).body).toContain('"one"')
  const before = workers()
  save(place, { one: '{ __typename }', two: '{ __typename }' })
  const ports = 'PORT=1\nHOST=0.0.0.0\nWORKERS=1\n'
  place.write('.env', `DATABASE_URL=sqlite:two.db\nRATE_LIMIT=20\n${ports}${documents}`)
  await hangUpUntil('restarted')
  expect(workers().filter((worker) => before.includes(worker))).toEqual([])
  expect(workers()).toHaveLength(2)
  // The first process opens the database again, too.
  expect(log.of('reloaded')).toHaveLength(1)
  expect((await ask(`${admin}/ready`)).status).toBe(200)
  for (let turn = 0; turn < 2; turn++) expect((await ask(`${url}/graphql?documentId=two`)).status).toBe(200)
  const found = [await lookup(), await lookup(), await lookup(), await lookup(), await lookup()]
  for (const { body } of found) expect(body).toContain('"two"')
  // Each worker allows half of them.
  await expect.poll(async () => (await lookup()).status, { interval: 1 }).toBe(429)
  expect(await stop()).toMatchObject({ status: 0 })
})

test.for([
  ['setting', (place) => place.write('.env', 'LEGACY_MAX_VALUES=none\n')],
  [
    'manifest of documents',
    (place) => {
      place.write('.env', 'GRAPHQL_DOCUMENTS=documents.json\n')
      save(place, { wrong: '{ nothing }' })
    },
  ],
] as const satisfies readonly (readonly [string, (place: Workplace) => void])[])(
  'a worker that cannot start because of a %s ends the restart, and the others stay',
  async ([, spoil], { place }) => {
    const { lookup, log, workers, hangUpUntil } = await start(place)
    const before = workers()
    spoil(place)
    expect(await hangUpUntil('restart-failed')).toMatchObject({ level: 'error', reason: 'exit 2' })
    await pause(1000)
    expect(workers()).toEqual(before)
    expect(log.of('worker-lost')).toEqual([])
    expect(log.of('restarting')).toHaveLength(1)
    expect((await lookup()).status).toBe(200)
  },
)

test('however often it is asked for during a restart, one more follows', async ({ place }) => {
  const { log, hangUp, hangUpUntil } = await start(place)
  await hangUpUntil('restarting')
  for (let turn = 0; turn < 5; turn++) {
    hangUp()
    await pause(10)
  }
  await log.next('restarted', 40_000)
  await log.next('restarted', 40_000)
  await pause(1000)
  expect(log.of('restarting')).toHaveLength(2)
})

test('a SIGHUP during the start restarts the workers afterwards', async ({ place }) => {
  const { process: first, shown, log } = startServing({ cwd: place.path }, '--workers', '2')
  await expect.poll(() => childrenOf(first.pid)).toHaveLength(1)
  const restarted = log.next('restarted', 40_000)
  first.kill('SIGHUP')
  await shown
  await restarted
})

describe('while a successor starts', () => {
  /** Restarts, and freezes the first successor. */
  async function startFrozen(place: Workplace) {
    const serving = await start(place)
    const before = serving.workers()
    await serving.hangUpUntil('restarting')
    await expect.poll(serving.workers, { interval: 1 }).toHaveLength(3)
    const successor = serving.workers().find((pid) => !before.includes(pid)) ?? 0
    // A parent is blocked until its child runs its own program. A child that is frozen before that blocks the
    // parent for good.
    const programOf = () => readFileSync(`/proc/${successor}/cmdline`, 'latin1')
    await expect.poll(programOf, { interval: 1 }).toContain('--port')
    process.kill(successor, 'SIGSTOP')
    onTestFinished(() => void (isAlive(successor) && process.kill(successor, 'SIGKILL')))
    return { ...serving, before, successor }
  }

  test('metrics do not wait for it', async ({ place }) => {
    const { admin, log, successor } = await startFrozen(place)
    const began = performance.now()
    expect((await ask(`${admin}/metrics`)).status).toBe(200)
    expect(performance.now() - began).toBeLessThan(900)
    const restarted = log.next('restarted', 40_000)
    process.kill(successor, 'SIGCONT')
    await restarted
  })

  test('its predecessor may die, and another worker takes the place for so long', async ({ place }) => {
    const { before, log, lookup, successor, workers } = await startFrozen(place)
    const started = log.next('started', 40_000)
    process.kill(before[0] ?? 0, 'SIGKILL')
    await started
    expect((await lookup()).status).toBe(200)
    const restarted = log.next('restarted', 40_000)
    process.kill(successor, 'SIGCONT')
    await restarted
    expect(workers()).toHaveLength(2)
    expect(workers()).toContain(successor)
    expect(log.of('worker-lost')).toHaveLength(1)
    expect((await lookup()).status).toBe(200)
  })

  test('a stop waits 9 s for it, and leaves no process behind', async ({ place }) => {
    const { stop, workers } = await startFrozen(place)
    const all = workers()
    expect(await stop()).toMatchObject({ status: 0 })
    expect(all.filter(isAlive)).toEqual([])
  })

  test('it is killed after 30 s, and the others stay', async ({ place }) => {
    const { before, log, lookup, workers } = await startFrozen(place)
    expect(await log.next('restart-failed', 60_000)).toMatchObject({ reason: 'not listening after 30 s' })
    await expect.poll(workers).toEqual(before)
    expect((await lookup()).status).toBe(200)
  })
})

test.for([
  ['when it has begun', 'restarting'],
  ['while an old worker ends', 'stopping'],
] as const)('a stop %s ends the service, and leaves no process behind', async ([, type], { place }) => {
  const { process: first, log, workers, hangUp, hangUpUntil, stop } = await start(place)
  await hangUpUntil(type)
  const all = workers()
  const outcome = stop()
  hangUp()
  expect(await outcome).toMatchObject({ status: 0 })
  expect(all.filter(isAlive)).toEqual([])
  expect(log.of('restarted')).toEqual([])
  expect(log.of('restarting')).toHaveLength(1)
  // No process was started after that.
  const known = new Set([first.pid, ...all])
  if (type === 'stopping') expect(log.of('started').filter(({ pid }) => !known.has(Number(pid)))).toEqual([])
})

test('the store is ready while old workers end, and what they have counted stays', async ({ place }) => {
  const { url, admin, lookup, hangUpUntil } = await start(place)
  for (let turn = 0; turn < 20; turn++) expect((await lookup()).status).toBe(200)
  // An incomplete request keeps its worker running.
  const half = await openSocket(url)
  half.write('GET / HTTP/1.1\r\n')
  const restarted = hangUpUntil('restarted').then(() => true)
  const seen = new Set<string | undefined>()
  const metrics = async () => (await ask(`${admin}/metrics`)).body
  for (let isOver = false; !isOver; isOver = await Promise.race([restarted, pause(50, false)]))
    seen.add(/^lookup_store_ready (\d)/m.exec(await metrics())?.[1])
  half.destroy()
  expect([...seen]).toEqual(['1'])
  const counted = 'lookup_requests_total{event="ProfileLookup",format="JSON",outcome="ok"} 20\n'
  expect(await metrics()).toContain(counted)
})
