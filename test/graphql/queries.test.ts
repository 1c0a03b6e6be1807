// What clients can ask for and what they get.

import { describe, expect } from 'vitest'
import { test } from '../kit/test.ts'
import { caseData } from '../legacy/support/cases.ts'
import { ask, codeOf, dataOf } from './client.ts'

const LAST = '9007199254740991'

type At = Parameters<typeof dataOf>[0]

/** The ids that values find, with `null` for those that find nothing. */
async function users(at: At, values: readonly unknown[], by = 'ID'): Promise<unknown[]> {
  const query = 'query ($by: UserLookupMethod!, $values: [ID!]!) { users(by: $by, values: $values) { id } }'
  return idsOf((await dataOf(at, { query, variables: { by, values } })).users)
}
async function apps(at: At, ids: unknown): Promise<unknown[]> {
  const query = 'query ($ids: [ID!]!) { apps(ids: $ids) { id } }'
  return idsOf((await dataOf(at, { query, variables: { ids } })).apps)
}
const idsOf = (items: unknown) => (Array.isArray(items) ? items.map((item) => item?.id ?? null) : [])

const names = { username: 'Ada', displayName: 'Ada of the Hill' }
const ada = { id: '1', ...names, rank: 9, joinDate: 1199145600, isConfirmed: true, banned: false }
const userFields = Object.keys(ada).join(' ')
const paint = {
  ...{ id: '2', title: 'Paint & Paper', version: '2.0.0', category: 5 },
  changelogLink: 'https://apps.example/paint/changelog?from=1.9&to=2.0',
  downloadLink: 'https://apps.example/download/2/',
}

test('all fields of users and apps', async ({ gateway }) => {
  const query = `{ users(values: ["1"]) { ${userFields} } apps(ids: ["2"]) { ${Object.keys(paint).join(' ')} } }`
  expect(await dataOf(gateway, { query })).toEqual({ users: [ada], apps: [paint] })
})

test('numbers beyond 32 bits', async ({ gateway }) => {
  const query = `{ users(values: ["8", "13", "${LAST}"]) { joinDate } user(value: "13") { rank } }`
  expect(await dataOf(gateway, { query })).toEqual({
    users: [{ joinDate: 4102444800 }, { joinDate: 0 }, { joinDate: Number.MAX_SAFE_INTEGER }],
    user: { rank: -1 },
  })
})

test('no field shows a chat identifier', async ({ gateway }) => {
  const query = `{ users(by: CHAT, values: ["chat-1001", "chat-1002", "chat:13"]) { __typename ${userFields} } }`
  const everything = await dataOf(gateway, { query })
  expect(everything.users).toHaveLength(3)
  expect(JSON.stringify(everything)).not.toContain('chat')
})

test.for<[by: string, values: string[], ids: (string | null)[]]>([
  ['ID', ['3', '99', '1', '3', '2', '99'], ['3', null, '1', '3', '2', null]],
  ['ID', ['0', '000', '007', '0000000000000000000000000000001', LAST], [null, null, '7', '1', LAST]],
  ['USERNAME', ['ada', 'ADA', 'Ａda', 'zoe\u0308', '1234', '1'], ['1', '1', '1', '13', '11', null]],
  ['CHAT', ['chat-1001', 'CHAT-1001', 'CHAT-1012', 'chat:13'], ['1', null, '12', '13']],
  ['CHAT', ['', 'null', 'NULL'], [null, null, null]],
  ['ID', [], []],
  ['USERNAME', [], []],
])('users by %s: %j', async ([by, values, ids], { gateway }) => {
  expect(await users(gateway, values, by)).toEqual(ids)
})

test.for<[by: string, ids: (string | null)[]]>([
  ['ID', ['8', '9', '10', null, null, null]],
  ['USERNAME', ['10', '9', '8', '12', null, null]],
  ['CHAT', ['9', '8', '10', '11', null, LAST]],
])('users by %s: numbers find what their digits do', async ([by, ids], { withSettings }) => {
  const gateway = await withSettings({}, caseData)
  const numbers = [8, 9, 10, -1, 99, 2 ** 53]
  const inText = `{ users(by: ${by}, values: ${JSON.stringify(numbers)}) { id } user(by: ${by}, value: 8) { id } }`
  expect(await users(gateway, numbers.map(String), by)).toEqual(ids)
  // The operation is compiled after some uses.
  for (const _use of [1, 2, 3, 4]) {
    expect(await users(gateway, numbers, by)).toEqual(ids)
    const data = await dataOf(gateway, { query: inText })
    expect([...idsOf(data.users), ...idsOf([data.user])]).toEqual([...ids, ids[0]])
  }
})

