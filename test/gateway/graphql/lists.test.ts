// Lists of values: order, misses, malformed ids, and texts made to hurt.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { dataOf } from './client.ts'
import { corrupt } from './execution-support.ts'

const LAST = '9007199254740991'
const BEYOND = '9007199254740992'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
  // Beyond what an identifier may be: not to be found, even though it is there.
  corrupt(
    gateway,
    `INSERT INTO users VALUES (${BEYOND}, 'beyond', 'beyond', NULL, 'Beyond', 1, 0, 1, 0);
     INSERT INTO apps VALUES (${BEYOND}, 'Beyond', '1.0.0', 1, 'https://a.example/', 'https://a.example/${BEYOND}/')`,
  )
})
afterAll(() => gateway.close())

const namesOf = async (variables: { by: string; values: unknown[] }) => {
  const query = `query ($by: UserLookupMethod!, $values: [String!]!) { users(by: $by, values: $values) { username } }`
  return (await dataOf(gateway, { query, variables })).users
}
const ids = async (values: unknown[]) => {
  const query = 'query ($values: [String!]!) { users(values: $values) { id } }'
  return (await dataOf(gateway, { query, variables: { values } })).users
}
const apps = async (given: unknown) => {
  const query = 'query ($ids: [ID!]!) { apps(ids: $ids) { id } }'
  return (await dataOf(gateway, { query, variables: { ids: given } })).apps
}

describe('lists', () => {
  test('are answered in their order, misses as null, duplicates twice', async () => {
    expect(await ids(['3', '99', '1', '3', '2', '99'])).toEqual([
      { id: '3' },
      null,
      { id: '1' },
      { id: '3' },
      { id: '2' },
      null,
    ])
    expect(await apps(['5', '99', '1', '5'])).toEqual([{ id: '5' }, null, { id: '1' }, { id: '5' }])
  })

  const malformed = [
    'abc',
    '-1',
    '+1',
    '1.5',
    '1e0',
    '0x1',
    '',
    ' 1',
    '1 ',
    '１',
    'null',
    BEYOND,
    '9007199254740993',
    '9'.repeat(400),
  ]
  test.each(malformed)('with the malformed id "%s" have null at its place', async (id) => {
    expect(await namesOf({ by: 'ID', values: ['1', id, '2'] })).toEqual([
      { username: 'Ada' },
      null,
      { username: 'søren' },
    ])
    expect(await apps(['1', id, '2'])).toEqual([{ id: '1' }, null, { id: '2' }])
  })

  test.each([
    ['0', null],
    ['000', null],
    ['007', { id: '7' }],
    ['0000000000000000000000000000001', { id: '1' }],
    [LAST, { id: LAST }],
  ])('with the id "%s"', async (id, expected) => {
    expect(await ids([id])).toEqual([expected])
  })

  const hostile = {
    NUL: '\0',
    'NUL within': 'Ada\0',
    'lone high surrogate': '\ud800',
    'lone low surrogate': 'a\udc00b',
    astral: '🌸'.repeat(50),
    'right-to-left override': '\u202eAda',
    'quote and comment': `Ada' OR 1=1 --`,
    'JSON within': '"],["Ada"',
    'object members': '__proto__',
    long: 'x'.repeat(10_000),
  }
  test.each(Object.entries(hostile))('with %s as a value match nothing', async (_name, value) => {
    for (const by of ['ID', 'USERNAME', 'CHAT']) {
      const found = await namesOf({ by, values: [value, by === 'USERNAME' ? 'ada' : 'none', value] })
      expect(found).toEqual([null, by === 'USERNAME' ? { username: 'Ada' } : null, null])
    }
    expect(await apps([value, '1'])).toEqual([null, { id: '1' }])
  })
})
