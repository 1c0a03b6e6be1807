// Which clients are on the new side: as many as the share says, always the same ones, and never back.

import { expect, test } from 'vitest'
import { addresses, areNew, behindProxy, countNew, cutOver, startOld } from './support.ts'

const CLIENTS = 200
const unguarded = { CUTOVER_GUARD: 'off' }
const keys = Array.from({ length: CLIENTS }, (_, at) => ({ 'X-Api-Key': `key-${at}` }))

test.for([
  ['address', {}, addresses(CLIENTS)],
  ['header', { CUTOVER_BY: 'header:X-Api-Key' }, keys],
] as const)(
  'by %s: a share of the clients, and more of them with a larger share',
  async ([, by, clients]) => {
    const old = await startOld()
    const at = async (share: string) => {
      const gateway = await cutOver(old.url, { ...unguarded, ...behindProxy, ...by, CUTOVER_SHARE: share })
      return areNew(gateway.url, clients)
    }
    const [few, some] = [await at('0.25'), await at('0.5')]
    // Another process has the same clients.
    expect(await at('0.5')).toEqual(some)
    expect(new Set(await at('0'))).toEqual(new Set([false]))
    expect(new Set(await at('1'))).toEqual(new Set([true]))
    expect(few.filter((isNew, client) => isNew && !some[client])).toEqual([])
    const count = (sides: readonly boolean[]) => sides.filter((isNew) => isNew).length
    // Within five standard deviations.
    expect(Math.abs(count(few) - 50)).toBeLessThan(31)
    expect(Math.abs(count(some) - 100)).toBeLessThan(36)
  },
)

const household = Array.from({ length: 20 }, (_, at) => ({ 'X-Forwarded-For': `2001:db8:1:2::${at}` }))
const spoofed = addresses(40).map((headers) => ({
  'X-Forwarded-For': `${headers['X-Forwarded-For']}, 203.0.113.9`,
}))

test.for([
  ['addresses of a header without a trusted proxy', {}, addresses(40)],
  ['addresses that a client made up before a trusted proxy', behindProxy, spoofed],
  ['addresses of one IPv6 network', behindProxy, household],
] as const)('%s are one client', async ([, proxies, clients]) => {
  const old = await startOld()
  const { url } = await cutOver(old.url, { ...unguarded, ...proxies, CUTOVER_SHARE: '0.5' })
  expect([0, clients.length]).toContain(await countNew(url, clients))
})
