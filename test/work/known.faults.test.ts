// What the worst request within each limit costs, and requests that once took seconds.

import { hash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exchange, inChunks, requestFor } from '../http/raw.ts'
import { figure, note } from '../kit/figures.ts'
import { type GatewayProcess, startGatewayProcess } from '../kit/gateway-process.ts'
import { families, keptOf, NONCE, warmUp } from './families.ts'
import { asked, posted, times } from './hostile-graphql.ts'
import { BOUND_MS, costOf, type Hostile, steadyCostOf } from './meter.ts'

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
/** All of the schema, and twice from type to type, which is as far as an introspection may go. */
const wholeSchema = `fragment S on __Schema { description types { ...T1 } queryType { ...T1 }
    directives { name description isRepeatable locations args { ...I1 } } }
  fragment T1 on __Type { ...L fields { ...Own args { ...I1 } type { ...W1 } } interfaces { ...W1 } }
  fragment W1 on __Type { ...T2 ofType { ...T2 ofType { ...T2 ofType { ...T2 } } } }
  fragment I1 on __InputValue { name description defaultValue type { ...W1 } }
  fragment T2 on __Type { ...L fields { ...Own args { ...I2 } type { ...W2 } } possibleTypes { ...W2 } }
  fragment W2 on __Type { ...L ofType { ...L ofType { ...L ofType { ...L } } } }
  fragment I2 on __InputValue { name description defaultValue type { ...W2 } }
  fragment L on __Type { kind name description specifiedByURL isOneOf __typename enumValues { name description } }
  fragment Own on __Field { name description isDeprecated deprecationReason __typename }`
const users = 'users(by: USERNAME, values: $v) { id }'
const thousand = Array.from({ length: 1_000 }, (_, index) => String(index + 1))

/** Names of 256 marks each, all different: each takes as long to normalise as any. */
const dearNames = Array.from({ length: 1_000 }, (_, index) => `${index}${marks.slice(0, 250)}`)
const dearIds = Array.from({ length: 1_000 }, (_, index) => `${'0'.repeat(55)}${1 + (index % 13)}`)
const allFields = 'id username displayName rank joinDate isConfirmed banned'
const dearFields = asked(
  `query ($v: [ID!]!) { users(values: $v) { ${allFields} ${times(4, (at) => `a${at}: id`)} } }`,
  { v: Array.from({ length: 909 }, (_, index) => String(1 + (index % 9))) },
)
/** A batch of operations that could all be compiled. */
const tenOperations =
  (aliases: number, fields: number): Hostile =>
  (nonce) => {
    const query = `${times(10, (at) => `query Q${at} { ...Q }`)}
      fragment Q on Query { ${times(aliases, (at) => `a${at}: user(value: 1) { ...U }`)} }
      fragment U on User { ${'id '.repeat(fields)} } #${nonce}`
    return posted(JSON.stringify(Array.from({ length: 10 }, (_, at) => ({ query, operationName: `Q${at}` }))))
  }
