// The dial as operators set it: on the admin port, and by settings that are read again.

import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished } from 'vitest'
import { readConfig } from '../../../src/config/config.ts'
import { openDial } from '../../../src/migration/cutover/open.ts'
import { test } from '../../kit/test.ts'
import type { Workplace } from '../../kit/workplace.ts'
import {
  addresses,
  answering,
  areNew,
  behindProxy,
  bodyOf,
  countNew,
  lookup,
  serveBeside,
  startOld,
} from './support.ts'

const CLIENTS = 16
const clients = addresses(CLIENTS)

async function start(place: Workplace, settings: Readonly<Record<string, string>>) {
  const old = await startOld()
  const served = await serveBeside(place, old.url, settings)
  const put = (query: string, headers: Readonly<Record<string, string>> = {}, method = 'PUT') =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      request(`${served.admin}/cutover${query}`, { method, headers }, async (response) =>
        resolve({ status: response.statusCode ?? 0, body: await text(response) }),
      )
        .on('error', reject)
        .end()
    })
  return {
    ...{ ...served, old, put },
    moved: () => countNew(served.url, clients),
    /** Reads settings again, and waits for the line of the log that says so. */
    renew: async (changed: Readonly<Record<string, string>>, type = 'reloaded') => {
      const count = () => served.logged(type).length
      const before = count()
      served.reload({ ...behindProxy, CUTOVER_URL: old.url, ...settings, ...changed })
      await expect.poll(count).toBe(before + 1)
    },
  }
}

test('GET /cutover shows the share, the guard and what came of it', async ({ place }) => {
  const settings = { CUTOVER_SHARE: '0.25', CUTOVER_BY: 'header:X-Forwarded-For', CUTOVER_GUARD: '0.5' }
  const { state, moved, shown, old } = await start(place, settings)
  expect(shown['Passed on']).toBe(`to ${old.url}: all legacy clients but 25 %`)
  const fresh = await moved()
  await expect.poll(state).toMatchObject({ new: { answered: fresh }, old: { answered: CLIENTS - fresh } })
  expect(await state()).toEqual({
    ...{
      share: 0.25,
      events: {},
      set: 0.25,
      by: 'header:x-forwarded-for',
      fallback: false,
      mirror: 0,
      pins: 0,
    },
    guard: {
      ...{ state: 'watching', allowed: 0.5, window: 300, needs: 3, event: null, since: null },
      ...{ compared: expect.any(Number), bad: expect.any(Number) },
      ...{ clients: expect.any(Number), badClients: expect.any(Number) },
    },
    old: { up: true, answered: CLIENTS - fresh, fallbacks: 0, unanswered: 0, failures: 0 },
    new: { answered: fresh, fallbacks: 0, unanswered: 0, failures: 0 },
  })
})

