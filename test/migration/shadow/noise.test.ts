// Live comparison with SHADOW_IGNORE, SHADOW_TOLERATE and SHADOW_LEARN.

import { expect, test } from 'vitest'
import type { Gateway } from '../../kit/gateway.ts'
import type { Switches } from '../../kit/old-service.ts'
import { answering, ask, ofType, results, shadowed, startTwin } from './support.ts'

const ignored = (gateway: Gateway) =>
  ofType(gateway, 'shadow-ignored')
    .map(({ event, format, kind, field, reason }) => `${event} ${format} ${kind} ${field} ${reason}`)
    .toSorted()
const differing = (gateway: Gateway) =>
  new Set(ofType(gateway, 'shadow-differs').map(({ kind, field }) => `${kind} ${field}`))

const profiles = ['ProfileLookup&Users=1', 'ProfileLookup&Users=1:2&Format=XML']
const app = 'AppLookup&Apps=1'
const both = (text: string) => ['JSON', 'XML'].map((format) => `ProfileLookup ${format} value ${text}`)

test.for<{
  readonly changing: Switches['changing'] & {}
  readonly settings: Readonly<Record<string, string>>
  readonly queries: readonly string[]
  readonly compared: readonly string[]
  readonly because: readonly string[]
  readonly counts?: readonly string[]
}>([
  {
    changing: ['JoinDate', 'Rank'],
    settings: { SHADOW_IGNORE: 'JoinDate', SHADOW_TOLERATE: 'ProfileLookup.Rank=1000000000' },
    queries: profiles,
    compared: ['ignored', 'ignored'],
    because: [...both('JoinDate ignored'), ...both('Rank tolerated')].toSorted(),
  },
  {
    changing: ['JoinDate', 'Rank'],
    settings: { SHADOW_IGNORE: 'Rank' },
    queries: profiles,
    compared: ['different', 'different'],
    because: both('Rank ignored'),
    counts: ['value JoinDate'],
  },
  {
    changing: ['Rank'],
    settings: { SHADOW_LEARN: 'on' },
    queries: [...profiles, app],
    compared: ['bytes', 'ignored', 'ignored'],
    because: both('Rank learned'),
  },
  {
    changing: ['status'],
    settings: { SHADOW_LEARN: 'on' },
    queries: [app, app],
    compared: ['bytes', 'ignored'],
    because: ['AppLookup JSON status answer learned'],
  },
])(
  'an old service that changes $changing, with $settings: $compared',
  async ({ changing, settings, queries, compared, because, counts = [] }) => {
    const gateway = await shadowed(await startTwin({ changing }), settings)
    for (const query of queries) await ask(gateway, query)
    await expect.poll(() => results(gateway)).toEqual(compared)
    expect(ignored(gateway)).toEqual(because)
    expect(differing(gateway)).toEqual(new Set(counts))
  },
)

test('a second request is sent only if the first response differs', async () => {
  const old = await answering(
    ({ url = '' }, response) => void response.end(url.includes('=1') ? '{"1":{"Title":"x"}}' : '{}'),
  )
  const gateway = await shadowed(old, { SHADOW_LEARN: 'on' })
  for (const app of [99, 1, 98]) await ask(gateway, `AppLookup&Apps=${app}`)
  await expect.poll(() => results(gateway)).toEqual(['bytes', 'bytes', 'different'])
  expect(old.asked.filter((target) => target.includes('=1'))).toHaveLength(2)
  expect(old.asked).toHaveLength(4)
})

test('names that the old service makes up are in no log', async () => {
  let time = 0
  const old = await answering((_, response) => void response.end(`{"1":{"Ada":${++time},"Title":"Ada"}}`))
  const gateway = await shadowed(old, { SHADOW_LEARN: 'on', SHADOW_IGNORE: 'Title' })
  await ask(gateway, 'AppLookup&Apps=1')
  await expect.poll(() => results(gateway)).toEqual(['different'])
  expect(ignored(gateway)).toEqual(['AppLookup JSON value Title ignored'])
  expect(JSON.stringify(gateway.observations)).not.toContain('Ada')
})
