// Compiled operations (graphql-jit) answer as graphql-js does: the same data, the same errors, on every use.

import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { type DocumentNode, type ExecutionResult, getOperationAST, parse, validate } from 'graphql'
import { expect } from 'vitest'
import { createVariableReader } from '../../src/graphql/operation.ts'
import { createLookups } from '../../src/lookups/lookups.ts'
import { openStore } from '../../src/stores/open-store.ts'
import { filledFile, temporaryFolder } from '../kit/gateway.ts'
import { runs, seedOf } from '../kit/generate.ts'
import { test as base } from '../kit/test.ts'
import {
  corrupt,
  executionOver,
  fieldsOf,
  planOfText,
  runIn as run,
  schema,
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

/** Two executions over one database: the first compiles every operation, the second none. */
const test = base.extend('executions', { scope: 'file' }, async ({ shared: _ }, { onCleanup }) => {
  const folder = temporaryFolder()
  const database = await filledFile(`${folder.path}/odd.db`)
  const store = await openStore(database, () => {})
  corrupt({ database }, odd)
  onCleanup(async () => {
    store.close()
    folder.remove()
  })
  const lookups = createLookups(store, () => {})
  const limits = { maxValues: 20, maxFields: 10_000 }
  const { execution: compiling } = await executionOver(lookups, { ...limits, compileOnUse: 1 })
  const { execution: interpreting } = await executionOver(lookups, { ...limits, compileOnUse: Infinity })
  return { compiling, interpreting }
})

/** Runs a document with each of these variables, twice, as a compiled operation sees them in turn. */
async function expectSame(
  { compiling, interpreting }: Record<'compiling' | 'interpreting', Parameters<typeof run>[0]>,
  query: string,
  all: readonly Variables[],
) {
  const document = parse(query)
  expect(validate(schema, document)).toEqual([])
  for (const use of [1, 2])
    for (const variables of all) {
      const expected = comparable(await run(interpreting, parse(query), variables))
      const found = comparable(await run(compiling, document, variables))
      expect(found, `use ${use} with ${JSON.stringify(variables)}`).toEqual(expected)
    }
}

/** The parts of a response that clients depend on: the data in order, and the errors in any order. */
function comparable({ data, errors }: ExecutionResult) {
  const shown = errors?.map(({ message, path, locations, extensions: { requestId, ...extensions } }) =>
    JSON.stringify({ path, message, locations, extensions, masked: requestId !== undefined }),
  )
  return { data: JSON.stringify(data), errors: shown?.toSorted() }
}

const entity = (__typename: string, id: unknown) => ({ __typename, id })

test.for<[query: string, ...variables: Variables[]]>([
  [
    `query ($r: [_Any!]!) { _entities(representations: $r) { __typename
      ... on User { id rank } ... on App { x: title } ... on _Entity { ...E } }
      none: _entities(representations: []) { __typename } } fragment E on _Entity { ... on App { version } }`,
    ...[{ r: [entity('User', '1'), entity('App', 2), entity('User', 99)] }, { r: [] }, { r: 1 }, {}],
    { r: [entity('User', 1), entity('Nothing', 1), 7, null, { ...entity('App', 1), title: 'x' }] },
  ],
  ['{ users(values: "1") { id } apps(ids: 2) { id } none: apps(ids: []) { id } }'],
  ['{ a: users(values: 1) { x: id id } __typename a: users(values: 1) { rank x: id t: __typename } }'],
  [
    `{ ...Q users(values: ["2"]) { rank ...U } } fragment U on User { id ...N ... { banned } }
      fragment N on User { username rank } fragment Q on Query { users(values: ["2"]) { joinDate } }`,
  ],
  // Names and texts that mean something to JavaScript.
  [
    `{ constructor: __typename then: __typename toString: __typename hasOwnProperty: __typename
      users(values: ["1"]) { constructor: id then: rank valueOf: id __context: id } }`,
  ],
  ['{ __proto__: __typename users(values: ["1"]) { __proto__: id rank } }'],
  [
    String.raw`{ users(by: CHAT, values: ["\"); throw 1; (\"", "\\", "\n\u2028\u0000\ud83c\udf38",
      "\u0024{1}", "'", "chat-1001"]) { id } }`,
  ],
  [
    `query ($constructor: [ID!]!, $toString: ID = 1) {
      users(values: $constructor) { id } apps(ids: [$toString]) { id } }`,
    ...[{ constructor: ['1'] }, { constructor: ['1'], toString: 2 }, {}],
  ],
  ['query ($__proto__: [ID!]!) { apps(ids: $__proto__) { id } }', {}, JSON.parse('{"__proto__":["1"]}')],
  ['{ __type(name: "Query") { fields { args { name defaultValue } } } }'],
  // Variables of every kind.
  [
    'query ($by: UserLookupMethod! = USERNAME, $v: [ID!]! = ["ada"]) { users(by: $by, values: $v) { id } }',
    ...[{}, { by: 'ID', v: ['1', 'abc', '', '007'] }, { v: ['ada', 'SØREN', '\0', '\ud800', '🌸'] }],
    ...[{ by: 'CHAT', v: ['chat-1001'] }, { by: 'chat' }, { by: null }, { by: ['ID'] }, { v: [] }],
    ...[{ by: 'ID', v: '1' }, { v: ['1', null] }, { v: [1] }, { v: [['1']] }, { v: 1.5 }, { v: { 0: '1' } }],
    ...[{ v: null }, { v: Array(200).fill(1) }, { more: 1 }, { by: 'ID', v: Array(21).fill('1') }],
  ],
  [
    'query ($by: UserLookupMethod) { users(by: $by, values: ["1", "ada"]) { id } }',
    ...[{}, { by: null }, { by: 'USERNAME' }],
  ],
  [
    'query ($ids: [ID!]!, $one: ID! = 3) { apps(ids: $ids) { id } b: apps(ids: [$one, 2]) { id } }',
    ...[{ ids: [1, '2', 3] }, { ids: 1, one: '1' }, { ids: [1.5] }, { ids: [2 ** 53] }, { ids: [-1] }],
    ...[{ ids: [true] }, { ids: [{}] }, { ids: [[1]] }, { ids: [null] }, { ids: [], one: 1.5 }],
  ],
  [
    `query ($a: Boolean!, $b: Boolean = true) { x: __typename @skip(if: $a) y: __typename @include(if: $b)
      z: __typename @skip(if: $a) @include(if: $b) users(values: ["1"]) @include(if: $b) { id ...N @skip(if: $a) } }
      fragment N on User { username }`,
    ...[{ a: true, b: true }, { a: true, b: false }, { a: false }, { a: null }, { a: 'true', b: 1 }, {}],
    { a: false, b: null },
  ],
  [`{ a: apps(ids: [${'1 '.repeat(11)}]) { id } b: users(values: [${'"1" '.repeat(10)}]) { id } }`],
  // Values that GraphQL cannot write.
  ['{ users(values: ["1", "100", "2"]) { id rank } one: user(value: "100") { id } }'],
  ['{ users(values: ["101"]) { rank } b: users(values: ["101", "1"]) { joinDate } }'],
  ['{ users(values: ["103"]) { rank joinDate } b: users(values: ["103"]) { joinDate rank } }'],
  ['{ users(values: ["102"]) { id } __typename }'],
  ['{ users(values: ["100", "100"]) { rank } apps(ids: [100]) { category } }'],
])('%s', ([query, ...variables], { executions }) =>
  expectSame(executions, query, variables.length === 0 ? [{}] : variables),
)

test('operations of one document are compiled apart', async ({ executions }) => {
  const document = parse('query A { a: __typename } query B { b: __typename }')
  for (const name of ['A', 'B', 'A', 'B', 'B', 'A']) {
    const { data } = await run(executions.compiling, document, {}, name)
    expect(data).toEqual({ [name.toLowerCase()]: 'Query' })
  }
})

/** Gives the first field of a document another alias. A compiled operation no longer heeds its document. */
function renameField(document: DocumentNode): void {
  const operation = getOperationAST(document, 'A') ?? getOperationAST(document)
  const [field] = operation?.selectionSet.selections ?? []
  if (field?.kind === 'Field') Object.assign(field.alias ?? {}, { value: 'after' })
}

test('one operation is compiled in a turn', async ({ executions: { compiling } }) => {
  const queries = ['A', 'B', 'C'].map((name) => parse(`query ${name} { before: __typename }`))
  const keysOf = async () => {
    const results = await Promise.all(queries.map((query) => run(compiling, query)))
    return results.flatMap(({ data }) => Object.keys(data ?? {}))
  }
  await setImmediate()
  await keysOf()
  queries.forEach(renameField)
  expect(await keysOf()).toEqual(['before', 'after', 'after'])
})

const slow = { timeout: 600_000 }
test(
  'generated operations give the same, and no more fields than were counted',
  slow,
  async ({ executions }) => {
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
      const { fields } = planOfText(query).costOf(coerced)
      // Fields below an introspection have another limit.
      expect(fieldsOf(data) - fieldsOf(data.__schema)).toBeLessThanOrEqual(fields)
    })
    await fc.assert(property, { numRuns, seed: seedOf('generated operations') })
    expect(counted).toBeGreaterThan(numRuns / 10)
  },
)

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
  expect(planOfText(query).compiledFields).toBe(fields)
})
