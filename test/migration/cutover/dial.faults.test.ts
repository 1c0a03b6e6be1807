// The dial as operators turn it: on the admin port, by SIGHUP and by settings, for one process and for
// several.

import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startAnswering } from '../../kit/answering.ts'
import { childrenOf } from '../../kit/children.ts'
import { readLog } from '../../kit/log.ts'
import { originOf, serve } from '../../kit/serving.ts'
import { makeWorkplace, type Workplace } from '../../kit/workplace.ts'
import { addresses, behindProxy, newOnes, startOld } from './support.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

const CLIENTS = 24
const clients = addresses(CLIENTS)

async function start(env: Readonly<Record<string, string>>, ...flags: string[]) {
  const serving = await serve({ cwd: place.path, env: { ...behindProxy, ...env } }, ...flags)
  const log = readLog(serving.process.stderr)
  const url = originOf(serving.shown['Legacy JSON'])
  const admin = originOf(serving.shown.Readiness)
  /** How many of the clients the new side answers, each over a connection of its own. */
  const moved = async () => {
    const closing = clients.map((headers) => ({ ...headers, Connection: 'close' }))
    return (await newOnes(url, closing)).size
  }
  const get = async (path: string) => (await fetch(admin + path)).text()
  const state = async () => JSON.parse(await get('/cutover'))
  const put = (query: string, headers: Readonly<Record<string, string>> = {}, method = 'PUT') =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      request(`${admin}/cutover${query}`, { method, headers }, async (response) =>
        resolve({ status: response.statusCode ?? 0, body: await text(response) }),
      )
        .on('error', reject)
        .end()
    })
  return { ...serving, log, url, moved, get, state, put }
}

test('GET /cutover shows where the dial stands and what came of it', async () => {
  const old = await startOld()
  const { state, moved, shown } = await start({
    CUTOVER_URL: old.url,
    CUTOVER_SHARE: '0.25',
    CUTOVER_BY: 'header:X-Forwarded-For',
    CUTOVER_GUARD: '0.5',
  })
  expect(shown['Passed on']).toBe(`to ${old.url}: all legacy clients but 25 %`)
  const movedOnes = await moved()
  await expect
    .poll(state)
    .toMatchObject({ new: { answered: movedOnes }, old: { answered: CLIENTS - movedOnes } })
  expect(await state()).toEqual({
    share: 0.25,
    set: 0.25,
    by: 'header:x-forwarded-for',
    fallback: false,
    guard: {
      state: 'watching',
      allowed: 0.5,
      window: 300,
      compared: expect.any(Number),
      bad: expect.any(Number),
      since: null,
    },
    old: { up: true, answered: CLIENTS - movedOnes, fallbacks: 0, unanswered: 0, failures: 0 },
    new: { answered: movedOnes, fallbacks: 0, unanswered: 0, failures: 0 },
  })
})

test('without CUTOVER_URL there is no such page', async () => {
  const { get } = await start({})
  expect(await get('/cutover')).toBe('try /live, /ready, /metrics\n')
})

