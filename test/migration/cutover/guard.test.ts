// The guard turns the dial back when answers differ or fail, and leaves it alone otherwise.

import { describe, expect, onTestFinished, test } from 'vitest'
import { createGuard } from '../../../src/migration/cutover/guard.ts'
import type { Observation, ShadowResult } from '../../../src/observation.ts'
import { startAnswering } from '../../kit/answering.ts'
import { startGatewayOver } from '../../kit/gateway.ts'
import { hasProgram } from '../../kit/programs.ts'
import { startOldService } from '../../old-service/start.ts'
import { cutOver, startOld } from './support.ts'

const ofType = <Type extends Observation['type']>(observations: readonly Observation[], type: Type) =>
  observations.filter((one): one is Extract<Observation, { type: Type }> => one.type === type)
const results = (observations: readonly Observation[]): ShadowResult[] =>
  ofType(observations, 'shadow-compared').map(({ result }) => result)

describe.skipIf(!hasProgram('php'))('beside an old service in PHP', () => {
  test('a planted difference turns it back, once and for good', async () => {
    const old = await startOldService({ unknown: 'null' })
    onTestFinished(old.close)
    const { url, observations } = await cutOver(old.url, { CUTOVER_SHARE: '1' })
    const ask = async (users: string) => (await fetch(`${url}/?Event=ProfileLookup&Users=${users}`)).text()
    for (let user = 1; user <= 5; user++) await ask(String(user))
    await expect.poll(() => results(observations)).toHaveLength(5)
    expect(ofType(observations, 'cutover-turned-back')).toEqual([])
    // The gateway leaves out what it does not find.
    for (const user of [90, 91]) expect(await ask(String(user))).toBe('{}')
    await expect
      .poll(() => ofType(observations, 'cutover-turned-back'))
      .toEqual([{ type: 'cutover-turned-back', before: 1, bad: 2, compared: 7 }])
    expect(await ask('90')).toBe('{"90":null}')
    for (let user = 1; user <= 5; user++) await ask(String(user))
    expect(results(observations)).toHaveLength(7)
    expect(ofType(observations, 'cutover-turned-back')).toHaveLength(1)
  })

  test('what is ignored turns nothing back, and is ignored without SHADOW_URL, too', async () => {
    const same = await startOldService()
    onTestFinished(same.close)
    const both = await startAnswering(async ({ url = '' }, response) => {
      const answer = await (await fetch(new URL(url, same.url))).text()
      response.end(answer.replace(/"Rank":\d+/, '"Rank":77'))
    })
    onTestFinished(both.close)
    const settings = { CUTOVER_SHARE: '1', CUTOVER_GUARD: '0', SHADOW_IGNORE: 'Rank' }
    const { url, observations } = await cutOver(both.url, settings)
    await (await fetch(`${url}/?Event=ProfileLookup&Users=1`)).text()
    await expect.poll(() => results(observations)).toEqual(['ignored'])
    expect(ofType(observations, 'cutover-turned-back')).toEqual([])
  })

  test('where answers are the same, or only their form is another, it stays', async () => {
    const old = await startOldService({ pretty: true, xmlDeclaration: false })
    onTestFinished(old.close)
    const { url, observations } = await cutOver(old.url, { CUTOVER_SHARE: '1', CUTOVER_GUARD: '0' })
    for (const query of ['Users=1', 'Users=1:2&Format=XML', 'Users=', 'Users=99'])
      await (await fetch(`${url}/?Event=ProfileLookup&${query}`)).text()
    await expect.poll(() => results(observations)).toHaveLength(4)
    expect(ofType(observations, 'cutover-turned-back')).toEqual([])
  })
})

test('answers that the gateway could not give, and the old service could, turn it back', async () => {
  const old = await startOld()
  const away = await startAnswering((_, response) => response.writeHead(500).end())
  onTestFinished(away.close)
  const settings = { DATABASE_URL: away.url, CUTOVER_URL: old.url, CUTOVER_SHARE: '1' }
  const gateway = await startGatewayOver(settings)
  onTestFinished(gateway.close)
  const ask = async () => (await fetch(`${gateway.url}/?Event=AppLookup&Apps=1`)).status
  expect(await ask()).toBe(503)
  await expect.poll(ask).toBe(200)
  expect(results(gateway.observations).slice(0, 2)).toEqual(['gateway-failed', 'gateway-failed'])
})

test('an old service that does not answer turns nothing back', async () => {
  const old = await startAnswering((_, response) => response.writeHead(500).end())
  onTestFinished(old.close)
  const { url, observations } = await cutOver(old.url, { CUTOVER_SHARE: '1', CUTOVER_GUARD: '0' })
  for (let times = 0; times < 5; times++) await (await fetch(`${url}/?Event=AppLookup&Apps=1`)).text()
  await expect.poll(() => results(observations)).toEqual(Array(5).fill('failed'))
  expect(ofType(observations, 'cutover-turned-back')).toEqual([])
})

test('off, nothing is compared; with SHADOW_URL, its comparisons are those of the guard', async () => {
  const old = await startOld()
  const off = await cutOver(old.url, { CUTOVER_SHARE: '1', CUTOVER_GUARD: 'off' })
  await (await fetch(`${off.url}/?Event=AppLookup&Apps=1`)).text()
  const other = await startOld()
  const shadow = { SHADOW_URL: other.url, SHADOW_SAMPLE: '1' }
  const { url, observations } = await cutOver(old.url, { CUTOVER_SHARE: '1', ...shadow })
  for (let times = 0; times < 2; times++) await (await fetch(`${url}/?Event=AppLookup&Apps=1`)).text()
  await expect.poll(() => ofType(observations, 'cutover-turned-back')).toHaveLength(1)
  expect(other.asked).toHaveLength(2)
  expect(old.asked).toEqual([])
  expect(results(off.observations)).toEqual([])
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

  test('what is older than its window no more', async () => {
    const guard = createGuard(0.01, 1)
    guard.note(true, 1)
    await expect.poll(() => guard.now()).toEqual({ compared: 0, bad: 0 })
    expect(guard.note(true, 1)).toBe(false)
  })
})
