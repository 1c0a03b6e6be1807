// The guard turns the dial back if responses differ or fail for several clients, and leaves it alone
// otherwise.

import { describe, expect, onTestFinished, test } from 'vitest'
import { createGuard } from '../../../src/migration/cutover/guard.ts'
import { createClock } from '../../kit/clock.ts'
import { type Gateway, startGatewayOver } from '../../kit/gateway.ts'
import {
  answering,
  behindProxy,
  bodyOf,
  clientAt,
  cutOver,
  lookup,
  ofType,
  results,
  startFailing,
  startOld,
  startTwin,
} from './support.ts'

const all = { CUTOVER_SHARE: '1', ...behindProxy }
const turnedBack = (gateway: Pick<Gateway, 'observations'>) => ofType(gateway, 'cutover-turned-back')
const profile = (user: number | string) => `/?Event=ProfileLookup&Users=${user}`

test('differences turn it back, once and for good', async () => {
  const old = await startTwin({ unknown: 'null' })
  const gateway = await cutOver(old.url, all)
  const ask = (user: number, client: number) => bodyOf(gateway.url + profile(user), clientAt(client))
  for (const user of [1, 2, 3]) await ask(user, user)
  await expect.poll(() => results(gateway)).toHaveLength(3)
  // The gateway omits unknown ids.
  for (const client of [4, 5, 6]) expect(await ask(90, client)).toBe('{}')
  const found = { before: 1, event: 'ProfileLookup', bad: 3, compared: 6, clients: 3 }
  await expect.poll(() => turnedBack(gateway)).toEqual([{ type: 'cutover-turned-back', ...found }])
  expect(await ask(90, 4)).toBe('{"90":null}')
  for (const user of [1, 2, 3]) await ask(user, user)
  expect(results(gateway)).toHaveLength(6)
  expect(turnedBack(gateway)).toHaveLength(1)
})

test.for<readonly [name: string, settings: Record<string, string>, address: (request: number) => string]>([
  ['with one address and many keys', behindProxy, () => '10.9.0.1'],
  ['that makes up addresses before a trusted proxy', behindProxy, (n) => `10.7.0.${n}, 10.9.0.1`],
  ['that makes up addresses without a proxy', { TRUSTED_PROXIES: '' }, (n) => `10.7.0.${n}`],
  ['with many addresses of one IPv6 network', behindProxy, (n) => `2001:db8:1:2::${n}`],
])('one client does not turn it back: one %s', async ([, proxies, address]) => {
  const old = await startTwin({ unknown: 'null' })
  const gateway = await cutOver(old.url, { ...all, ...proxies, CUTOVER_BY: 'header:X-Api-Key' })
  for (let request = 0; request < 8; request++)
    await bodyOf(gateway.url + profile(90 + request), {
      ...{ 'X-Forwarded-For': address(request), 'X-Api-Key': `made up ${request}` },
    })
  for (const user of [1, 2]) await bodyOf(gateway.url + profile(user), clientAt(user + 1))
  await expect.poll(() => results(gateway)).toHaveLength(10)
  expect(results(gateway).filter((result) => result === 'different')).toHaveLength(8)
  expect(turnedBack(gateway)).toEqual([])
})

test('one client has at most ten requests in the queue, so the guard sees others soon', async () => {
  const held: (() => void)[] = []
  const old = await answering((_, response) => void held.push(() => response.end('old')))
  const gateway = await cutOver(old.url, all)
  await Promise.all(Array.from({ length: 60 }, () => bodyOf(gateway.url + lookup, clientAt(1))))
  // Two are being compared, and ten wait.
  await expect.poll(() => results(gateway)).toEqual(Array(48).fill('dropped'))
  for (const client of [2, 3]) await bodyOf(gateway.url + lookup, clientAt(client))
  const releasing = setInterval(() => held.pop()?.(), 5)
  onTestFinished(() => clearInterval(releasing))
  await expect.poll(() => turnedBack(gateway)).toMatchObject([{ bad: 14, compared: 14, clients: 3 }])
})