const within: Readonly<Record<string, Hostile>> = {
  'a target of 64 KiB with 1,000 ids': () => requestFor(`/?Event=ProfileLookup&Users=${dearIds.join(':')}`),
  'the same as XML': () => requestFor(`/?Event=ProfileLookup&Format=XML&Users=${dearIds.join(':')}`),
  'a target of 64 KiB with 127 usernames of 256 characters': () =>
    byName(Buffer.from(dearNames.slice(0, 127).join(':')).toString('latin1')),
  'the same, explained': () =>
    byName(Buffer.from(dearNames.slice(0, 127).join(':')).toString('latin1')).replace('/?', '/explain?'),
  'a body of 64 KiB with 125 usernames of 256 characters': asked(`query ($v: [ID!]!) { ${users} }`, {
    v: dearNames.slice(0, 125),
  }),
  '10,000 fields of 909 users': dearFields,
  'the same, gzipped': (nonce) =>
    dearFields(nonce).replace('Host: a\r\n', 'Host: a\r\nAccept-Encoding: gzip\r\n'),
  'a document of 1,000 tokens': asked(`{ users(values: "1") { ${'id '.repeat(986)} } }`),
  'a document of 1,000 tokens in 64 KiB, registered by its hash': (nonce) => {
    const query = `{ users(values: "1") { ${'id '.repeat(986)} } } #${nonce}${'x'.repeat(61_000)}`
    const extensions = { persistedQuery: { version: 1, sha256Hash: hash('sha256', query, 'hex') } }
    return posted(JSON.stringify({ query, extensions }))
  },
  'a document of 1,000 tokens with 100 errors': asked(`{ ${times(990, (at) => `f${at}`)} }`),
  '200 fields under 50 aliases, compiled': asked(
    `query ($v: [ID!]!) { ${times(50, (at) => `a${at}: users(values: $v) { ...F }`)} }
     fragment F on User { id username rank }`,
    { v: thousand.slice(0, 20) },
  ),
  'ten operations of a document that spread 4,800 fields each': tenOperations(41, 116),
  'ten operations of a document that spread 17,000 fields each': tenOperations(41, 420),
  'fifty operations of a document that spread 13,000 fields each': asked(
    `${times(50, (at) => `query Q${at} { ...Q }`)}
     fragment Q on Query { __type(name: "User") { fields { ${times(43, (at) => `a${at}: type { ...T }`)} } } }
     fragment T on __Type { ${'name '.repeat(310)} }`,
  ),
  '88 single apps': asked(`{ ${times(88, (at) => `a${at}: app(id: ${at}) { id }`)} }`),
  // As much as goes into one request of what each limit allows.
  'a document of 1,000 tokens with 44 lists, 8,000 fields and 118 usernames of 256 characters': asked(
    `query ($v: [ID!]!, $n: [ID!]!) { n: users(by: USERNAME, values: $n) { id }
     ${times(43, (at) => `a${at}: users(values: $v) { ...F }`)} }
     fragment F on User { ${allFields} __typename a: id ${'id '.repeat(385)} }`,
    { v: Array.from({ length: 20 }, (_, index) => String(1 + (index % 9))), n: dearNames.slice(0, 118) },
  ),
  '50 errors of variables': asked('query ($v: [ID!]!) { users(values: $v) { id } }', {
    v: Array(20_000).fill([]),
  }),
  'headers of 250 KiB': () =>
    requestFor('/?Event=ProfileLookup&Users=1', ['Host: a', `Cookie: ${'a=b; '.repeat(50_000)}`]),
  '1,024 chunks of a body': () =>
    `${requestFor('/graphql', ['Host: a', 'Content-Type: application/json', 'Transfer-Encoding: chunked'], 'POST')}${inChunks(`${' '.repeat(1_023)}{}`, Array(1_023).fill(1))}`,
  'JSON of 100 levels': (nonce) =>
    posted(
      `{"query":"{ __typename } #${nonce}","extensions":${'{"a":'.repeat(98)}"${'x'.repeat(60_000)}"${'}'.repeat(98)}}`,
    ),
}