describe('PUT /cutover', () => {
  test('sets the share at once, and is in the log and the metrics', async ({ place }) => {
    const { put, moved, logged, get } = await start(place, { CUTOVER_GUARD: 'off' })
    expect(await moved()).toBe(0)
    const { status, body } = await put('?share=1')
    expect([status, JSON.parse(body)]).toEqual([200, expect.objectContaining({ share: 1, set: 1 })])
    expect(await moved()).toBe(CLIENTS)
    expect(await get('/metrics')).toContain('\nlookup_cutover_share 1\n')
    await put('?share=0.0')
    expect(await moved()).toBe(0)
    await expect
      .poll(() => logged('cutover-set'))
      .toMatchObject([
        { level: 'info', share: 0, before: 0, source: 'settings' },
        { share: 1, before: 0, source: 'admin port' },
        { share: 0, before: 1, source: 'admin port' },
      ])
  })

  test('is refused without a valid share, by another method and from another site', async ({ place }) => {
    const { put, state, admin } = await start(place, { CUTOVER_SHARE: '0.5' })
    const invalid = ['', '?share=', '?share=2', '?share=1e-1', '?share=1&share=0', '?event=AppLookup']
    for (const query of [...invalid, '?share=1&event=Nothing', `?share=0.${'1'.repeat(10_000)}`])
      expect([query, (await put(query)).status]).toEqual([query, 400])
    for (const method of ['POST', 'OPTIONS'])
      expect(await put('?share=1', {}, method)).toMatchObject({ status: 405 })
    for (const [headers, expected] of [
      [{ Host: 'rebound.example' }, 421],
      [{ Origin: 'https://rebound.example' }, 403],
      [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
    ] as const)
      expect([headers, (await put('?share=1', headers)).status]).toEqual([headers, expected])
    expect((await state()).share).toBe(0.5)
    const own = { Origin: admin, 'Sec-Fetch-Site': 'same-origin' }
    expect(await put('?share=1', own)).toMatchObject({ status: 200 })
  })
})

test('an event may have a share of its own, until the share of all is set', async ({ place }) => {
  const { put, url, state, shown, old } = await start(place, {
    ...{ CUTOVER_GUARD: 'off', CUTOVER_SHARE: '0, AppLookup=1' },
  })
  expect(shown['Passed on']).toBe(`to ${old.url}: all legacy clients but 0 %, of AppLookup 100 %`)
  const sides = async () => {
    const targets = ['/?Event=ProfileLookup&Users=1', lookup, '/?event=applookup&Apps=1', '/?Apps=1']
    return Promise.all(targets.map(async (target) => (await areNew(url, clients.slice(0, 1), target))[0]))
  }
  expect(await sides()).toEqual([false, true, true, false])
  await put('?share=1&event=ProfileLookup')
  expect(await state()).toMatchObject({ share: 0, events: { AppLookup: 1, ProfileLookup: 1 } })
  expect(await sides()).toEqual([true, true, true, false])
  await put('?share=0&event=AppLookup')
  expect(await sides()).toEqual([true, false, false, false])
  await put('?share=0')
  expect(await state()).toMatchObject({ share: 0, events: {} })
  expect(await sides()).toEqual([false, false, false, false])
})

describe('a reload', () => {
  test('sets a share that has changed in the settings, and no other', async ({ place }) => {
    const { moved, put, state, renew } = await start(place, { CUTOVER_GUARD: 'off', CUTOVER_SHARE: '0' })
    await renew({ CUTOVER_SHARE: '1' })
    expect(await moved()).toBe(CLIENTS)
    await put('?share=0')
    await renew({ CUTOVER_SHARE: '1' })
    expect(await state()).toMatchObject({ share: 0, set: 0 })
    expect(await moved()).toBe(0)
    await renew({ CUTOVER_SHARE: 'x' }, 'reload-failed')
    expect(await state()).toMatchObject({ share: 0, set: 0 })
  })

  test.for([
    ['one process: those of its start', false, '0.00 %', false],
    ['workers: those of the new ones', true, '50.00 %', true],
  ] as const)('shows the settings in force, with %s', async ([, isOfWorkers, mirror, isStandIn]) => {
    const read = (changed: Readonly<Record<string, string>>) =>
      readConfig({ environment: { CUTOVER_URL: 'http://127.0.0.1:9/', ...changed } })
    const { operations, close } = openDial(read({}).cutover, () => {}, isOfWorkers)
    onTestFinished(close)
    operations.renew(read({ CUTOVER_MIRROR: '0.5', CUTOVER_FALLBACK: 'on' }))
    const { text: section } = await operations.section(() => [], 'gateway')
    expect(section).toContain(`compares ${mirror} of these responses`)
    expect(operations.isStandIn()).toBe(isStandIn)
  })
})

test('the guard does not count comparisons that began before the dial was set', async ({ place }) => {
  const held: (() => void)[] = []
  let isHeld = true
  const old = await answering((_, response) => {
    const end = () => void response.end('old')
    if (isHeld) held.push(end)
    else end()
  })
  const { put, state, get, url } = await start(place, { CUTOVER_URL: old.url, CUTOVER_SHARE: '1' })
  const ask = () => Promise.all(clients.slice(0, 3).map((client) => bodyOf(url + lookup, client)))
  await ask()
  await expect.poll(() => held).toHaveLength(2)
  expect(await put('?share=1')).toMatchObject({ status: 200 })
  isHeld = false
  for (const end of held) end()
  await expect.poll(() => get('/metrics')).toMatch(/^lookup_shadow_comparisons_total\{.*"different".*\} 3$/m)
  expect(await state()).toMatchObject({ share: 1, guard: { state: 'watching', compared: 0 } })
  await ask()
  await expect.poll(state).toMatchObject({ share: 0, guard: { state: 'back', compared: 3 } })
})