test.for([
  [414, 'Users=1'],
  [400, `Users=${'1:'.repeat(1_000)}1`],
] as const)(
  'targets that the old service refuses with %i as too long do not count',
  async ([status, query]) => {
    const old = await answering((_, response) => void response.writeHead(status).end('too long'))
    const gateway = await cutOver(old.url, { ...all, CUTOVER_GUARD: '0' })
    for (const client of [1, 2, 3, 4])
      await bodyOf(`${gateway.url}/?Event=ProfileLookup&${query}`, clientAt(client))
    await expect.poll(() => results(gateway)).toEqual(Array(4).fill('ignored'))
    expect(ofType(gateway, 'shadow-ignored')).toMatchObject([{ reason: 'too long', kind: 'refused' }])
    expect(turnedBack(gateway)).toEqual([])
  },
)

test('the old service gets the path of the client, as from a proxy, if CUTOVER_URL has none', async () => {
  const same = await startTwin()
  const old = await answering(async ({ url = '' }, response) => {
    if (url.startsWith('/lookup.php?'))
      response.end(await bodyOf(new URL(url.replace('/lookup.php', '/'), same.url).href))
    else response.writeHead(404).end()
  })
  const paths = { LEGACY_PATHS: '/lookup.php' }
  const gateway = await cutOver(old.url, { ...all, ...paths, CUTOVER_GUARD: '0' })
  for (const client of [1, 2, 3])
    await bodyOf(`${gateway.url}/lookup.php?Event=AppLookup&Apps=1`, clientAt(client))
  await expect.poll(() => results(gateway)).toEqual(Array(3).fill('bytes'))
  const whole = await cutOver(`${old.url}lookup.php`, { ...all, CUTOVER_GUARD: '0' })
  await bodyOf(whole.url + lookup)
  await expect.poll(() => results(whole)).toEqual(['bytes'])
})

describe('requests that only the old service can respond to turn it back', () => {
  test.for(['off', 'on'])('with CUTOVER_FALLBACK=%s', async (fallback) => {
    const [old, away] = [await startOld(), await startFailing()]
    const settings = { ...all, DATABASE_URL: away.url, CUTOVER_URL: old.url, CUTOVER_FALLBACK: fallback }
    const gateway = await startGatewayOver(settings)
    onTestFinished(gateway.close)
    for (const client of [1, 2, 3])
      expect((await fetch(gateway.url + lookup, { headers: clientAt(client) })).status).toBe(
        fallback === 'on' ? 200 : 503,
      )
    await expect.poll(() => turnedBack(gateway)).toHaveLength(1)
    expect(results(gateway)).toEqual(Array(3).fill('gateway-failed'))
    // With a fallback, the guard needs no request of its own.
    expect(old.asked).toHaveLength(3)
  })
})

test.for([
  ['ignored', { SHADOW_IGNORE: 'Rank' }, (body: string) => body.replace(/"Rank":\d+/, '"Rank":77')],
  ['failed', {}, null],
] as const)('responses that are %s do not turn it back', async ([result, settings, change]) => {
  const same = await startTwin()
  const old = await answering(async ({ url = '' }, response) => {
    if (change === null) response.writeHead(500).end()
    else response.end(change(await bodyOf(new URL(url, same.url).href)))
  })
  const gateway = await cutOver(old.url, { ...all, CUTOVER_GUARD: '0', ...settings })
  for (const client of [1, 2, 3]) await bodyOf(gateway.url + profile(1), clientAt(client))
  await expect.poll(() => results(gateway)).toEqual(Array(3).fill(result))
  expect(turnedBack(gateway)).toEqual([])
})

