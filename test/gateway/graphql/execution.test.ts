// Compiled operations (graphql-jit) answer as graphql-js does: the same data, the same errors, on every use.

import fc from 'fast-check'
import { parse, validate } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schema } from '../../../src/gateway/graphql/schema.ts'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { comparable, corrupt, run, twoExecutions, type Variables } from './execution-support.ts'
import { anyVariables, rightQuery } from './generator.ts'
import { operations } from './operations.ts'

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

async function expectSame(query: string, variables?: Variables, operationName?: string, uses = 4) {
  const { compiling, interpreting } = executions
  const expected = comparable(await run(interpreting, parse(query), variables, operationName))
  const document = parse(query)
  for (let use = 1; use <= uses; use++) {
    const found = comparable(await run(compiling, document, variables, operationName))
    expect(found, `use ${use} with ${JSON.stringify(variables)}`).toEqual(expected)
  }
}

describe.each(Object.entries(operations))('%s', (_name, { query, variables = [{}], operationName }) => {
  test.each(variables)('with %j', (given) => expectSame(query, given, operationName))
})

test('the same operation with other variables each time', async () => {
  const { query, variables = [] } = operations['both arguments by variables'] ?? { query: '' }
  const document = parse(query)
  expect(variables.length).toBeGreaterThan(10)
  for (const given of [...variables, ...variables.toReversed()]) {
    const expected = comparable(await run(executions.interpreting, parse(query), given))
    const found = comparable(await run(executions.compiling, document, given))
    expect(found, JSON.stringify(given)).toEqual(expected)
  }
})

test('operations of one document are compiled apart', async () => {
  const document = parse('query A { a: __typename } query B { b: __typename }')
  for (const name of ['A', 'B', 'A', 'B', 'B', 'A']) {
    const { data } = await run(executions.compiling, document, {}, name)
    expect(data).toEqual({ [name.toLowerCase()]: 'Query' })
  }
})

test('any operation with any variables', async () => {
  const property = fc.asyncProperty(rightQuery, anyVariables, async (query, variables) => {
    fc.pre(validate(schema, parse(query)).length === 0)
    await expectSame(query, variables, undefined, 2)
  })
  await fc.assert(property, { numRuns: 500 })
})