describe('PUT /cutover', () => {
  test('sets the share at once, says so in the log and the metrics, and in no more than that process', async () => {
    const old = await startOld()
    const env = { CUTOVER_URL: old.url, CUTOVER_GUARD: 'off' }
    const { put, moved, log, get, stop } = await start(env)
    expect(await moved()).toBe(0)
    const { status, body } = await put('?share=1')
    expect([status, JSON.parse(body)]).toEqual([200, expect.objectContaining({ share: 1, set: 1 })])
    expect(await moved()).toBe(CLIENTS)
    expect(await get('/metrics')).toContain('\nlookup_cutover_share 1\n')
    await put('?share=0.0')
    expect(await moved()).toBe(0)
    await expect
      .poll(() => log.of('cutover-set'))
      .toMatchObject([
        { level: 'info', share: 0, before: 0, source: 'settings' },
        { share: 1, before: 0, source: 'admin port' },
        { share: 0, before: 1, source: 'admin port' },
      ])
    await stop()
    expect(await (await start({ ...env, CUTOVER_SHARE: '1' })).moved()).toBe(CLIENTS)
  })

  test('is refused where it is no share, or comes from elsewhere', async () => {
    const old = await startOld()
    const { put, state, shown } = await start({ CUTOVER_URL: old.url, CUTOVER_SHARE: '0.5' })
    for (const query of [
      '',
      '?',
      '?share=',
      '?share=2',
      '?share=-1',
      '?share=1e-1',
      '?share=1&share=0',
      '?x=1',
    ])
      expect([query, await put(query)]).toEqual([query, expect.objectContaining({ status: 400 })])
    expect(await put(`?share=0.${'1'.repeat(10_000)}`)).toMatchObject({ status: 400 })
    expect(await put('?share=1', {}, 'POST')).toMatchObject({ status: 405 })
    expect(await put('?share=1', {}, 'OPTIONS')).toMatchObject({ status: 405 })
    for (const headers of [
      { Host: 'rebound.example' },
      { Origin: 'https://rebound.example' },
      { Origin: 'null' },
      { Origin: 'http://127.0.0.1:1' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ]) {
      const { status } = await put('?share=1', headers)
      expect([headers, status]).toEqual([headers, 'Host' in headers ? 421 : 403])
    }
    expect((await state()).share).toBe(0.5)
    const own = { Origin: originOf(shown.Readiness), 'Sec-Fetch-Site': 'same-origin' }
    expect(await put('?share=1', own)).toMatchObject({ status: 200 })
  })
})

describe.for([
  ['alone', []],
  ['with workers', ['--workers', '2']],
] as const)('%s', ([, flags]) => {
  test('SIGHUP sets what has changed in the settings, and nothing that was set otherwise', async () => {
    const old = await startOld()
    const write = (share: string) =>
      place.write('.env', `CUTOVER_URL=${old.url}\nCUTOVER_GUARD=off\nCUTOVER_SHARE=${share}\n`)
    write('0')
    const { process: first, moved, log, put, state } = await start({}, ...flags)
    const renewed = async () => {
      const reloaded = log.next(flags.length === 0 ? 'reloaded' : 'restarted', 30_000)
      first.kill('SIGHUP')
      await reloaded
    }
    write('1')
    await renewed()
    expect(await moved()).toBe(CLIENTS)
    await put('?share=0')
    await renewed()
    expect(await state()).toMatchObject({ share: 0, set: 0 })
    expect(await moved()).toBe(0)
    write('x')
    const failed = log.next('reload-failed', 30_000)
    first.kill('SIGHUP')
    await failed
    expect(await state()).toMatchObject({ share: 0, set: 0 })
  })

  test('SIGHUP without CUTOVER_URL moves no client back to the old side', async () => {
    const old = await startOld()
    place.write('.env', `CUTOVER_URL=${old.url}\nCUTOVER_GUARD=off\nCUTOVER_SHARE=1\n`)
    const { process: first, moved, log, state } = await start({}, ...flags)
    expect(await moved()).toBe(CLIENTS)
    place.write('.env', '')
    const reloaded = log.next(flags.length === 0 ? 'reloaded' : 'restarted', 30_000)
    let isOver = false
    const over = reloaded.then(() => {
      isOver = true
    })
    first.kill('SIGHUP')
    while (!isOver) expect(await moved()).toBe(CLIENTS)
    await over
    expect(await moved()).toBe(CLIENTS)
    expect((await state()).share).toBe(1)
  })

  test('the guard turns it back for all, says so, and waits for an operator', async () => {
    // It has nothing of what the gateway has.
    const old = await startOld()
    const env = { CUTOVER_URL: old.url, CUTOVER_SHARE: '1' }
    const { moved, log, put, state, get, process: first } = await start(env, ...flags)
    expect(await get('/ready')).toBe('ready\n')
    await expect.poll(moved).toBe(0)
    await expect.poll(() => log.of('cutover-turned-back')).toMatchObject([{ level: 'error', before: 1 }])
    const { share, set, guard } = await state()
    expect({ share, set, state: guard.state }).toEqual({ share: 0, set: 1, state: 'back' })
    expect(guard.bad).toBeGreaterThan(1)
    expect(await get('/ready')).toMatch(
      /^ready\ncutover: turned back from 1 to 0 at 20\S+: \d+ of \d+ compared responses differed or failed\. .*PUT \/cutover\?share=1\n$/,
    )
    expect(await get('/metrics')).toMatch(/^lookup_cutover_turned_back 1$/m)
    // Workers that start later, too.
    const [worker] = childrenOf(first.pid)
    if (flags.length > 0 && worker !== undefined) {
      const lost = log.next('worker-lost', 10_000)
      process.kill(worker, 'SIGKILL')
      await lost
      await expect.poll(() => childrenOf(first.pid).length).toBe(2)
      expect(await moved().catch(() => 0)).toBe(0)
    }
    await put('?share=0.0')
    expect(await get('/ready')).toBe('ready\n')
    expect((await state()).guard).toMatchObject({ state: 'watching', compared: 0, bad: 0, since: null })
    expect(await get('/metrics')).toMatch(/^lookup_cutover_turned_back 0$/m)
  })
})

test('with workers, SIGHUP is enough to begin', async () => {
  const old = await startOld()
  const { process: first, moved, log, get, put } = await start({}, '--workers', '2')
  expect(await get('/cutover')).toMatch(/^try /)
  place.write('.env', `CUTOVER_URL=${old.url}\nCUTOVER_GUARD=off\n`)
  const restarted = log.next('restarted', 30_000)
  first.kill('SIGHUP')
  await restarted
  expect(await moved()).toBe(0)
  expect(await put('?share=1')).toMatchObject({ status: 200 })
  expect(await moved()).toBe(CLIENTS)
})

test('all workers follow at once, and so does one that takes the place of another', async () => {
  const old = await startOld()
  const env = { CUTOVER_URL: old.url, CUTOVER_GUARD: 'off', CUTOVER_SHARE: '0' }
  const { put, moved, log, process: first, state } = await start(env, '--workers', '3')
  for (const share of ['1', '0', '1']) {
    await put(`?share=${share}`)
    expect(await moved()).toBe(share === '1' ? CLIENTS : 0)
  }
  for (const worker of childrenOf(first.pid)) {
    const lost = log.next('worker-lost', 10_000)
    process.kill(worker, 'SIGKILL')
    await lost
    await expect.poll(async () => moved().catch(() => -1)).toBe(CLIENTS)
  }
  await expect.poll(async () => (await state()).new.answered).toBeGreaterThanOrEqual(2 * CLIENTS)
})

test('a worker that is replaced while the old service is down does not leave it down', async () => {
  const old = await startOld()
  const env = { CUTOVER_URL: old.url, CUTOVER_GUARD: 'off', CUTOVER_FALLBACK: 'on' }
  const { moved, log, process: first, state } = await start(env, '--workers', '2')
  expect(await moved()).toBe(0)
  expect((await state()).old.up).toBe(true)
  old.close()
  await moved()
  await expect.poll(async () => (await state()).old.up).toBe(false)
  const restarted = log.next('restarted', 30_000)
  first.kill('SIGHUP')
  await restarted
  const again = await startAnswering((_, response) => void response.end('old'), Number(new URL(old.url).port))
  onTestFinished(again.close)
  await expect.poll(moved).toBe(0)
  await expect.poll(async () => (await state()).old.up).toBe(true)
})