test('JOIN_DATE_UNIT adds joinedAt for clients and routers', async ({ withSettings }) => {
  const gateway = await withSettings({ JOIN_DATE_UNIT: 'seconds', FEDERATION: 'on' })
  const query = `{ users(values: [1, ${LAST}]) { joinedAt } }`
  // The operation is compiled after some uses.
  for (const _use of [1, 2, 3, 4])
    expect(await dataOf(gateway, { query })).toEqual({
      users: [{ joinedAt: '2008-01-01T00:00:00.000Z' }, { joinedAt: null }],
    })
  const { _service } = await dataOf(gateway, { query: '{ _service { sdl } }' })
  const published = await (await fetch(`${gateway.url}/schema/schema.graphql`)).text()
  for (const sdl of [Object(_service).sdl, published]) expect(sdl).toContain('joinedAt: DateTime\n')
})

test.for<[ids: unknown, found: (string | null)[]]>([
  [
    [1, '2', 70000, '99'],
    ['1', '2', '70000', null],
  ],
  [3, ['3']],
])('apps by %j', async ([ids, found], { gateway }) => {
  expect(await apps(gateway, ids)).toEqual(found)
})

describe('null, in its place, is what is found by', () => {
  test.for([
    ...['abc', '-1', '+1', '1.5', '1e0', '0x1', '', ' 1', '1 ', '１', 'null'],
    ...['9007199254740993', '9'.repeat(400)],
  ])('the malformed id %j', async (id, { gateway }) => {
    expect(await users(gateway, ['1', id, '2'])).toEqual(['1', null, '2'])
    expect(await apps(gateway, ['1', id, '2'])).toEqual(['1', null, '2'])
  })

  test.for([
    ...['\0', 'Ada\0', '\ud800', 'a\udc00b', '🌸'.repeat(50), '\u202eAda', `Ada' OR 1=1 --`, '"],["Ada"'],
    ...['__proto__', 'x'.repeat(10_000)],
  ])('%j', async (value, { gateway }) => {
    for (const by of ['ID', 'USERNAME', 'CHAT'])
      expect(await users(gateway, [value, 'none', value], by)).toEqual([null, null, null])
    expect(await users(gateway, [value, 'ada'], 'USERNAME')).toEqual([null, '1'])
    expect(await apps(gateway, [value, '1'])).toEqual([null, '1'])
  })
})

test.for<[field: string, id: string | null]>([
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
])('%s', async ([field, id], { gateway }) => {
  const { one } = await dataOf(gateway, { query: `{ one: ${field} { id } }` })
  expect(one).toEqual(id === null ? null : { id })
})

test('operationName chooses among several operations', async ({ gateway }) => {
  const query = 'query One { users(values: ["1"]) { id } } query Two { users(values: ["2"]) { id } }'
  expect(await dataOf(gateway, { query, operationName: 'One' })).toEqual({ users: [{ id: '1' }] })
  expect(await dataOf(gateway, { query, operationName: 'Two' })).toEqual({ users: [{ id: '2' }] })
  for (const operationName of [undefined, null, '', 'Three']) {
    const refused = await ask(gateway, { query, operationName })
    expect([refused.status, codeOf(refused)]).toEqual([400, 'OPERATION_RESOLUTION_FAILURE'])
  }
})

test.for([
  'subscription { users(values: ["1"]) { id } }',
  '{ user(value: 1) { joinedAt } }',
  '{ users(values: ["1"]) { chatId } }',
  '{ users(by: null, values: ["1"]) { id } }',
  '{ users(values: ["1", null]) { id } }',
  '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
  'fragment A on Query { __typename }',
  'type A { b: Int }',
])('refused, also from the cache of documents: %s', async (query, { gateway }) => {
  const result = await ask(gateway, { query })
  expect([result.status, result.data]).toEqual([400, undefined])
  expect(await ask(gateway, { query })).toMatchObject({ status: 400, text: result.text })
})
