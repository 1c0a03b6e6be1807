// The guard turns the dial back if responses differ or fail, and leaves it alone otherwise.

import { describe, expect, onTestFinished, test } from 'vitest'
import { createGuard } from '../../../src/migration/cutover/guard.ts'
import type { ShadowResult } from '../../../src/observe/events.ts'
import { createClock } from '../../kit/clock.ts'
import { type Gateway, startGatewayOver } from '../../kit/gateway.ts'
import { startOldService } from '../../kit/old-service.ts'
import { answering, bodyOf, cutOver, lookup, ofType, startFailing, startOld } from './support.ts'

type Observing = Pick<Gateway, 'observations'>
const results = (gateway: Observing): ShadowResult[] =>
  ofType(gateway, 'shadow-compared').map(({ result }) => result)
const turnedBack = (gateway: Observing) => ofType(gateway, 'cutover-turned-back')

async function startTwin(...switches: Parameters<typeof startOldService>) {
  const old = await startOldService(...switches)
  onTestFinished(old.close)
  return old
}

test('differences turn it back, once and for good', async () => {
  const old = await startTwin({ unknown: 'null' })
  const gateway = await cutOver(old.url, { CUTOVER_SHARE: '1' })
  const ask = (users: number) => bodyOf(`${gateway.url}/?Event=ProfileLookup&Users=${users}`)
  for (const user of [1, 2, 3]) await ask(user)
  await expect.poll(() => results(gateway)).toHaveLength(3)
  expect(turnedBack(gateway)).toEqual([])
  // The gateway omits unknown ids.
  for (const user of [90, 91]) expect(await ask(user)).toBe('{}')
  await expect
    .poll(() => turnedBack(gateway))
    .toEqual([{ type: 'cutover-turned-back', before: 1, bad: 2, compared: 5 }])
  expect(await ask(90)).toBe('{"90":null}')
  for (const user of [1, 2, 3]) await ask(user)
  expect(results(gateway)).toHaveLength(5)
  expect(turnedBack(gateway)).toHaveLength(1)
})

test('ignored differences do not turn it back, without SHADOW_URL, too', async () => {
  const same = await startTwin()
  const old = await answering(async ({ url = '' }, response) => {
    const body = await bodyOf(new URL(url, same.url).href)
    response.end(body.replace(/"Rank":\d+/, '"Rank":77'))
  })
  const settings = { CUTOVER_SHARE: '1', CUTOVER_GUARD: '0', SHADOW_IGNORE: 'Rank' }
  const gateway = await cutOver(old.url, settings)
  await bodyOf(`${gateway.url}/?Event=ProfileLookup&Users=1`)
  await expect.poll(() => results(gateway)).toEqual(['ignored'])
  expect(turnedBack(gateway)).toEqual([])
})

test('responses of the same meaning do not turn it back', async () => {
  const old = await startTwin({ pretty: true, xmlDeclaration: false })
  const gateway = await cutOver(old.url, { CUTOVER_SHARE: '1', CUTOVER_GUARD: '0' })
  for (const query of ['Users=1', 'Users=1:2&Format=XML', 'Users=', 'Users=99'])
    await bodyOf(`${gateway.url}/?Event=ProfileLookup&${query}`)
  await expect.poll(() => results(gateway)).toHaveLength(4)
  expect(turnedBack(gateway)).toEqual([])
})

test('requests that only the old service can respond to turn it back', async () => {
  const [old, away] = [await startOld(), await startFailing()]
  const settings = { DATABASE_URL: away.url, CUTOVER_URL: old.url, CUTOVER_SHARE: '1' }
  const gateway = await startGatewayOver(settings)
  onTestFinished(gateway.close)
  const ask = async () => (await fetch(gateway.url + lookup)).status
  expect(await ask()).toBe(503)
  await expect.poll(ask).toBe(200)
  expect(results(gateway).slice(0, 2)).toEqual(['gateway-failed', 'gateway-failed'])
})

test('an old service that fails does not turn it back', async () => {
  const old = await startFailing()
  const gateway = await cutOver(old.url, { CUTOVER_SHARE: '1', CUTOVER_GUARD: '0' })
  for (let times = 0; times < 3; times++) await bodyOf(gateway.url + lookup)
  await expect.poll(() => results(gateway)).toEqual(Array(3).fill('failed'))
  expect(turnedBack(gateway)).toEqual([])
})

test('off, it compares nothing', async () => {
  const old = await startOld()
  const gateway = await cutOver(old.url, { CUTOVER_SHARE: '1', CUTOVER_GUARD: 'off' })
  await bodyOf(gateway.url + lookup)
  expect([results(gateway), old.asked]).toEqual([[], []])
})

test('with SHADOW_URL, its comparisons are those with that service', async () => {
  const [old, other] = [await startOld(), await startOld()]
  const shadow = { SHADOW_URL: other.url, SHADOW_SAMPLE: '1' }
  const gateway = await cutOver(old.url, { CUTOVER_SHARE: '1', ...shadow })
  for (let times = 0; times < 2; times++) await bodyOf(gateway.url + lookup)
  await expect.poll(() => turnedBack(gateway)).toHaveLength(1)
  expect([other.asked.length, old.asked.length]).toEqual([2, 0])
})

describe('counts', () => {
  test('fewer than a hundred comparisons as a hundred', () => {
    const guard = createGuard(0.01, 300)
    expect(guard.note(true, 1)).toBe(false)
    expect(guard.note(false, 49)).toBe(false)
    expect(guard.note(true, 1)).toBe(true)
    guard.forget()
    expect(guard.now()).toEqual({ compared: 0, bad: 0 })
    expect(guard.note(false, 399)).toBe(false)
    expect(guard.note(true, 4)).toBe(false)
    expect(guard.note(true, 1)).toBe(true)
  })

  test('with 0, one difference is one too many; with 1, none is', () => {
    expect(createGuard(0, 300).note(true, 1)).toBe(true)
    expect(createGuard(1, 300).note(true, 10_000)).toBe(false)
  })

  test('a comparison until its window is over', async () => {
    const clock = createClock()
    const guard = createGuard(0.01, 10, clock)
    guard.note(true, 1)
    await clock.advance(9_999)
    expect(guard.now()).toEqual({ compared: 1, bad: 1 })
    await clock.advance(1)
    expect(guard.now()).toEqual({ compared: 0, bad: 0 })
    expect(guard.note(true, 1)).toBe(false)
  })
})
