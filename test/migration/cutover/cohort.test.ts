// Which clients are on the new side: as many as the dial says, always the same, and never back.

import { expect, test } from 'vitest'
import { addresses, behindProxy, cutOver, newOnes, sideOf, startOld } from './support.ts'

const CLIENTS = 400

test.for([
  ['addresses', {}, addresses(CLIENTS)],
  [
    'a header',
    { CUTOVER_BY: 'header:X-Api-Key' },
    Array.from({ length: CLIENTS }, (_, at) => ({ 'X-Api-Key': `key-${at}` })),
  ],
] as const)('by %s: a share of the clients, and more of them with a larger one', async ([, by, clients]) => {
  const old = await startOld()
  const at = async (share: string) => {
    const settings = { ...behindProxy, ...by, CUTOVER_SHARE: share, CUTOVER_GUARD: 'off' }
    const gateway = await cutOver(old.url, settings)
    return newOnes(gateway.url, clients)
  }
  const few = await at('0.1')
  const some = await at('0.3')
  // The same clients, whichever process it is.
  expect(await at('0.3')).toEqual(some)
  expect(await at('0')).toEqual(new Set())
  expect((await at('1')).size).toBe(CLIENTS)
  expect([...few].filter((client) => !some.has(client))).toEqual([])
  // Of so many clients, give or take five standard deviations.
  for (const [found, share] of [
    [few, 0.1],
    [some, 0.3],
  ] as const) {
    const deviation = Math.sqrt(CLIENTS * share * (1 - share))
    expect(Math.abs(found.size - CLIENTS * share)).toBeLessThan(5 * deviation)
  }
})

test('an address is believed only of trusted proxies, and is the network of an IPv6 client', async () => {
  const old = await startOld()
  const settings = { CUTOVER_SHARE: '0.5', CUTOVER_GUARD: 'off' }
  const alone = await cutOver(old.url, settings)
  const seen = await newOnes(alone.url, addresses(40))
  expect([0, 40]).toContain(seen.size)
  const behind = await cutOver(old.url, { ...settings, ...behindProxy })
  const spoofed = addresses(40).map((headers) => ({
    'X-Forwarded-For': `${headers['X-Forwarded-For']}, 203.0.113.9`,
  }))
  expect([0, 40]).toContain((await newOnes(behind.url, spoofed)).size)
  const household = Array.from({ length: 20 }, (_, at) => ({ 'X-Forwarded-For': `2001:db8:1:2::${at}` }))
  expect([0, 20]).toContain((await newOnes(behind.url, household)).size)
})

test('clients without the header are told apart by address', async () => {
  const old = await startOld()
  const settings = { ...behindProxy, CUTOVER_SHARE: '0.5', CUTOVER_GUARD: 'off' }
  const byHeader = await cutOver(old.url, { ...settings, CUTOVER_BY: 'header:X-Api-Key' })
  const byAddress = await cutOver(old.url, settings)
  const clients = addresses(60)
  expect(await newOnes(byHeader.url, clients)).toEqual(await newOnes(byAddress.url, clients))
})

test('whatever a client asks, and over whichever connection', async () => {
  const old = await startOld()
  const gateway = await cutOver(old.url, { ...behindProxy, CUTOVER_SHARE: '0.5', CUTOVER_GUARD: 'off' })
  for (const headers of addresses(10)) {
    const side = await sideOf(gateway.url, headers)
    for (const query of [
      'Event=ProfileLookup&Users=1',
      'Event=Nothing',
      'Event=AppLookup&Apps=2&Format=XML',
    ]) {
      const connection: Record<string, string> = { ...headers, Connection: 'close' }
      const body = await (await fetch(`${gateway.url}/?${query}`, { headers: connection })).text()
      expect(body === 'old' ? 'old' : 'new').toBe(side)
    }
  }
})
