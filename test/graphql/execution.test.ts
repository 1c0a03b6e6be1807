// Compiled operations (graphql-jit) answer as graphql-js does: the same data, the same errors, on every use.

import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { getOperationAST, parse, validate } from 'graphql'
import { describe, expect } from 'vitest'
import { LookupError } from '../../src/errors.ts'
import { planOf } from '../../src/graphql/cost.ts'
import type { Execution } from '../../src/graphql/execute.ts'
import { createVariableReader } from '../../src/graphql/operation.ts'
import { AppLookupDocument, ProfileLookupDocument } from '../../src/legacy/operations.generated.ts'
import { filledFile, temporaryFolder } from '../kit/gateway.ts'
import { runs, seedOf } from '../kit/generate.ts'
import { test as base } from '../kit/test.ts'
import {
  comparable,
  corrupt,
  fieldsOf,
  MAX_VALUES,
  renameField,
  run,
  schema,
  twoExecutions,
  type Variables,
} from './execution-support.ts'
import { anyVariables, rightQuery } from './generator.ts'

// Values that no import would let in; a file that has them is refused when it is opened.
const odd = `
  INSERT INTO users VALUES (100, 'high', 'high', NULL, 'High', 3000000000, 0, 1, 0);
  INSERT INTO users VALUES (101, 'half', 'half', NULL, 'Half', 1.5, 2.5, 1, 0);
  INSERT INTO users VALUES (102, 'later', 'later', NULL, 'Later', 1, 9007199254740993, 1, 0);
  INSERT INTO users VALUES (103, 'word', 'word', NULL, 'Word', 'nine', 'never', 1, 0);
  INSERT INTO apps VALUES (100, 'High', '1.0.0', -3000000000, 'https://a.example/', 'https://a.example/1/')`

type Executions = Awaited<ReturnType<typeof twoExecutions>>

const test = base.extend('executions', { scope: 'file' }, async ({ shared: _ }, { onCleanup }) => {
  const folder = temporaryFolder()
  const database = await filledFile(`${folder.path}/odd.db`)
  const executions = await twoExecutions(database)
  corrupt({ database }, odd)
  onCleanup(async () => {
    await executions.close()
    folder.remove()
  })
  return executions
})

