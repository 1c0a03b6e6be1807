// Live comparison: what is counted and logged, and that no answer waits for it.

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Observation, ShadowResult } from '../../../src/observation.ts'
import { startAnswering } from '../../kit/answering.ts'
import { type Gateway, startGateway, startGatewayOver } from '../../kit/gateway.ts'
import { hasProgram } from '../../kit/programs.ts'
import { startOldService } from '../../old-service/start.ts'

async function shadowed(url: string, settings: Readonly<Record<string, string>> = {}): Promise<Gateway> {
  const gateway = await startGateway({ SHADOW_URL: url, SHADOW_SAMPLE: '1', ...settings })
  onTestFinished(gateway.close)
  return gateway
}
const results = ({ observations }: Gateway): ShadowResult[] =>
  observations.flatMap((observation) =>
    observation.type === 'shadow-compared'
      ? Array<ShadowResult>(observation.count).fill(observation.result)
      : [],
  )
const ofType = <Type extends Observation['type']>({ observations }: Gateway, type: Type) =>
  observations.filter((observation) => observation.type === type)
const ask = async ({ url }: Gateway, query: string) => (await fetch(`${url}/?${query}`)).text()

describe.skipIf(!hasProgram('php'))('beside an old service in PHP', () => {
  test('counts same bytes, the same meaning and another one', async () => {
    const old = await startOldService({ xmlDeclaration: false, unknown: 'null' })
    onTestFinished(old.close)
    const gateway = await shadowed(old.url)
    for (const query of ['Users=1', 'Users=1:2&Format=XML', 'Users=1:99'])
      await ask(gateway, `Event=ProfileLookup&${query}`)
    await expect
      .poll(() => results(gateway).toSorted(), { timeout: 5_000 })
      .toEqual(['bytes', 'different', 'meaning'])
    const [difference] = ofType(gateway, 'shadow-differs')
    expect(difference).toEqual({
      type: 'shadow-differs',
      requestId: expect.any(String),
      event: 'ProfileLookup',
      method: 'id',
      format: 'JSON',
      field: 'entry',
      kind: 'missing',
    })
  })

  test('refusals are compared as such', async () => {
    const old = await startOldService()
    onTestFinished(old.close)
    const gateway = await shadowed(old.url, { LEGACY_MALFORMED: 'unknown' })
    await ask(gateway, 'Event=Nothing')
    await ask(gateway, 'Event=ProfileLookup&Users=')
    await expect.poll(() => results(gateway), { timeout: 5_000 }).toEqual(['meaning', 'meaning'])
  })
})

test('each cause is in the log once a minute, and no person is named', async () => {
  const old = await startAnswering((_, response) => void response.end('{"Ada":{"nickname":"Ada"}}'))
  onTestFinished(old.close)
  const gateway = await shadowed(old.url)
  const queries = [
    'ProfileLookup&Users=1',
    'ProfileLookup&Users=2',
    'Ada&Users=1',
    'ProfileLookup&MethodOfAccessingUserInformation=Ada&Users=1',
  ]
  for (const query of queries) await ask(gateway, `Event=${query}`)
  await expect.poll(() => results(gateway).length, { timeout: 5_000 }).toBe(4)
  const logged = ofType(gateway, 'shadow-differs')
  // Two of one kind in the first two requests, and one in each of the others.
  expect(logged).toHaveLength(4)
  expect(logged.map((line) => ('event' in line ? line.event : '')).toSorted()).toEqual([
    'ProfileLookup',
    'ProfileLookup',
    'ProfileLookup',
    'other',
  ])
  expect(JSON.stringify(logged)).not.toContain('Ada')
})

test('an old service that fails is counted, and told of once', async () => {
  const old = await startAnswering((_, response) => response.writeHead(500).end())
  onTestFinished(old.close)
  const gateway = await shadowed(old.url)
  for (let times = 0; times < 5; times++) await ask(gateway, 'Event=AppLookup&Apps=1')
  await expect.poll(() => results(gateway)).toEqual(Array(5).fill('failed'))
  expect(ofType(gateway, 'shadow-unanswered')).toEqual([{ type: 'shadow-unanswered', reason: 'status 500' }])
})

test('one that hangs gets two calls, keeps a hundred answers waiting, and the rest are dropped', async () => {
  const old = await startAnswering(() => {})
  onTestFinished(old.close)
  const gateway = await shadowed(old.url)
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, at) => ask(gateway, `Event=AppLookup&Apps=${1 + (at % 3)}`)),
  )
  expect(answers.every((body) => body.startsWith('{"'))).toBe(true)
  await expect.poll(() => old.asked.length).toBe(2)
  // Drops are summed up once a second.
  await expect.poll(() => results(gateway).length, { timeout: 3_000 }).toBeGreaterThanOrEqual(198)
  expect(results(gateway).every((result) => result === 'dropped')).toBe(true)
  expect(results(gateway).length).toBeLessThanOrEqual(200)
})