test('with SHADOW_URL, its comparisons are those with that service', async () => {
  const [old, other] = [await startOld(), await startOld()]
  const gateway = await cutOver(old.url, { ...all, SHADOW_URL: other.url, SHADOW_SAMPLE: '1' })
  for (const client of [1, 2, 3]) await bodyOf(gateway.url + lookup, clientAt(client))
  await expect.poll(() => turnedBack(gateway)).toHaveLength(1)
  expect([other.asked.length, old.asked.length]).toEqual([3, 0])
})

describe('counts', () => {
  const clock = createClock()
  /** @param clients of comparisons; a bad one has a `!` */
  function trips(allowed: number, events: Readonly<Record<string, readonly string[]>>): boolean {
    const guard = createGuard(allowed, 300, clock)
    let isOver = false
    for (const [event, clients] of Object.entries(events))
      for (const client of clients)
        isOver =
          guard.record({ event, client: client.replace('!', ''), isBad: client.endsWith('!') }) !== null ||
          isOver
    return isOver
  }
  const repeat = (times: number, clients: (time: number) => readonly string[]) =>
    Array.from({ length: times }, (_, time) => clients(time)).flat()
  const good = repeat(500, (time) => [`${time % 50}`])

  const each = (share: number, times: number) =>
    repeat(times, (n) => ['a', 'b', 'c', 'd'].map((id) => id + (n % share === 0 ? '!' : '')))
  const three = repeat(500, () => ['a', 'b', 'c'])
  test.for<readonly [name: string, allowed: number, clients: readonly string[], isOver: boolean]>([
    ['two clients', 0, repeat(100, () => ['a!', 'b!']), false],
    ['three clients', 0.01, ['a!', 'b!', 'c!'], true],
    ['three clients of 53, once each', 0.01, [...good, 'a!', 'b!', 'c!'], true],
    ['three clients of 503, once each', 0.01, [...repeat(500, (n) => [`${n}`]), 'a!', 'b!', 'c!'], false],
    ['one client, 500 times', 0.01, [...good, ...repeat(500, () => ['a!'])], false],
    ['one client, beside rare ones', 0.01, [...good, '1!', ...repeat(9, () => ['a!']), '2!'], false],
    ['each client, one time in 200', 0.01, [...each(1_000, 199).slice(4), 'a!', 'b!', 'c!', 'd!'], false],
    ['each client, one time in 20', 0.01, each(20, 20), true],
    ['all from some moment on', 0.5, [...three, ...repeat(7, () => ['a!', 'b!', 'c!'])], true],
    ['two of three from some moment on', 0.5, [...three, ...repeat(9, () => ['a!', 'b!', 'c'])], false],
    ['none, with 1', 1, repeat(100, () => ['a!', 'b!', 'c!', 'd!']), false],
  ])('%s', ([, allowed, clients, isOver]) => {
    expect(trips(allowed, { ProfileLookup: clients })).toBe(isOver)
  })

  test('each event: a rare one that always fails is seen within 20 comparisons', () => {
    const rare = repeat(7, () => ['1!', '2!', '3!']).slice(0, 20)
    expect(trips(0.5, { ProfileLookup: repeat(2_000, (time) => [`${time % 200}`]), AppLookup: rare })).toBe(
      true,
    )
    expect(trips(0.5, { ProfileLookup: [...good, ...rare.slice(0, 2)], AppLookup: ['4!', '5!'] })).toBe(false)
  })

  test('a comparison until its window is over', async () => {
    const guard = createGuard(0.01, 10, clock)
    const note = (client: string) => guard.record({ event: 'AppLookup', client, isBad: true })
    note('a')
    note('b')
    await clock.advance(9_999)
    expect(guard.findings()).toEqual({ compared: 2, bad: 2, clients: 2, badClients: 2 })
    await clock.advance(1)
    expect(guard.findings()).toEqual({ compared: 0, bad: 0, clients: 0, badClients: 0 })
    expect(note('c')).toBe(null)
    guard.reset()
    expect(guard.findings().compared).toBe(0)
  })
})
