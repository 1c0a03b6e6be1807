// What can be asked and what is answered, over a socket and a real database.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { dataOf } from './client.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const LAST = '9007199254740991'

const users = (args: string, fields = 'id') => dataOf(gateway, { query: `{ users(${args}) { ${fields} } }` })
const ids = async (args: string) => (await users(args)).users
const namesOf = async (variables: { by: string; values: unknown[] }) => {
  const query = `query ($by: UserLookupMethod!, $values: [String!]!) { users(by: $by, values: $values) { username } }`
  return (await dataOf(gateway, { query, variables })).users
}
const apps = async (given: unknown) => {
  const query = 'query ($ids: [ID!]!) { apps(ids: $ids) { id } }'
  return (await dataOf(gateway, { query, variables: { ids: given } })).apps
}

describe('users', () => {
  const ada = {
    id: '1',
    username: 'Ada',
    displayName: 'Ada of the Hill',
    rank: 9,
    joinDate: 1199145600,
    isConfirmed: true,
    banned: false,
  }

  test('by id, which is the default', async () => {
    expect((await users('values: ["1"]', Object.keys(ada).join(' '))).users).toEqual([ada])
  })
  test('by id, said explicitly', async () => {
    expect(await ids('by: ID, values: ["3"]')).toEqual([{ id: '3' }])
  })
  test.each(['ada', 'ADA', 'Ａda'])('by username, in any case and width: %s', async (name) => {
    expect(await namesOf({ by: 'USERNAME', values: [name] })).toEqual([{ username: 'Ada' }])
  })
  test('by username, which may look like an id', async () => {
    expect(await ids('by: USERNAME, values: ["1234", "1"]')).toEqual([{ id: '11' }, null])
  })
  test('by username, in decomposed form', async () => {
    expect(await namesOf({ by: 'USERNAME', values: ['zoe\u0308'] })).toEqual([{ username: 'Zoë' }])
  })
  test('by chat identifier, compared exactly', async () => {
    expect(await ids('by: CHAT, values: ["chat-1001", "CHAT-1001", "CHAT-1012", "chat:13"]')).toEqual([
      { id: '1' },
      null,
      { id: '12' },
      { id: '13' },
    ])
  })
  test('without a chat identifier match no chat look-up', async () => {
    expect(await ids('by: CHAT, values: ["", "null", "NULL"]')).toEqual([null, null, null])
  })
  test('join dates go beyond 32 bits', async () => {
    expect((await users(`values: ["8", "13", "${LAST}"]`, 'joinDate')).users).toEqual([
      { joinDate: 4102444800 },
      { joinDate: 0 },
      { joinDate: Number.MAX_SAFE_INTEGER },
    ])
  })
  test('ranks may be negative', async () => {
    expect((await users('values: ["13"]', 'rank')).users).toEqual([{ rank: -1 }])
  })
  test.each(['ID', 'USERNAME', 'CHAT'])('none at all by %s', async (by) => {
    expect(await ids(`by: ${by}, values: []`)).toEqual([])
  })
  test('no field shows a chat identifier', async () => {
    const everything = await users(
      'by: CHAT, values: ["chat-1001", "chat-1002", "chat:13"]',
      `__typename ${Object.keys(ada).join(' ')}`,
    )
    expect(everything.users).toHaveLength(3)
    expect(JSON.stringify(everything)).not.toContain('chat')
  })
})

describe('apps', () => {
  test('by id', async () => {
    const query = '{ apps(ids: ["2"]) { id title version category changelogLink downloadLink } }'
    expect(await dataOf(gateway, { query })).toEqual({
      apps: [
        {
          id: '2',
          title: 'Paint & Paper',
          version: '2.0.0',
          category: 5,
          changelogLink: 'https://apps.example/paint/changelog?from=1.9&to=2.0',
          downloadLink: 'https://apps.example/download/2/',
        },
      ],
    })
  })
  test('by ids written as integers', async () => {
    expect(await dataOf(gateway, { query: '{ apps(ids: [1, "2"]) { id } }' })).toEqual({
      apps: [{ id: '1' }, { id: '2' }],
    })
  })
  test('by ids sent as integers', async () => {
    expect(await apps([1, '2', 70000])).toEqual([{ id: '1' }, { id: '2' }, { id: '70000' }])
  })
  test('by one id in place of a list', async () => {
    expect(await apps(3)).toEqual([{ id: '3' }])
  })
  test('none at all', async () => {
    expect(await apps([])).toEqual([])
  })
})

describe('one user', () => {
  const user = async (args: string) => (await dataOf(gateway, { query: `{ user(${args}) { id } }` })).user

  test.each([
    ['by id, which is the default', 'value: "1"'],
    ['by id, said explicitly', 'by: ID, value: "01"'],
    ['by username', 'by: USERNAME, value: "ADA"'],
    ['by chat identifier', 'by: CHAT, value: "chat-1001"'],
  ])('%s', async (_name, args) => {
    expect(await user(args)).toEqual({ id: '1' })
  })
  test.each([
    'value: "99"',
    'value: "abc"',
    'value: ""',
    'by: USERNAME, value: "none"',
    'by: CHAT, value: ""',
  ])('%s is null where nothing matches', async (args) => {
    expect(await user(args)).toBeNull()
  })
  test('by variables', async () => {
    const query = 'query ($by: UserLookupMethod!, $value: String!) { user(by: $by, value: $value) { rank } }'
    const variables = { by: 'USERNAME', value: 'Ada' }
    expect(await dataOf(gateway, { query, variables })).toEqual({ user: { rank: 9 } })
  })
})

describe('one app', () => {
  test.each([
    ['2', { title: 'Paint & Paper' }],
    ['"2"', { title: 'Paint & Paper' }],
    ['"002"', { title: 'Paint & Paper' }],
    ['99', null],
    ['"x"', null],
  ])('by the id %s', async (id, app) => {
    expect(await dataOf(gateway, { query: `{ app(id: ${id}) { title } }` })).toEqual({ app })
  })
})