/** Runs a document with each of these variables, several times, as a compiled operation sees them in turn. */
async function expectSame(executions: Executions, query: string, all: readonly Variables[], uses = 2) {
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
const both = `query ($by: UserLookupMethod! = USERNAME, $values: [ID!]! = ["ada"]) {
  users(by: $by, values: $values) { ${USER} } }`
const conditions = `query ($a: Boolean!, $b: Boolean = true) { x: __typename @skip(if: $a) y: __typename @include(if: $b)
  z: __typename @skip(if: $a) @include(if: $b) users(values: ["1"]) @include(if: $b) { id ...N @skip(if: $a) } }
  fragment N on User { username }`

const merged = `{ a: users(values: ["1"]) { x: id id } __typename
  a: users(values: ["1"]) { rank x: id t: __typename } }`
const fragments = `{ ...Q users(values: ["2"]) { rank ...U } } fragment U on User { id ...N ... { banned } }
  fragment N on User { username rank } fragment Q on Query { users(values: ["2"]) { joinDate } }`
const aliases = `{ constructor: __typename then: __typename toString: __typename hasOwnProperty: __typename
  users(values: ["1"]) { constructor: id then: rank valueOf: id __context: id } }`
const texts = String.raw`{ users(by: CHAT, values: ["\"); throw 1; (\"", "\\", "\n\u2028\u0000\ud83c\udf38",
  "\u0024{1}", "'", "chat-1001"]) { id } }`
const variableNames = `query ($constructor: [ID!]!, $toString: ID = 1) {
  users(values: $constructor) { id } apps(ids: [$toString]) { id } }`
const tooMany = `{ a: apps(ids: [${'1 '.repeat(11)}]) { id } b: users(values: [${'"1" '.repeat(10)}]) { id } }`
const nullable = 'query ($by: UserLookupMethod) { users(by: $by, values: ["1", "ada"]) { id } }'
const ids = 'query ($ids: [ID!]!, $one: ID! = 3) { apps(ids: $ids) { id } b: apps(ids: [$one, 2]) { id } }'

const entities = `query ($r: [_Any!]!) { _entities(representations: $r) { __typename
  ... on User { id rank } ... on App { x: title } ... on _Entity { ...E } }
  none: _entities(representations: []) { __typename } } fragment E on _Entity { ... on App { version } }`
const entity = (__typename: string, id: unknown) => ({ __typename, id })

test.for<[name: string, query: string, ...variables: Variables[]]>([
  [
    'entities',
    entities,
    ...[{ r: [entity('User', '1'), entity('App', 2), entity('User', 99)] }, { r: [] }, { r: 1 }, {}],
    { r: [entity('User', 1), entity('Nothing', 1), 7, null, { ...entity('App', 1), title: 'x' }] },
  ],
  ['all fields of users', `{ users(values: ["1", "13", "99", "9007199254740991"]) { ${USER} } }`],
  [
    'all fields of apps',
    '{ apps(ids: [1, "5", 99]) { id title version category changelogLink downloadLink } }',
  ],
  ['a value for a list', '{ users(values: "1") { id } apps(ids: 2) { id } none: apps(ids: []) { id } }'],
  ['merged fields, in their order', merged],
  ['fragments', fragments],
  ['aliases that mean something to JavaScript', aliases],
  ['the alias __proto__', '{ __proto__: __typename users(values: ["1"]) { __proto__: id rank } }'],
  ['texts that mean something to JavaScript', texts],
  [
    'variables that mean something to JavaScript',
    variableNames,
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
    ...[{ by: 'ID', values: '1' }, { values: ['1', null] }, { values: [1] }, { values: [['1']] }],
    ...[
      { values: 1.5 },
      { values: { 0: '1' } },
      { values: null },
      { values: Array(200).fill(1) },
      { more: 1 },
    ],
    ...[
      { by: 'ID', values: Array(21).fill('1') },
      { by: 'ID', values: ['100', '1'] },
    ],
  ],
  ['a nullable method', nullable, ...[{}, { by: null }, { by: 'USERNAME' }]],
  [
    'ids of several kinds',
    ids,
    ...[{ ids: [1, '2', 3] }, { ids: 1, one: '1' }, { ids: [1.5] }, { ids: [2 ** 53] }, { ids: [-1] }],
    ...[{ ids: [true] }, { ids: [{}] }, { ids: [[1]] }, { ids: [null] }, { ids: [], one: 1.5 }],
  ],
  [
    'skip and include',
    conditions,
    ...[{ a: true, b: true }, { a: true, b: false }, { a: false }, { a: null }, { a: 'true', b: 1 }, {}],
    { a: false, b: null },
  ],
  ['too many values', tooMany],
  [
    'a rank beyond 32 bits',
    '{ users(values: ["1", "100", "2"]) { id rank } one: user(value: "100") { id } }',
  ],
  ['fractions', '{ users(values: ["101"]) { rank } b: users(values: ["101", "1"]) { joinDate } }'],
  ['words', '{ users(values: ["103"]) { rank joinDate } b: users(values: ["103"]) { joinDate rank } }'],
  ['an integer that the store cannot read', '{ users(values: ["102"]) { id } __typename }'],
  ['errors at several paths', '{ users(values: ["100", "100"]) { rank } apps(ids: [100]) { category } }'],
])('%s', ([, query, ...variables], { executions }) =>
  expectSame(executions, query, variables.length === 0 ? [{}] : variables),
)

test('operations of one document are compiled apart', async ({ executions }) => {
  const document = parse('query A { a: __typename } query B { b: __typename }')
  for (const name of ['A', 'B', 'A', 'B', 'B', 'A']) {
    const { data } = await run(executions.compiling, document, {}, name)
    expect(data).toEqual({ [name.toLowerCase()]: 'Query' })
  }
})

test('one operation is compiled in a turn', async ({ executions: { compiling } }) => {
  const others = Array.from({ length: 99 }, (_, at) => `a${at}: __typename`).join(' ')
  const queries = ['A', 'B', 'C'].map((name) => parse(`query ${name} { before: __typename ${others} }`))
  const keysOf = async () => {
    const results = await Promise.all(queries.map((query) => run(compiling, query)))
    return results.map(({ data }) => Object.keys(data ?? {})[0])
  }
  await setImmediate()
  await keysOf()
  // What is compiled no longer heeds its document.
  queries.forEach(renameField)
  expect(await keysOf()).toEqual(['before', 'after', 'after'])
})

test('generated operations give the same, and no more fields than were counted', async ({ executions }) => {
  const numRuns = runs(150, 5_000)
  let counted = 0
  const property = fc.asyncProperty(rightQuery, anyVariables, async (query, variables) => {
    const document = parse(query)
    const operation = getOperationAST(document)
    fc.pre(operation != null && validate(schema, document).length === 0)
    await expectSame(executions, query, [variables])
    const { data } = await run(executions.interpreting, document, variables)
    if (operation == null || data == null) return
    counted++
    const { coerced = {} } = createVariableReader(schema, operation.variableDefinitions ?? [])(variables)
    const { fields } = planOf(schema, document, operation).costOf(coerced)
    // Fields below an introspection have another limit.
    expect(fieldsOf(data) - fieldsOf(data.__schema)).toBeLessThanOrEqual(fields)
  })
  await fc.assert(property, { numRuns, seed: seedOf('generated operations') })
  expect(counted).toBeGreaterThan(numRuns / 10)
})

describe('stored operations of the legacy interface', () => {
  /** The outcome of each execution, several times over. */
  async function outcomes(
    { interpreting, compiling }: Executions,
    look: (execution: Execution) => Promise<unknown>,
  ): Promise<unknown[]> {
    const found: unknown[] = []
    for (const execution of [interpreting, compiling])
      for (let use = 1; use <= 4; use++) found.push(await look(execution).catch((error: unknown) => error))
    return found
  }
  const apps = (values: string[]) => (execution: Execution) =>
    execution.executeStored(AppLookupDocument, { values })

  test('have what is found, and null', async ({ executions }) => {
    const users = { by: 'USERNAME', values: ['ada', 'nobody'] } as const
    for (const found of await outcomes(executions, (one) => one.executeStored(ProfileLookupDocument, users)))
      expect(found).toMatchObject({ entries: [{ id: '1', joinDate: 1199145600, isConfirmed: true }, null] })
    for (const found of await outcomes(executions, apps(['2', '99', '007'])))
      expect(found).toMatchObject({ entries: [{ title: 'Paint & Paper' }, null, null] })
  })

  test('throw their errors', async ({ executions }) => {
    const tooManyApps = apps(Array.from({ length: MAX_VALUES + 1 }, String))
    for (const failure of await outcomes(executions, tooManyApps)) {
      expect(failure).toBeInstanceOf(LookupError)
      expect(failure).toMatchObject({ code: 'TooManyValues' })
    }
  })
})

/** A fragment of so many fields, spread on so many users. */
const spread = (fields: number, users: number) => {
  const each = (count: number, text: string) => Array.from({ length: count }, (_, at) => `a${at}: ${text}`)
  return `{ ${each(users, 'user(value: "1") { ...F }').join(' ')} } fragment F on User { ${each(fields, 'id').join(' ')} }`
}
const byReference = `query ($r: [_Any!]!) { _entities(representations: $r) { __typename
  ... on User { id rank } ... on App { title } } }`

test.for<[name: string, query: string, compiled: number]>([
  ['200 fields', spread(199, 1), 200],
  ['more fields', spread(200, 1), 0],
  ['more fields of spread fragments', spread(20, 10), 0],
  ['repeated fields', `{ users(values: "1") { ${'id '.repeat(300)} } }`, 2],
  ['2,000 repeated fields', `{ __typename ${'... { __typename } '.repeat(999)} __typename }`, 1],
  ['more repeated fields', `{ __typename ${'... { __typename } '.repeat(1000)} }`, 0],
  ['a condition', '{ __typename @skip(if: true) }', 0],
  ['introspection', '{ ...F } fragment F on Query { __schema { queryType { name } } }', 0],
  ['entities by a variable', byReference, 5],
  ['entities in the text', byReference.replace('($r: [_Any!]!)', '').replace('$r', '[{ id: 1 }]'), 0],
  ['entities by default', byReference.replace(']!)', ']! = [{}])'), 0],
])('of %s, %s fields are compiled', ([, query, fields]) => {
  const document = parse(query)
  const operation = getOperationAST(document)
  if (operation == null) throw new Error('no operation')
  expect(planOf(schema, document, operation).compiledFields).toBe(fields)
})
