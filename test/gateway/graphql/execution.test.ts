// Compiled operations (graphql-jit) answer as graphql-js does: the same data, the same errors, on every use.

import fc from 'fast-check'
import { getOperationAST, parse, validate } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LookupError } from '../../../src/errors.ts'
import { compiledFields } from '../../../src/gateway/graphql/compiled.ts'
import { createCounter } from '../../../src/gateway/graphql/cost.ts'
import type { Execution } from '../../../src/gateway/graphql/execution.ts'
import { createVariableReader } from '../../../src/gateway/graphql/variables.ts'
import { AppLookupDocument, ProfileLookupDocument } from '../../../src/gateway/legacy/operations.generated.ts'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import {
  comparable,
  corrupt,
  fieldsOf,
  MAX_VALUES,
  run,
  schema,
  twoExecutions,
  type Variables,
} from './execution-support.ts'
import { anyQueryOfEntities, anyReferences, anyVariables, rightQuery } from './generator.ts'

let gateway: Gateway
let executions: Awaited<ReturnType<typeof twoExecutions>>
beforeAll(async () => {
  gateway = await startGateway()
  // First: a file with such values is refused when it is opened.
  executions = await twoExecutions(gateway)
  corrupt(
    gateway,
    `INSERT INTO users VALUES (100, 'high', 'high', NULL, 'High', 3000000000, 0, 1, 0);
     INSERT INTO users VALUES (101, 'half', 'half', NULL, 'Half', 1.5, 2.5, 1, 0);
     INSERT INTO users VALUES (102, 'later', 'later', NULL, 'Later', 1, 9007199254740993, 1, 0);
     INSERT INTO users VALUES (103, 'word', 'word', NULL, 'Word', 'nine', 'never', 1, 0);
     INSERT INTO apps VALUES (100, 'High', '1.0.0', -3000000000, 'https://a.example/', 'https://a.example/100/')`,
  )
})
afterAll(async () => {
  await executions.close()
  await gateway.close()
})

/** Runs a document with each of these variables, several times, as a compiled operation sees them in turn. */
async function expectSame(query: string, all: readonly Variables[], uses = 2) {
  const { compiling, interpreting } = executions
  const document = parse(query)
  for (let use = 1; use <= uses; use++)
    for (const variables of all) {
      const expected = comparable(await run(interpreting, parse(query), variables))
      const found = comparable(await run(compiling, document, variables))
      expect(found, `use ${use} with ${JSON.stringify(variables)}`).toEqual(expected)
    }
}

const USER = 'id username displayName rank joinDate isConfirmed banned'
const both = `query ($by: UserLookupMethod! = USERNAME, $values: [String!]! = ["ada"]) {
  users(by: $by, values: $values) { ${USER} } }`
const conditions = `query ($a: Boolean!, $b: Boolean = true) { x: __typename @skip(if: $a) y: __typename @include(if: $b)
  z: __typename @skip(if: $a) @include(if: $b) users(values: ["1"]) @include(if: $b) { id ...N @skip(if: $a) } }
  fragment N on User { username }`

