// CUTOVER_PINS and X-Lookup-Side: some clients have a side of their own, whatever the dial is at.

import { describe, expect, test } from 'vitest'
import { areNew, behindProxy, cutOver, startOld } from './support.ts'

const settings = { CUTOVER_GUARD: 'off', ...behindProxy }

async function sides(given: Readonly<Record<string, string>>, clients: Parameters<typeof areNew>[1]) {
  const old = await startOld()
  const gateway = await cutOver(old.url, { ...settings, ...given })
  return areNew(gateway.url, clients)
}

const from = (address: string, headers: Readonly<Record<string, string>> = {}) => ({
  'X-Forwarded-For': address,
  ...headers,
})

describe('at 0, the new side responds only to clients that are pinned to it', () => {
  test.for<readonly [pins: string, client: Readonly<Record<string, string>>, isNew: boolean]>([
    ['203.0.113.7=new', from('203.0.113.7'), true],
    ['203.0.113.7=new', from('203.0.113.8'), false],
    ['203.0.113.0/24=new', from('203.0.113.200'), true],
    // An identity is a /64 network, and a pin is exact.
    ['2001:db8:1:2::7=new', from('2001:db8:1:2::8'), false],
    ['2001:db8::/32=new', from('2001:db8:1:2::8'), true],
    ['user-agent:Beta=new', from('10.0.0.1', { 'User-Agent': 'Updater Beta/2' }), true],
    ['x-team:qa=new', from('10.0.0.1', { 'X-Team': 'qa' }), true],
    ['x-team:qa=new', from('10.0.0.1', { 'X-Team': 'qa2' }), false],
    ['10.0.0.1=old, x-team:qa=new', from('10.0.0.1', { 'X-Team': 'qa' }), false],
  ])('%s with %j: %s', async ([pins, client, isNew]) => {
    expect(await sides({ CUTOVER_PINS: pins }, [client])).toEqual([isNew])
  })
})

test('at 1, a client that is pinned to the old side stays there', async () => {
  const given = { CUTOVER_SHARE: '1', CUTOVER_PINS: '10.0.0.0/8=old' }
  expect(await sides(given, [from('10.1.1.1'), from('11.1.1.1')])).toEqual([false, true])
})

test('X-Lookup-Side counts before pins and the dial, if CUTOVER_TEST_HEADER allows it', async () => {
  const clients = ['new', 'old', 'other'].map((side) => from('10.0.0.1', { 'X-Lookup-Side': side }))
  expect(await sides({}, clients)).toEqual([false, false, false])
  expect(await sides({ CUTOVER_TEST_HEADER: 'on' }, clients)).toEqual([true, false, false])
  const all = { CUTOVER_TEST_HEADER: 'on', CUTOVER_SHARE: '1', CUTOVER_PINS: '10.0.0.1=new' }
  expect(await sides(all, clients)).toEqual([true, false, true])
})
