// `/explain`: what a legacy request becomes, as data.

import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished } from 'vitest'
import { LookupError } from '../../src/errors.ts'
import { defaultDialect } from '../../src/legacy/dialect.ts'
import { withValue } from '../../src/legacy/dialect-places.ts'
import { createExplain } from '../../src/legacy/explain.ts'
import type { ExplainResponse } from '../../src/pages/explain.ts'
import { makeCaller } from '../kit/caller.ts'
import { startGateway } from '../kit/gateway.ts'
import { test } from '../kit/test.ts'
import { APP, ID, NAME, type Settings, shown } from './support/rows.ts'

async function explain(url: string, query: string): Promise<ExplainResponse> {
  const response = await fetch(`${url}/explain?${query}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store')
  return response.json()
}

const METHOD = 'MethodOfAccessingUserInformation'
const P = 'Event=ProfileLookup'

test('a request, what it became, and what came of it', async ({ gateway }) => {
  const explained = await explain(gateway.url, `${NAME}ADA:s%C3%B8ren:nobody::ADA&Format=XML&utm=x`)
  expect(explained).toMatchObject({
    request: {
      event: 'ProfileLookup',
      format: 'XML',
      parameters: [
        { name: 'Event', value: 'ProfileLookup', known: true },
        { name: METHOD, value: 'username', known: true },
        { name: 'Users', value: 'ADA:s\u00f8ren:nobody::ADA', known: true },
        { name: 'Format', value: 'XML', known: true },
        { name: 'utm', value: 'x', known: false },
      ],
      values: ['ADA', 's\u00f8ren', 'nobody'],
    },
    operation: { variables: { by: 'USERNAME', values: ['ADA', 's\u00f8ren', 'nobody'] } },
    answer: { status: 200, found: 2, missing: ['nobody'] },
    error: null,
    service: {
      store: 'sqlite',
      ready: true,
      users: { count: 14, exact: true },
      apps: { count: 7, exact: true },
    },
  })
  for (const time of Object.values(explained.timings)) expect(time).toBeGreaterThan(0)
})

test('its operation has the same result in GraphQL', async ({ gateway }) => {
  const { operation } = await explain(gateway.url, `${APP}1:99`)
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(operation),
  })
  expect(await response.json()).toMatchObject({ data: { entries: [{ title: 'Pocket Almanac' }, null] } })
})

test.for<[settings: Settings, query: string]>([
  [{}, `${ID}1:2`],
  [{}, 'Event=Nothing&Format=XML'],
  [{ 'json.letters': 'plain' }, `${NAME}søren`],
  [{ 'errors.status': 422 }, P],
])(
  'with %j, status and length are those of the response to %s',
  async ([settings, query], { withSettings }) => {
    const { url } = await withSettings(settings)
    const { answer } = await explain(url, query)
    const response = await fetch(`${url}/?${query}`)
    expect([response.status, response.headers.get('content-length')]).toEqual([
      answer.status,
      String(answer.length),
    ])
  },
)

test.for<[settings: Settings, query: string, values: string, sent: string, missing: string]>([
  [{ 'read.ids': 'cast' }, `${ID}1abc:1:abc:2`, '1abc|1|abc|2', '1|2', 'abc'],
  [{ 'read.repeatedValues': 'each' }, `${ID}1:99:1`, '1|99|1', '1|99', '99'],
  [{ 'read.usernames': 'exact' }, `${NAME}ada:Ada`, 'ada|Ada', 'ada|Ada', 'ada'],
  [{ 'read.usernames': 'without blanks at the end' }, `${NAME}Ada+:+`, 'Ada | ', 'Ada', ' '],
  // The store gets no query if nothing can match.
  [{ 'read.ids': 'cast' }, `${ID}abc`, 'abc', '', 'abc'],
])('with %j, %s has the values %s', async ([settings, query, ...lists], { withSettings }) => {
  const [values = [], sent, missing = []] = lists.map((list) => list.split('|').filter((one) => one !== ''))
  const { url } = await withSettings({
    ...shown,
    'read.malformed': 'unknown',
    ...settings,
  })
  const explained = await explain(url, query)
  expect(explained).toMatchObject({ request: { values }, answer: { status: 200, missing } })
  expect(explained.answer.found).toBe(values.length - missing.length)
  expect(explained.operation?.variables.values).toEqual(sent)
})

const XML = '&Format=XML'
const unknown = { 'read.malformed': 'unknown' }

/** The choices that changed a response, `*` for all that differ from the default. */
const applied: readonly (readonly [dialect: Settings, query: string, choices: string])[] = [
  [{}, `${ID}1:99${XML}`, ''],
  [{ serviceName: 'Acme' }, `${APP}1${XML}`, '*'],
  [{ serviceName: 'Acme' }, `${ID}1`, ''],
  [{ 'read.names': 'any case', 'read.formats': 'any case' }, 'event=AppLookup&apps=1&Format=xml&Nope=1', '*'],
  [{ 'read.noEvent': 'users' }, 'Users=%', ''],
  [{ 'errors.replies.noUsers.json': { status: 200, type: 'text/plain', body: '' } }, P, '*'],
  [{ ...unknown, 'read.ids': 'cast' }, `${ID}1abc`, 'read.ids'],
  [{ ...unknown, 'read.ids': 'cast' }, `${ID}007:abc`, 'read.malformed'],
  [
    { ...shown, ...unknown, 'read.emptyValues': 'keep' },
    `${NAME}Ada::x`,
    'missing.users.json read.emptyValues',
  ],
  // Without such a choice, the store gets another query.
  [{ 'read.usernames': 'without blanks at the end' }, `${NAME}Ada+`, '*'],
  [{ LEGACY_MAX_VALUES: '1', 'errors.status': 200 }, `${ID}1:2`, '*'],
  [{ 'entries.apps': 'title', 'entries.users': 'id' }, `${APP}1:2`, 'entries.apps'],
  [{ 'json.numbers': 'text', 'xml.quotes': "'" }, `${ID}1`, 'json.numbers'],
  [{ 'xml.declaration': '', 'xml.type': 'text/xml' }, `Event=Nope${XML}`, '*'],
]

test('the choices that changed the response are named', async ({ withSettings }) => {
  for (const [dialect, group] of Map.groupBy(applied, ([one]) => JSON.stringify(one))) {
    const { url } = await withSettings(JSON.parse(dialect))
    for (const [own, query, choices] of group) {
      const explained = await explain(url, query)
      const all = Object.keys(own).filter((name) => !name.startsWith('LEGACY_'))
      const expected = choices === '*' ? all : choices.split(' ').filter((name) => name !== '')
      const shown = explained.dialect.map(({ choice }) => choice)
      expect.soft(shown.toSorted(), `${dialect} ${query}`).toEqual(expected.toSorted())
    }
  }
})

test('the dialect of the gateway is shown, and each choice with its default', async ({ withSettings }) => {
  const { url } = await withSettings({ 'read.ids': 'cast', 'read.malformed': 'unknown' })
  const { dialect, service } = await explain(url, `${ID}1abc`)
  expect(dialect).toEqual([{ choice: 'read.ids', value: 'cast', default: 'digits' }])
  expect(service.dialect).toEqual([
    { choice: 'read.malformed', value: 'unknown' },
    { choice: 'read.ids', value: 'cast' },
  ])
})

test('names of parameters and events are known in any case', async ({ withSettings }) => {
  const { url } = await withSettings({
    'read.names': 'any case',
    'read.events': 'any case',
    'read.formats': 'any case',
    'json.callback': '{callback}({json})',
  })
  const { request } = await explain(url, 'EVENT=profilelookup&users=x&FORMAT=xml&user=1&callback=cb')
  expect(request).toMatchObject({ event: 'ProfileLookup', format: 'XML' })
  expect(request.parameters.filter(({ known }) => known).map(({ name }) => name)).toEqual([
    'EVENT',
    'users',
    'FORMAT',
    'callback',
  ])
})

describe('an error of the store', () => {
  async function startBroken(sql: string) {
    const gateway = await startGateway()
    onTestFinished(gateway.close)
    const database = new DatabaseSync(gateway.database.path)
    database.exec(sql)
    database.close()
    return gateway
  }

  test('comes after the operation', async () => {
    const { url } = await startBroken('DROP TABLE users')
    expect(await explain(url, `${ID}1`)).toMatchObject({
      operation: { variables: { values: ['1'] } },
      error: { code: 'Unavailable' },
      answer: { status: 503 },
      service: { ready: false, users: null },
    })
  })

  test('has no details of a row that cannot be sent', async () => {
    const gateway = await startBroken(
      `INSERT INTO users VALUES (50, 'p', 'p', NULL, 'P', 1, 9007199254740993, 1, 0)`,
    )
    const explained = await explain(gateway.url, `${ID}50`)
    expect(explained.error?.code).toBe('Internal')
    expect(JSON.stringify(explained)).not.toMatch(/ERR_|out of range|too large|SELECT/i)
    expect(gateway.observations.filter(({ type }) => type === 'unexpected')).toEqual([])
  })
})

test('of thousands of parameters, it shows fifty', async ({ gateway }) => {
  const { request } = await explain(gateway.url, `${APP}1&${'a&'.repeat(30_000)}`)
  expect(request.parameters).toHaveLength(50)
  expect(request.values).toEqual(['1'])
})

test('other requests come between the responses that one explanation makes', async () => {
  const dialect = withValue(withValue(defaultDialect, ['json', 'comma'], ', '), ['json', 'end'], '\n')
  const nothing = () => Promise.reject(new LookupError('NothingFound', ['There is none.']))
  let turns = 0
  let timer = setImmediate(countTurns)
  onTestFinished(() => clearImmediate(timer))
  function countTurns() {
    turns++
    timer = setImmediate(countTurns)
  }
  const { dialect: applied } = await createExplain(dialect, 1, nothing)(`${ID}1`, makeCaller())
  expect(applied.map(({ choice }) => choice)).toEqual(['json.comma', 'json.end'])
  expect(turns).toBeGreaterThan(1)
})

test('it has GET and HEAD', async ({ gateway }) => {
  const head = await fetch(`${gateway.url}/explain?${APP}1`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  const post = await fetch(`${gateway.url}/explain`, { method: 'POST' })
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

test('it is off together with the explorer', async ({ withSettings }) => {
  const { url } = await withSettings({ EXPLORER: 'off' })
  expect((await fetch(`${url}/explain?${APP}1`)).status).toBe(404)
})

test('its values count for the rate limit', async ({ withSettings }) => {
  const { url } = await withSettings({ RATE_LIMIT: '10' })
  const send = () => fetch(`${url}/explain?${APP}1:2:3:4:5:6`)
  // A client that has not used up its values yet is let in.
  expect([(await send()).status, (await send()).status]).toEqual([200, 200])
  const refused = await send()
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})