test.each<[name: string, query: string, ...variables: Variables[]]>([
  ['all fields of users', `{ users(values: ["1", "13", "99", "9007199254740991"]) { ${USER} } }`],
  [
    'all fields of apps',
    '{ apps(ids: [1, "5", 99]) { id title version category changelogLink downloadLink } }',
  ],
  [
    'one value in place of a list',
    '{ users(values: "1") { id } apps(ids: 2) { id } none: apps(ids: []) { id } }',
  ],
  [
    'merged fields, in their order',
    '{ a: users(values: ["1"]) { x: id id } __typename a: users(values: ["1"]) { rank x: id t: __typename } }',
  ],
  [
    'fragments',
    `{ ...Q users(values: ["2"]) { rank ...U } } fragment U on User { id ...N ... { banned } }
     fragment N on User { username rank } fragment Q on Query { users(values: ["2"]) { joinDate } }`,
  ],
  [
    'aliases that mean something to JavaScript',
    `{ constructor: __typename then: __typename toString: __typename hasOwnProperty: __typename
     users(values: ["1"]) { constructor: id then: rank valueOf: id __context: id } }`,
  ],
  ['the alias __proto__', '{ __proto__: __typename users(values: ["1"]) { __proto__: id rank } }'],
  [
    'texts that mean something to JavaScript',
    String.raw`{ users(by: CHAT, values: ["\"); throw 1; (\"", "\\", "\n\u2028\u0000\ud83c\udf38", "\u0024{1}", "'", "chat-1001"]) { id } }`,
  ],
  [
    'variables that mean something to JavaScript',
    `query ($constructor: [String!]!, $toString: ID = 1) {
     users(values: $constructor) { id } apps(ids: [$toString]) { id } }`,
    ...[{ constructor: ['1'] }, { constructor: ['1'], toString: 2 }, {}],
  ],
  [
    'the variable __proto__',
    'query ($__proto__: [ID!]!) { apps(ids: $__proto__) { id } }',
    ...[{}, JSON.parse('{"__proto__":["1"]}')],
  ],
  ['introspection', '{ __type(name: "Query") { fields { args { name defaultValue } } } }'],
  [
    'variables of every kind',
    both,
    ...[
      {},
      { by: 'ID', values: ['1', 'abc', '', '007'] },
      { values: ['ada', 'SØREN', '\0', '\ud800', '🌸'] },
    ],
    ...[{ by: 'CHAT', values: ['chat-1001'] }, { by: 'chat' }, { by: null }, { by: ['ID'] }, { values: [] }],
    ...[
      { by: 'ID', values: '1' },
      { values: ['1', null] },
      { values: [1] },
      { values: [['1']] },
      { values: 1.5 },
    ],
    ...[{ values: { 0: '1' } }, { values: null }, { values: Array(200).fill(1) }, { more: 1 }],
    ...[
      { by: 'ID', values: Array(21).fill('1') },
      { by: 'ID', values: ['100', '1'] },
    ],
  ],
  [
    'a nullable method',
    'query ($by: UserLookupMethod) { users(by: $by, values: ["1", "ada"]) { id } }',
    ...[{}, { by: null }, { by: 'USERNAME' }],
  ],
  [
    'ids of several kinds',
    'query ($ids: [ID!]!, $one: ID! = 3) { apps(ids: $ids) { id } b: apps(ids: [$one, 2]) { id } }',
    ...[{ ids: [1, '2', 3] }, { ids: 1, one: '1' }, { ids: [1.5] }, { ids: [2 ** 53] }, { ids: [-1] }],
    ...[{ ids: [true] }, { ids: [{}] }, { ids: [[1]] }, { ids: [null] }, { ids: [], one: 1.5 }],
  ],
  [
    'skip and include',
    conditions,
    ...[{ a: true, b: true }, { a: true, b: false }, { a: false }, { a: null }, { a: 'true', b: 1 }, {}],
    { a: false, b: null },
  ],
  [
    'too many values',
    `{ a: apps(ids: [${'1 '.repeat(11)}]) { id } b: users(values: [${'"1" '.repeat(10)}]) { id } }`,
  ],
  [
    'a rank beyond 32 bits',
    '{ users(values: ["1", "100", "2"]) { id rank } one: user(value: "100") { id } }',
  ],
  ['fractions', '{ users(values: ["101"]) { rank } b: users(values: ["101", "1"]) { joinDate } }'],
  ['words', '{ users(values: ["103"]) { rank joinDate } b: users(values: ["103"]) { joinDate rank } }'],
  ['an integer the store cannot read', '{ users(values: ["102"]) { id } __typename }'],
  ['errors in several places', '{ users(values: ["100", "100"]) { rank } apps(ids: [100]) { category } }'],
])('%s', (_name, query, ...variables) => expectSame(query, variables.length === 0 ? [{}] : variables))

test('operations of one document are compiled apart', async () => {
  const document = parse('query A { a: __typename } query B { b: __typename }')
  for (const name of ['A', 'B', 'A', 'B', 'B', 'A']) {
    const { data } = await run(executions.compiling, document, {}, name)
    expect(data).toEqual({ [name.toLowerCase()]: 'Query' })
  }
})

