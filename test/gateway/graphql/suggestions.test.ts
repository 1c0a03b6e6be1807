// INTROSPECTION=off: no error names anything of the schema that the request has not named, on both ways.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import type { Params } from './client.ts'

let open: Gateway
let shut: Gateway
beforeAll(async () => {
  open = await startGateway()
  shut = await startGateway({ INTROSPECTION: 'off' })
})
afterAll(async () => {
  await open.close()
  await shut.close()
})

// The fast path knows the first only; Yoga takes both alike.
const ways = ['application/json', 'application/graphql+json']

async function messagesOf({ url }: Gateway, contentType: string, params: Params): Promise<string[]> {
  const headers = { 'content-type': contentType }
  const init = { method: 'POST', headers, body: JSON.stringify(params) }
  const { errors } = await (await fetch(`${url}/graphql`, init)).json()
  return errors.map(({ message }: { message: string }) => message)
}

const wrong: readonly (readonly [name: string, params: Params, message: string, suggestion: string])[] = [
  ['a field', { query: '{ usrs }' }, 'Cannot query field "usrs" on type "Query".', '"users" or "user"'],
  [
    'a field of a type',
    { query: '{ user(value: "1") { user_name } }' },
    'Cannot query field "user_name" on type "User".',
    '"username"',
  ],
  [
    'an argument',
    { query: '{ user(value: "1", bye: ID) { id } }' },
    'Unknown argument "bye" on field "Query.user".',
    '"by"',
  ],
  ['a type', { query: 'query ($v: Strin) { a }' }, 'Unknown type "Strin".', '"String"'],
  [
    'a value of an enum',
    { query: '{ user(by: CHATS, value: "1") { id } }' },
    'Value "CHATS" does not exist in "UserLookupMethod" enum.',
    'the enum value "CHAT"',
  ],
  [
    'a text where an enum is due',
    { query: '{ user(by: "CHAT", value: "1") { id } }' },
    'Enum "UserLookupMethod" cannot represent non-enum value: "CHAT".',
    'the enum value "CHAT"',
  ],
  [
    'an enum in a variable',
    {
      query: 'query ($by: UserLookupMethod!) { user(by: $by, value: "1") { id } }',
      variables: { by: 'username' },
    },
    'Variable "$by" got invalid value "username"; Value "username" does not exist in "UserLookupMethod" enum.',
    'the enum value "USERNAME"',
  ],
]

test.each(wrong)('%s', async (_name, params, message, suggestion) => {
  for (const way of ways) {
    // The second time it may come from a cache.
    for (let use = 1; use <= 2; use++) {
      expect(await messagesOf(open, way, params)).toContain(`${message} Did you mean ${suggestion}?`)
      const shown = await messagesOf(shut, way, params)
      expect(shown).toContain(message)
      expect(shown.join('\n')).not.toContain('Did you mean')
    }
  }
})

test('a text of the client is left as it is', async () => {
  const value = 'x Did you mean "y"?'
  const query = 'query ($skip: Boolean!) { __typename @skip(if: $skip) }'
  for (const way of ways) {
    const [message] = await messagesOf(shut, way, { query, variables: { skip: value } })
    expect(message).toContain(JSON.stringify(value))
  }
})
