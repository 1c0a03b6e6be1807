// Queries of entities that no router would send: compiled or not, they are answered alike, within their cost.

import fc from 'fast-check'
import { getOperationAST, parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { compiledFields } from '../../../src/gateway/graphql/compiled.ts'
import { createCounter } from '../../../src/gateway/graphql/cost.ts'
import type { Execution } from '../../../src/gateway/graphql/execution.ts'
import { schema as plainSchema } from '../../../src/gateway/graphql/schema.ts'
import { subgraphOf } from '../../../src/gateway/graphql/subgraph.ts'
import { startGateway } from '../../kit/gateway.ts'
import { comparable, fieldsOf, twoExecutions } from './execution-support.ts'

const schema = subgraphOf(plainSchema)
const user = (id: unknown) => ({ __typename: 'User', id })
const app = (id: unknown) => ({ __typename: 'App', id })

const selections = fc
  .array(
    fc.constantFrom(
      '__typename',
      '... on User { id username }',
      '... on App { id x: title }',
      '... on _Entity { __typename }',
      '... on User { x: displayName ...U }',
      '...E',
      '... on User { ... on _Entity { ... on App { id } } }',
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(' '))
const known = [user('1'), user(2), user('99'), app('1'), app(2), app('x'), { __typename: 'Nothing', id: 1 }]
const representation = fc.oneof(fc.constantFrom(...known), fc.jsonValue({ maxDepth: 2 }))
const anyQuery = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom('$r', '$s', '[$t]', '[1]', '[]'), selections), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([fields]) => {
    const body = fields
      .map(([list, inside], at) => `a${at}: _entities(representations: ${list}) { ${inside} }`)
      .join(' ')
    const used = ['$r: [_Any!]!', '$s: [_Any!]! = ["1"]', '$t: _Any!'].filter((one) =>
      body.includes(one.slice(0, 2)),
    )
    const fragments = [
      'fragment U on User { rank }',
      'fragment E on _Entity { __typename ... on App { version } }',
    ].filter((one) => body.includes(`...${one[9]}`))
    return `query${used.length === 0 ? '' : `(${used.join(', ')})`} { ${body} } ${fragments.join(' ')}`
  })
const anyVariables = fc.record(
  {
    r: fc.array(representation, { maxLength: 8 }),
    s: fc.array(representation, { maxLength: 4 }),
    t: representation,
  },
  { requiredKeys: ['r', 't'] },
)

test('a query of entities is compiled, but not with objects in its text', () => {
  const fieldsOf = (query: string) => compiledFields(parse(query))
  const body = '{ __typename ... on User { id rank } ... on App { title } }'
  const byVariable = `query ($r: [_Any!]!) { _entities(representations: $r) ${body} }`
  expect(fieldsOf(byVariable)).toBe(5)
  expect(fieldsOf(`{ _entities(representations: [{ __typename: "User", id: 1 }]) ${body} }`)).toBe(0)
  expect(fieldsOf(byVariable.replace(']!)', ']! = [{}])'))).toBe(0)
})

test('any query is answered alike by graphql-js and compiled, with no more fields than were counted', async () => {
  const gateway = await startGateway()
  const { compiling, interpreting, close } = await twoExecutions(gateway, schema)
  let compared = 0
  const property = fc.asyncProperty(anyQuery, anyVariables, async (text, variableValues) => {
    const document = parse(text)
    fc.pre(validate(schema, document).length === 0)
    const run = (execution: Execution) =>
      execution.run({ document, variableValues }, execution.createContext())
    const expected = await run(interpreting)
    for (let use = 1; use <= 2; use++) expect(comparable(await run(compiling))).toEqual(comparable(expected))
    const operation = getOperationAST(document)
    if (operation == null || expected.data == null) return
    compared++
    const count = createCounter(schema, document, operation)
    expect(fieldsOf(expected.data)).toBeLessThanOrEqual(count({ s: ['1'], ...variableValues }).fields)
  })
  try {
    await fc.assert(property, { numRuns: 200 })
  } finally {
    await close()
    await gateway.close()
  }
  expect(compared).toBeGreaterThan(50)
})
