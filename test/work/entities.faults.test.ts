// What the worst requests of routers cost, within the limits.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { note } from '../kit/figures.ts'
import { type GatewayProcess, startGatewayProcess } from '../kit/gateway-process.ts'
import { asked, times } from './hostile-graphql.ts'
import { BOUND_MS, costOf, type Hostile, steadyCostOf } from './meter.ts'

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGatewayProcess({ FEDERATION: 'on' })
  const usual = asked('query ($r: [_Any!]!) { _entities(representations: $r) { __typename } }', {
    r: [{ __typename: 'User', id: '1' }],
  })
  for (let time = 0; time < 5; time++) await costOf(gateway, usual)
})
afterAll(async () => expect(await gateway.close()).toBe(''))

const entities = (inside: string) => `query ($r: [_Any!]!) { _entities(representations: $r) { ${inside} } }`
const references = (count: number) =>
  times(count, (at) => (at % 2 === 0 ? 'User' : 'App'))
    .split(' ')
    .map((__typename, at) => ({ __typename, id: 1 + (at % 7) }))
/** As many lines, and as long, as errors say their places in. */
const lines = `${'#'.repeat(50)}\n`.repeat(999)
const everything =
  '... on User { id username displayName rank joinDate isConfirmed banned } ... on App { id title version category changelogLink downloadLink }'
/** Each doubles what the one before it spreads. */
const doubling = times(90, (at) =>
  at === 89
    ? 'fragment F89 on User { id }'
    : `fragment F${at} on User { ... on _Entity { ...F${at + 1} } ...F${at + 1} }`,
)

const hostile: Readonly<Record<string, Hostile>> = {
  '833 entities with 12 fields': asked(entities(everything), { r: references(833) }),
  '100 malformed representations after 999 lines': asked(lines + entities('__typename'), {
    r: Array(100).fill(1),
  }),
  '1,000 malformed representations after 999 lines': asked(lines + entities('__typename'), {
    r: Array(1_000).fill(1),
  }),
  'a representation of 6,000 members': asked(entities('__typename'), {
    r: [Object.fromEntries(Array.from({ length: 6_000 }, (_, at) => [`id${at}`, 1]))],
  }),
  'fragments on entities': asked(`${entities('...F0')} ${doubling}`, { r: references(700) }),
  'the sdl under 15 aliases': asked(`{ ${times(15, (at) => `a${at}: _service { sdl }`)} }`),
}

test.for(Object.entries(hostile))('%s', { timeout: 120_000 }, async ([what, request], context) => {
  const cost = await steadyCostOf(gateway, request)
  const measured = `${cost.toFixed(1)} ms`
  note(context, { promise: 10, what: `processor time: ${what}`, bound: `≤ ${BOUND_MS} ms`, measured })
  if (process.env.SHOW !== undefined) process.stderr.write(`${what}: ${measured}\n`)
  expect(cost).toBeLessThan(BOUND_MS)
})