test('no more than 20 calls a second, and two at a time', async () => {
  let busy = 0
  let most = 0
  const old = await startAnswering((_, response) => {
    most = Math.max(most, ++busy)
    setTimeout(() => {
      busy--
      response.end('{}')
    }, 5)
  })
  onTestFinished(old.close)
  const gateway = await shadowed(old.url)
  const started = performance.now()
  await Promise.all(Array.from({ length: 80 }, () => ask(gateway, 'Event=AppLookup&Apps=99')))
  await sleep(1_000)
  const seconds = (performance.now() - started) / 1000
  expect(old.asked.length).toBeGreaterThan(10)
  expect(old.asked.length).toBeLessThanOrEqual(20 * seconds + 2)
  expect(most).toBeLessThanOrEqual(2)
})

test('what is too large to be compared in passing is dropped', async () => {
  const old = await startAnswering((_, response) => void response.end('{}'))
  onTestFinished(old.close)
  const gateway = await shadowed(old.url, { LEGACY_UNKNOWN: 'null', LEGACY_MAX_VALUES: '10000' })
  const askFor = async (apps: number) => {
    const ids = Array.from({ length: apps }, (_, at) => at + 10_000).join(':')
    return (await ask(gateway, `Event=AppLookup&Apps=${ids}`)).length
  }
  // An entry is `"10000":null` and a comma.
  expect(await askFor(5_041)).toBe(64 * 1024 - 2)
  expect(await askFor(5_042)).toBe(64 * 1024 + 11)
  await expect.poll(() => results(gateway).toSorted(), { timeout: 3_000 }).toEqual(['different', 'dropped'])
})

test('so is an answer of the old service that is too large', async () => {
  const size = 64 * 1024
  const old = await startAnswering(({ url = '' }, response) => {
    const bytes = size + Number(url.includes('=98'))
    response.end(`{"1":"${'x'.repeat(bytes - 8)}"}`)
  })
  onTestFinished(old.close)
  const gateway = await shadowed(old.url)
  await ask(gateway, 'Event=AppLookup&Apps=98')
  await ask(gateway, 'Event=AppLookup&Apps=99')
  await expect.poll(() => results(gateway).toSorted(), { timeout: 3_000 }).toEqual(['different', 'dropped'])
  expect(ofType(gateway, 'shadow-unanswered')).toEqual([])
})

test('a share of the answers, and none where there is none', async () => {
  const old = await startAnswering((_, response) => void response.end('{}'))
  onTestFinished(old.close)
  const none = await shadowed(old.url, { SHADOW_SAMPLE: '0' })
  for (let times = 0; times < 20; times++) await ask(none, 'Event=AppLookup&Apps=99')
  await sleep(50)
  expect(old.asked).toEqual([])
  const some = await shadowed(old.url, { SHADOW_SAMPLE: '0.1' })
  for (let times = 0; times < 400; times++) await ask(some, 'Event=AppLookup&Apps=99')
  // 40 of 400, give or take five standard deviations; it takes two seconds to ask for so many, and none is
  // dropped.
  await expect.poll(() => results(some).length, { timeout: 5_000 }).toBeGreaterThanOrEqual(10)
  await sleep(3_500)
  expect(results(some).length).toBeLessThanOrEqual(70)
  expect(results(some).length).toBe(old.asked.length)
}, 20_000)

test('an answer of the old service of more than 256 KiB is not read', async () => {
  const old = await startAnswering((_, response) => void response.end('<Data/>'.repeat(40_000)))
  onTestFinished(old.close)
  const gateway = await shadowed(old.url)
  await ask(gateway, 'Event=AppLookup&Apps=1&Format=XML')
  await expect.poll(() => results(gateway)).toEqual(['failed'])
  const [unanswered] = ofType(gateway, 'shadow-unanswered')
  expect(unanswered).toMatchObject({ reason: 'its answer has more than 262144 bytes' })
})

test('what the gateway itself could not answer is not compared', async () => {
  const old = await startAnswering((_, response) => void response.end('{}'))
  onTestFinished(old.close)
  const away = await startAnswering((_, response) => response.writeHead(500).end())
  onTestFinished(away.close)
  // Even where it has status 200.
  const settings = { SHADOW_URL: old.url, SHADOW_SAMPLE: '1', LEGACY_ERROR_STATUS: '200' }
  const gateway = await startGatewayOver({ DATABASE_URL: away.url, ...settings })
  onTestFinished(gateway.close)
  const answer = await fetch(`${gateway.url}/?Event=AppLookup&Apps=1`)
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Unavailable')])
  await sleep(100)
  expect(old.asked).toEqual([])
})

test('a gateway that closes ends its calls to the old service, and counts them as nothing', async () => {
  let open = 0
  const old = await startAnswering((_, response) => {
    open++
    response.on('close', () => open--)
  })
  onTestFinished(old.close)
  const gateway = await startGateway({ SHADOW_URL: old.url, SHADOW_SAMPLE: '1' })
  for (const app of [1, 2, 3]) await ask(gateway, `Event=AppLookup&Apps=${app}`)
  await expect.poll(() => open).toBe(2)
  await gateway.close()
  await expect.poll(() => open).toBe(0)
  await sleep(100)
  expect(old.asked).toHaveLength(2)
  expect(results(gateway)).toEqual([])
})
