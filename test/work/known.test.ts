// Requests that once took seconds, or made a process read thousands of rows in vain.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { exchange, requestFor } from '../http/raw.ts'
import { figure } from '../support/figures.ts'
import { type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts'
import { posted } from './hostile-graphql.ts'
import { BOUND_MS, costOf, type Hostile, steadyCostOf } from './meter.ts'

let gateway: GatewayProcess
const quick: Hostile[] = [
  (nonce) => asked('{ users(values: ["1"]) { id } }')(nonce),
  () => requestFor('/?Event=ProfileLookup&Users=1'),
  () => requestFor('/?Event=ProfileLookup&Users=x'),
  () => requestFor('/explain?Event=ProfileLookup&Users=1'),
]
beforeAll(async () => {
  gateway = await startGatewayProcess()
  for (const hostile of quick) for (let time = 0; time < 5; time++) await costOf(gateway, hostile)
})
afterAll(async () => expect(await gateway.close()).toBe(''))

const asked =
  (query: string, variables: unknown = {}): Hostile =>
  (nonce) =>
    posted(JSON.stringify({ query: `${query} #${nonce}`, variables }))
const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ')
const byName = (names: string) =>
  requestFor(`/?Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=${names}`)

const marks = '\u0301\u0323'.repeat(16_000)
const rawMarks = Buffer.from(marks).toString('latin1')
const broken = '%4&'.repeat(21_000)
/** Each doubles what the one before it expands to. */
const doubling = (count: number, leaf: string) =>
  times(count, (at) => {
    const inside = at === count - 1 ? leaf : `a: ofType { ...F${at + 1} } b: ofType { ...F${at + 1} }`
    return `fragment F${at} on __Type { ${inside} }`
  })
const wholeSchema = `fragment S on __Schema { types { ...T fields { name type { ...T ofType { ...T ofType { name } } }
  args { name type { name ofType { name } } } } } directives { name args { name } } }
  fragment T on __Type { kind name description }`
const users = 'users(by: USERNAME, values: $v) { id }'
const thousand = Array.from({ length: 1_000 }, (_, index) => String(index + 1))

const requests: Readonly<Record<string, Hostile>> = {
  'a username of marks, escaped': () => byName(`a${'%CC%81%CC%A3'.repeat(5_400)}`),
  'a username of marks, raw': () => byName(`a${rawMarks.slice(0, 65_000)}`),
  'a thousand usernames of marks': () =>
    byName(
      Array(1_000)
        .fill(`a${rawMarks.slice(0, 60)}`)
        .join(':'),
    ),
  'a username of marks in GraphQL': asked(`query ($v: [String!]!) { ${users} }`, { v: [`a${marks}`] }),
  'the same under 15 aliases': asked(`query ($v: [String!]!) { ${times(15, (at) => `a${at}: ${users}`)} }`, {
    v: [`a${marks}`],
  }),
  'fragments within the schema': asked(`{ __schema { types { ...F0 } } } ${doubling(7, 'name')}`),
  'many fragments within the schema': asked(`{ __type(name: "User") { ...F0 } } ${doubling(90, 'name')}`),
  'the schema under 15 aliases': asked(
    `{ ${times(15, (at) => `a${at}: __schema { ...S }`)} } ${wholeSchema}`,
  ),
  'the whole schema': asked(`{ __schema { ...S } } ${wholeSchema}`),
  'broken escapes, 400': () => requestFor(`/?${broken}`),
  'broken escapes, 405': () => requestFor(`/?${broken}`, ['Host: a'], 'DELETE'),
  'broken escapes, 414': () => requestFor(`/?${broken}${broken}`),
  'broken escapes, 400 of another host': () => requestFor(`/?${broken}`, ['Host: a b']),
  'broken escapes, explained': () => requestFor(`/explain?${broken}`),
  'a long text where an enum is due': asked(
    'query ($b: UserLookupMethod!) { users(by: $b, values: []) { id } }',
    {
      b: 'x'.repeat(60_000),
    },
  ),
  'a long name of a field': asked(`{ ${'x'.repeat(60_000)} }`),
  'a long name of an enum': asked(`{ users(by: ${'x'.repeat(60_000)}, values: []) { id } }`),
}

test.each(Object.entries(requests))('%s', { timeout: 120_000 }, async (_what, hostile) => {
  expect(await steadyCostOf(gateway, hostile)).toBeLessThan(BOUND_MS)
})

test('a list of 1,000 and one of 1 are refused before the store is asked', async () => {
  const query =
    'query ($a: [String!]!) { a: users(values: $a) { id displayName rank } b: users(values: "1") { id } }'
  const hostile = asked(query, { a: thousand })
  const { status, body } = await exchange(gateway.url, hostile(''))
  expect({ status, body }).toEqual({ status: 200, body: expect.stringContaining('"code":"TOO_MANY_VALUES"') })
  expect(await steadyCostOf(gateway, hostile)).toBeLessThan(figure(40, 20))
})