test.each([
  ['operation with any variables', rightQuery, anyVariables, 500],
  ['query of entities', anyQueryOfEntities, anyReferences, 200],
] as const)(
  'any %s, which has no more fields than were counted',
  async (_what, queries, allVariables, numRuns) => {
    let counted = 0
    const property = fc.asyncProperty(queries, allVariables, async (query, variables) => {
      const document = parse(query)
      const operation = getOperationAST(document)
      fc.pre(operation != null && validate(schema, document).length === 0)
      await expectSame(query, [variables])
      const { data } = await run(executions.interpreting, document, variables)
      if (operation == null || data == null) return
      counted++
      const { coerced = {} } = createVariableReader(schema, operation.variableDefinitions ?? [])(variables)
      const { fields } = createCounter(schema, document, operation)(coerced)
      // What is below an introspection is bounded otherwise.
      expect(fieldsOf(data) - fieldsOf(data.__schema)).toBeLessThanOrEqual(fields)
    })
    await fc.assert(property, { numRuns })
    expect(counted).toBeGreaterThan(numRuns / 10)
  },
)

describe('stored operations of the facade', () => {
  /** What each execution does with it, several times over. */
  async function outcomes(look: (execution: Execution) => Promise<unknown>): Promise<unknown[]> {
    const found: unknown[] = []
    for (const execution of [executions.interpreting, executions.compiling])
      for (let use = 1; use <= 4; use++) found.push(await look(execution).catch((error: unknown) => error))
    return found
  }
  const apps = (values: string[]) =>
    outcomes((execution) => execution.executeStored(AppLookupDocument, { values }))

  test('have what is found, and null', async () => {
    const users = { by: 'USERNAME', values: ['ada', 'nobody'] } as const
    for (const found of await outcomes((execution) => execution.executeStored(ProfileLookupDocument, users)))
      expect(found).toMatchObject({ entries: [{ id: '1', joinDate: 1199145600, isConfirmed: true }, null] })
    for (const found of await apps(['2', '99', '007']))
      expect(found).toMatchObject({ entries: [{ title: 'Paint & Paper' }, null, null] })
  })

  test('throw what went wrong', async () => {
    corrupt(gateway, 'ALTER TABLE apps RENAME TO gone')
    const failed = await apps(['1'])
    corrupt(gateway, 'ALTER TABLE gone RENAME TO apps')
    for (const failure of failed) expect(failure).toMatchObject({ code: 'Unavailable' })
    for (const failure of await apps(Array.from({ length: MAX_VALUES + 1 }, String))) {
      expect(failure).toBeInstanceOf(LookupError)
      expect(failure).toMatchObject({ code: 'TooManyValues' })
    }
  })
})

const compiled = (query: string) => compiledFields(parse(query))

/** A fragment of so many fields, spread so many times. */
const spread = (fields: number, times: number) =>
  `{ users(values: "1") { ${'...F '.repeat(times)} } } fragment F on User { ${'id '.repeat(fields)} }`

test('operations of up to 200 fields are compiled, their fragments spread', () => {
  expect(compiled(spread(199, 1))).toBe(200)
  for (const query of [spread(200, 1), spread(20, 10), spread(100, 2)]) expect(compiled(query)).toBe(0)
})

test('introspection is not', () => {
  expect(compiled('{ ...F } fragment F on Query { __schema { queryType { name } } }')).toBe(0)
})

test('a query of entities is, but not with objects in its text', () => {
  const body = '{ __typename ... on User { id rank } ... on App { title } }'
  const byVariable = `query ($r: [_Any!]!) { _entities(representations: $r) ${body} }`
  expect(compiled(byVariable)).toBe(5)
  expect(compiled(`{ _entities(representations: [{ __typename: "User", id: 1 }]) ${body} }`)).toBe(0)
  expect(compiled(byVariable.replace(']!)', ']! = [{}])'))).toBe(0)
})
