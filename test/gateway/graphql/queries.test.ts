// What can be asked and what is answered, over a socket and a real database.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { ask, codeOf, dataOf } from './client.ts'
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

/** The ids of the users that values match, with `null` where none does. */
async function users(values: readonly unknown[], by = 'ID'): Promise<unknown[]> {
  const query =
    'query ($by: UserLookupMethod!, $values: [String!]!) { users(by: $by, values: $values) { id } }'
  return idsOf((await dataOf(gateway, { query, variables: { by, values } })).users)
}
async function apps(ids: unknown): Promise<unknown[]> {
  const query = 'query ($ids: [ID!]!) { apps(ids: $ids) { id } }'
  return idsOf((await dataOf(gateway, { query, variables: { ids } })).apps)
}
const idsOf = (items: unknown) => (Array.isArray(items) ? items.map((item) => item?.id ?? null) : [])

const ada = {
  id: '1',
  username: 'Ada',
  displayName: 'Ada of the Hill',
  rank: 9,
  joinDate: 1199145600,
  isConfirmed: true,
  banned: false,
}
const fields = Object.keys(ada).join(' ')
const paint = {
  id: '2',
  title: 'Paint & Paper',
  version: '2.0.0',
  category: 5,
  changelogLink: 'https://apps.example/paint/changelog?from=1.9&to=2.0',
  downloadLink: 'https://apps.example/download/2/',
}

test('all fields of users and apps', async () => {
  const query = `{ users(values: ["1"]) { ${fields} } apps(ids: ["2"]) { ${Object.keys(paint).join(' ')} } }`
  expect(await dataOf(gateway, { query })).toEqual({ users: [ada], apps: [paint] })
})

test('numbers go beyond 32 bits, where they may', async () => {
  const query = `{ users(values: ["8", "13", "${LAST}"]) { joinDate } user(value: "13") { rank } }`
  expect(await dataOf(gateway, { query })).toEqual({
    users: [{ joinDate: 4102444800 }, { joinDate: 0 }, { joinDate: Number.MAX_SAFE_INTEGER }],
    user: { rank: -1 },
  })
})

test('no field shows a chat identifier', async () => {
  const query = `{ users(by: CHAT, values: ["chat-1001", "chat-1002", "chat:13"]) { __typename ${fields} } }`
  const everything = await dataOf(gateway, { query })
  expect(everything.users).toHaveLength(3)
  expect(JSON.stringify(everything)).not.toContain('chat')
})

describe('users', () => {
  test.each<[by: string, values: string[], ids: (string | null)[]]>([
    ['ID', ['3', '99', '1', '3', '2', '99'], ['3', null, '1', '3', '2', null]],
    ['USERNAME', ['ada', 'ADA', 'Ａda', 'zoe\u0308', '1234', '1'], ['1', '1', '1', '13', '11', null]],
    ['CHAT', ['chat-1001', 'CHAT-1001', 'CHAT-1012', 'chat:13'], ['1', null, '12', '13']],
    ['CHAT', ['', 'null', 'NULL'], [null, null, null]],
    ['ID', [], []],
    ['USERNAME', [], []],
  ])('by %s: %j', async (by, values, ids) => {
    expect(await users(values, by)).toEqual(ids)
  })
})

test('apps by ids written and sent as integers, or one in place of a list', async () => {
  expect(await apps([1, '2', 70000, '99'])).toEqual(['1', '2', '70000', null])
  expect(await apps(3)).toEqual(['3'])
  expect(await apps([])).toEqual([])
  const query = '{ apps(ids: [1, "2"]) { id } }'
  expect(idsOf((await dataOf(gateway, { query })).apps)).toEqual(['1', '2'])
})

test.each([
  ...['abc', '-1', '+1', '1.5', '1e0', '0x1', '', ' 1', '1 ', '１', 'null'],
  ...[BEYOND, '9007199254740993', '9'.repeat(400)],
])('the malformed id "%s" has null at its place', async (id) => {
  expect(await users(['1', id, '2'])).toEqual(['1', null, '2'])
  expect(await apps(['1', id, '2'])).toEqual(['1', null, '2'])
})

test('ids may have leading zeros', async () => {
  const ids = ['0', '000', '007', '0000000000000000000000000000001', LAST]
  expect(await users(ids)).toEqual([null, null, '7', '1', LAST])
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
test.each(Object.entries(hostile))('%s as a value matches nothing', async (_name, value) => {
  for (const by of ['ID', 'USERNAME', 'CHAT'])
    expect(await users([value, 'none', value], by)).toEqual([null, null, null])
  expect(await users([value, 'ada'], 'USERNAME')).toEqual([null, '1'])
  expect(await apps([value, '1'])).toEqual([null, '1'])
})

test.each([
  ['user(value: "1")', '1'],
  ['user(by: ID, value: "01")', '1'],
  ['user(by: USERNAME, value: "ADA")', '1'],
  ['user(by: CHAT, value: "chat-1001")', '1'],
  ['user(value: "99")', null],
  ['user(value: "")', null],
  ['user(by: USERNAME, value: "none")', null],
  ['app(id: 2)', '2'],
  ['app(id: "002")', '2'],
  ['app(id: 99)', null],
  ['app(id: "x")', null],
])('%s', async (field, id) => {
  const { one } = await dataOf(gateway, { query: `{ one: ${field} { id } }` })
  expect(one).toEqual(id === null ? null : { id })
})

test('operationName chooses among several operations', async () => {
  const query = 'query One { users(values: ["1"]) { id } } query Two { users(values: ["2"]) { id } }'
  expect(await dataOf(gateway, { query, operationName: 'One' })).toEqual({ users: [{ id: '1' }] })
  expect(await dataOf(gateway, { query, operationName: 'Two' })).toEqual({ users: [{ id: '2' }] })
  for (const operationName of [undefined, null, '', 'Three']) {
    const refused = await ask(gateway, { query, operationName })
    expect([refused.status, codeOf(refused)]).toEqual([400, 'OPERATION_RESOLUTION_FAILURE'])
  }
})

test.each([
  'mutation { users(values: ["1"]) { id } }',
  'subscription { users(values: ["1"]) { id } }',
  '{ users(values: ["1"]) { chatId } }',
  '{ users(by: null, values: ["1"]) { id } }',
  '{ users(values: ["1", null]) { id } }',
  '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
  'fragment A on Query { __typename }',
  'type A { b: Int }',
  '',
])('refused: %s', async (query) => {
  const result = await ask(gateway, { query })
  expect(result.status).toBe(400)
  expect(result.data).toBeUndefined()
  // The second time it may come from a cache.
  expect(await ask(gateway, { query })).toMatchObject({ status: 400, text: result.text })
})
