// The tenth answer to a question is the first one, whatever was cached or compiled in between.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { ask, type Params } from './client.ts'
import { corrupt } from './execution-support.ts'

let gateway: Gateway
beforeAll(async () => {
  // So that it is at hand once the gateway asks for it.
  await import('graphql-jit')
  gateway = await startGateway({ LEGACY_MAX_VALUES: '5' })
  corrupt(
    gateway,
    `INSERT INTO users VALUES (100, 'high', 'high', NULL, 'High', 3000000000, 0, 1, 0);
     INSERT INTO users VALUES (101, 'half', 'half', NULL, 'Half', 1, 1.5, 1, 0)`,
  )
})
afterAll(() => gateway.close())

const byVariables =
  'query ($by: UserLookupMethod! = ID, $v: [String!]!) { users(by: $by, values: $v) { id } }'

test.each([
  ['a look-up', { query: '{ users(values: ["1", "99"]) { id rank } }' }],
  ['a default', { query: byVariables, variables: { v: ['2'] } }],
  ['an overridden default', { query: byVariables, variables: { by: 'CHAT', v: ['chat-1002'] } }],
  ['a missing variable', { query: byVariables }],
  ['a wrong enum value', { query: byVariables, variables: { by: 'id', v: ['1'] } }],
  ['a wrong item', { query: byVariables, variables: { v: ['1', 2] } }],
  ['a syntax error', { query: '{ users(' }],
  ['an unknown field', { query: '{ user }' }],
  ['too many values', { query: byVariables, variables: { v: ['1', '2', '3', '4', '5', '6'] } }],
  ['a rank beyond 32 bits', { query: '{ users(values: ["1", "100"]) { rank } }' }],
  ['a join date that is no integer', { query: '{ users(values: ["1", "101"]) { joinDate } }' }],
  ['a mutation', { query: 'mutation { a }' }],
  ['a subscription', { query: 'subscription { __typename }' }],
  ['an operation that is not there', { query: 'query A { __typename }', operationName: 'B' }],
])('%s', async (name, params) => {
  // A text of its own, so that no other test has it compiled already.
  const query = `${params.query} # ${name}`
  const first = await answer({ ...params, query })
  for (let use = 2; use <= 10; use++) expect(await answer({ ...params, query }), `use ${use}`).toEqual(first)
})

async function answer(params: Params) {
  const { status, data, errors } = await ask(gateway, params)
  const shown = errors?.map(({ message, path, extensions }) => {
    const requestId = typeof extensions?.requestId
    return { message, path, extensions: { ...extensions, requestId } }
  })
  return { status, data, errors: shown }
}
