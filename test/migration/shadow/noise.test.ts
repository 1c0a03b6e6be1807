// Live comparison with SHADOW_IGNORE, SHADOW_TOLERATE and SHADOW_LEARN.

import { describe, expect, onTestFinished, test } from 'vitest'
import { startAnswering } from '../../kit/answering.ts'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { hasProgram } from '../../kit/programs.ts'
import { type Switches, startOldService } from '../../old-service/start.ts'

async function shadowed(url: string, settings: Readonly<Record<string, string>>): Promise<Gateway> {
  const gateway = await startGateway({ SHADOW_URL: url, SHADOW_SAMPLE: '1', ...settings })
  onTestFinished(gateway.close)
  return gateway
}
const results = ({ observations }: Gateway) =>
  observations.flatMap((one) => (one.type === 'shadow-compared' ? [one.result] : []))
const told = ({ observations }: Gateway) =>
  observations.flatMap((one) =>
    one.type === 'shadow-ignored'
      ? [`${one.event} ${one.format} ${one.kind} ${one.field} ${one.reason}`]
      : [],
  )
const differing = ({ observations }: Gateway) =>
  observations.flatMap((one) => (one.type === 'shadow-differs' ? [`${one.kind} ${one.field}`] : []))
const ask = async ({ url }: Gateway, query: string) => (await fetch(`${url}/?Event=${query}`)).text()

describe.skipIf(!hasProgram('php'))('beside an old service in PHP', () => {
  async function compared(switches: Switches, settings: Readonly<Record<string, string>>, queries: string[]) {
    const old = await startOldService({ xmlDeclaration: false, ...switches })
    onTestFinished(old.close)
    const gateway = await shadowed(old.url, settings)
    for (const query of queries) await ask(gateway, query)
    await expect.poll(() => results(gateway).length).toBe(queries.length)
    return gateway
  }
  const profiles = ['ProfileLookup&Users=1', 'ProfileLookup&Users=1:2&Format=XML']

  test('ignored and tolerated differences are a result of their own', async () => {
    const settings = { SHADOW_IGNORE: 'JoinDate', SHADOW_TOLERATE: 'ProfileLookup.Rank=1000000000' }
    const gateway = await compared({ changing: ['JoinDate', 'Rank'] }, settings, profiles)
    expect(results(gateway)).toEqual(['ignored', 'ignored'])
    expect(differing(gateway)).toEqual([])
    expect(told(gateway).toSorted()).toEqual([
      'ProfileLookup JSON value JoinDate ignored',
      'ProfileLookup JSON value Rank tolerated',
      'ProfileLookup XML value JoinDate ignored',
      'ProfileLookup XML value Rank tolerated',
    ])
  })

  test('what is not named counts', async () => {
    const gateway = await compared({ changing: ['JoinDate', 'Rank'] }, { SHADOW_IGNORE: 'Rank' }, profiles)
    expect(results(gateway)).toEqual(['different', 'different'])
    expect([...new Set(differing(gateway))]).toEqual(['value JoinDate'])
  })

  test('what the old service changes by itself is learnt, before a difference counts', async () => {
    const gateway = await compared({ changing: ['JoinDate', 'Rank'] }, { SHADOW_LEARN: 'on' }, [
      ...profiles,
      'AppLookup&Apps=1',
    ])
    expect(results(gateway).toSorted()).toEqual(['bytes', 'ignored', 'ignored'])
    expect(told(gateway)).toContain('ProfileLookup JSON value JoinDate learned')
    expect(differing(gateway)).toEqual([])
  })

  test('where it contradicts itself, the answer is to be one of the two', async () => {
    const app = 'AppLookup&Apps=1'
    const gateway = await compared({ changing: ['status'] }, { SHADOW_LEARN: 'on' }, [app, app])
    expect(results(gateway).toSorted()).toEqual(['bytes', 'ignored'])
    expect(told(gateway)).toEqual(['AppLookup JSON refused answer learned'])
  })
})

test('the old service is asked again only for what differs, and one that changes nothing is told as ever', async () => {
  const old = await startAnswering(
    ({ url = '' }, response) => void response.end(url.includes('=1') ? '{"1":{"Title":"x"}}' : '{}'),
  )
  onTestFinished(old.close)
  const gateway = await shadowed(old.url, { SHADOW_LEARN: 'on' })
  for (const app of [99, 1, 98]) await ask(gateway, `AppLookup&Apps=${app}`)
  await expect.poll(() => results(gateway).toSorted()).toEqual(['bytes', 'bytes', 'different'])
  expect(old.asked.filter((target) => target.includes('=1'))).toHaveLength(2)
  expect(old.asked).toHaveLength(4)
})

test('names that the old service makes up are in no log', async () => {
  let time = 0
  const old = await startAnswering(
    (_, response) => void response.end(`{"1":{"Ada":${++time},"Title":"Ada"}}`),
  )
  onTestFinished(old.close)
  const gateway = await shadowed(old.url, { SHADOW_LEARN: 'on', SHADOW_IGNORE: 'Title' })
  await ask(gateway, 'AppLookup&Apps=1')
  await expect.poll(() => results(gateway)).toEqual(['different'])
  expect(told(gateway)).toEqual(['AppLookup JSON value Title ignored'])
  expect(JSON.stringify(gateway.observations)).not.toContain('Ada')
})

test('a gateway that closes does not ask again', async () => {
  const old = await startAnswering((_, response) => void response.end('{"1":{"Title":"x"}}'))
  onTestFinished(old.close)
  const gateway = await startGateway({ SHADOW_URL: old.url, SHADOW_SAMPLE: '1', SHADOW_LEARN: 'on' })
  await ask(gateway, 'AppLookup&Apps=1')
  await expect.poll(() => old.asked.length).toBe(1)
  await gateway.close()
  expect(results(gateway)).toEqual([])
  expect(old.asked).toHaveLength(1)
})