const before: Readonly<Record<string, Hostile>> = {
  'a username of marks, escaped': () => byName(`a${'%CC%81%CC%A3'.repeat(5_400)}`),
  'a username of marks, raw': () => byName(`a${rawMarks.slice(0, 65_000)}`),
  'a thousand usernames of marks': () =>
    byName(
      Array(1_000)
        .fill(`a${rawMarks.slice(0, 60)}`)
        .join(':'),
    ),
  'a username of marks in GraphQL': asked(`query ($v: [ID!]!) { ${users} }`, { v: [`a${marks}`] }),
  'the same under 60 aliases': asked(`query ($v: [ID!]!) { ${times(60, (at) => `a${at}: ${users}`)} }`, {
    v: [`a${marks}`],
  }),
  'fragments within the schema': asked(`{ __schema { types { ...F0 } } } ${doubling(7, 'name')}`),
  'many fragments within the schema': asked(`{ __type(name: "User") { ...F0 } } ${doubling(90, 'name')}`),
  'the schema under 100 aliases': asked(
    `{ ${times(100, (at) => `a${at}: __schema { ...S }`)} } ${wholeSchema}`,
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
  'a long name in 100 errors': asked(
    `query ${'n'.repeat(60_000)}(${times(100, (at) => `$a${at}: ID`)}) { __typename }`,
  ),
  'a long name of a field': asked(`{ ${'x'.repeat(60_000)} }`),
  'a long name of an enum': asked(`{ users(by: ${'x'.repeat(60_000)}, values: []) { id } }`),
}

const entities = (inside: string) => `query ($r: [_Any!]!) { _entities(representations: $r) { ${inside} } }`
const references = (count: number) =>
  times(count, (at) => (at % 2 === 0 ? 'User' : 'App'))
    .split(' ')
    .map((__typename, at) => ({ __typename, id: 1 + (at % 7) }))
/** As many lines, and as long, as errors say their places in. */
const manyLines = `${'#'.repeat(50)}\n`.repeat(999)
const allEntityFields =
  '... on User { id username displayName rank joinDate isConfirmed banned } ... on App { id title version category changelogLink downloadLink }'
/** Each doubles what the one before it spreads. */
const doublingEntities = times(90, (at) =>
  at === 89
    ? 'fragment F89 on User { id }'
    : `fragment F${at} on User { ... on _Entity { ...F${at + 1} } ...F${at + 1} }`,
)

const ofRouters: Readonly<Record<string, Hostile>> = {
  '833 entities with 12 fields': asked(entities(allEntityFields), { r: references(833) }),
  '100 malformed representations after 999 lines': asked(manyLines + entities('__typename'), {
    r: Array(100).fill(1),
  }),
  '1,000 malformed representations after 999 lines': asked(manyLines + entities('__typename'), {
    r: Array(1_000).fill(1),
  }),
  'a representation of 6,000 members': asked(entities('__typename'), {
    r: [Object.fromEntries(Array.from({ length: 6_000 }, (_, at) => [`id${at}`, 1]))],
  }),
  'fragments on entities': asked(`${entities('...F0')} ${doublingEntities}`, { r: references(700) }),
  'the sdl under 15 aliases': asked(`{ ${times(15, (at) => `a${at}: _service { sdl }`)} }`),
}

const quick: readonly Hostile[] = [
  asked('{ users(values: ["1"]) { id } }'),
  () => requestFor('/?Event=ProfileLookup&Users=1'),
  () => requestFor('/?Event=ProfileLookup&Users=x'),
  () => requestFor('/explain?Event=ProfileLookup&Users=1'),
]

describe.for([
  ['of clients', {}, quick, { ...within, ...before }],
  [
    'of routers',
    { FEDERATION: 'on' },
    [asked(entities('__typename'), { r: [{ __typename: 'User', id: '1' }] })],
    ofRouters,
  ],
] as const)('processor time of requests %s', ([, settings, warm, requests]) => {
  let gateway: GatewayProcess
  beforeAll(async () => {
    gateway = await startGatewayProcess(settings)
    for (const hostile of warm) for (let time = 0; time < 5; time++) await costOf(gateway, hostile)
  })
  afterAll(async () => expect(await gateway.close()).toBe(''))

  test.for(Object.entries<Hostile>(requests))('%s', async ([what, hostile], context) => {
    const cost = await steadyCostOf(gateway, hostile)
    const measured = `${cost.toFixed(1)} ms`
    note(context, { promise: 10, what: `processor time: ${what}`, bound: `≤ ${BOUND_MS} ms`, measured })
    expect(cost).toBeLessThan(BOUND_MS)
  })
})

// search.nightly.test.ts looks for worse ones.
describe('processor time of a few generated requests', () => {
  let gateway: GatewayProcess
  beforeAll(async () => {
    gateway = await startGatewayProcess()
    for (const hostile of warmUp) await costOf(gateway, hostile)
  })
  afterAll(async () => expect(await gateway.close()).toBe(''))

  test.for(Object.entries(families))('%s', async ([family, arbitrary]) => {
    for (const hostile of [...keptOf(family), ...fc.sample(arbitrary, { numRuns: 5, seed: 7 })]) {
      const cost = await steadyCostOf(gateway, hostile)
      expect(cost, hostile(NONCE).slice(0, 500)).toBeLessThan(BOUND_MS)
    }
  })

  test('a list of 1,000 and one of 1 are refused before the store is asked', async () => {
    const query =
      'query ($a: [ID!]!) { a: users(values: $a) { id displayName rank } b: users(values: "1") { id } }'
    const hostile = asked(query, { a: thousand })
    const { status, body } = await exchange(gateway.url, hostile(''))
    expect({ status, body }).toEqual({
      status: 200,
      body: expect.stringContaining('"code":"TOO_MANY_VALUES"'),
    })
    expect(await steadyCostOf(gateway, hostile)).toBeLessThan(figure(40, 20))
  })
})
