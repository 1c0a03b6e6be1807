// `/explain`: what a legacy request becomes, as data.

import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished } from 'vitest'
import type { Explained } from '../../../src/gateway/explorer/gateway.ts'
import { startGateway } from '../../kit/gateway.ts'
import { test } from '../../kit/test.ts'
import { APP, CHAT, ID, NAME, type Settings } from './support/rows.ts'

async function explain(url: string, query: string): Promise<Explained> {
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
  [{}, `${NAME}nobody&Format=XML`],
  [{}, 'Event=Nothing&Format=XML'],
  [{}, ''],
  [{ LEGACY_JSON_FLAGS: 'unescaped-unicode' }, `${NAME}søren`],
  [{ LEGACY_ERROR_STATUS: '422', LEGACY_ERROR_TEXTS: 'MissingParameter=Users fehlen' }, P],
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
  [{ LEGACY_LOOSE_IDS: 'php' }, `${ID}1abc:1:abc:2`, '1abc|1|abc|2', '1|2', 'abc'],
  [{ LEGACY_LOOSE_IDS: 'exact' }, `${ID}007:7`, '007|7', '7', '007'],
  [{ LEGACY_KEYS: 'id' }, `${ID}07:7:99`, '07|7|99', '07|7|99', '99'],
  [{ LEGACY_ORDER: 'id' }, `${ID}3:99:1`, '3|99|1', '3|99|1', '99'],
  [{ LEGACY_DUPLICATES: 'each' }, `${ID}1:99:1`, '1|99|1', '1|99', '99'],
  [{ LEGACY_USERNAMES: 'exact' }, `${NAME}ada:Ada`, 'ada|Ada', 'ada|Ada', 'ada'],
  [{ LEGACY_USERNAMES: 'trailing-blanks' }, `${NAME}Ada+:+`, 'Ada | ', 'Ada', ' '],
  [{ LEGACY_LIST: 'colon-comma-trimmed' }, `${NAME}Ada+,+x`, 'Ada|x', 'Ada|x', 'x'],
  // The store gets no query if nothing can match.
  [{ LEGACY_LOOSE_IDS: 'php' }, `${ID}abc`, 'abc', '', 'abc'],
])('with %j, %s has the values %s', async ([settings, query, ...lists], { withSettings }) => {
  const [values = [], sent, missing = []] = lists.map((list) => list.split('|').filter((one) => one !== ''))
  const { url } = await withSettings({ LEGACY_UNKNOWN: 'null', LEGACY_MALFORMED: 'unknown', ...settings })
  const explained = await explain(url, query)
  expect(explained).toMatchObject({ request: { values }, answer: { status: 200, missing } })
  expect(explained.answer.found).toBe(values.length - missing.length)
  expect(explained.operation?.variables.values).toEqual(sent)
})

const deprecated = {
  LEGACY_DEPRECATION: '2026-01-01',
  LEGACY_SUNSET: '2030-01-01',
  LEGACY_SUNSET_LINK: 'https://a.example/',
}
const XML = '&Format=XML'
const [ids, unknown] = ['LEGACY_LOOSE_IDS', { LEGACY_MALFORMED: 'unknown' }]

/** The settings that took part in a response, beside those that are `*`. */
const applied: readonly (readonly [settings: Settings, query: string, names: string])[] = [
  [{}, `${ID}1:99${XML}`, ''],
  [{ LEGACY_UNKNOWN: 'omit', LEGACY_MAX_AGE: '0' }, `${APP}99`, ''],
  [{ LEGACY_MAX_AGE: '7' }, `${APP}1`, '*'],
  [deprecated, `${ID}1`, '*'],
  [{ LEGACY_SERVICE_NAME: 'Acme' }, `${APP}1${XML}`, '*'],

  [{ LEGACY_CHAT_METHOD: 'talk' }, `${P}&${METHOD}=talk&Users=chat-1`, '*'],
  [{ LEGACY_CHAT_METHOD: 'talk' }, `${NAME}talk`, ''],
  [{ LEGACY_ANY_CASE: 'parameters,formats' }, 'event=AppLookup&apps=1&Format=xml&Nope=1', '*'],
  [{ LEGACY_REPEATED: 'last' }, `${ID}1&Users=2`, '*'],
  [{ LEGACY_OTHER_FORMAT: 'json' }, `${ID}1&Format=Xml`, '*'],
  [{ LEGACY_OTHER_FORMAT: 'json' }, `${ID}1&Format=json`, ''],
  [{ LEGACY_OTHER_FORMAT: 'xml' }, `${ID}1&Format=json`, '*'],
  [{ LEGACY_OTHER_METHOD: 'id' }, `${P}&${METHOD}=x&Users=1`, '*'],
  [{ LEGACY_OTHER_METHOD: 'id' }, `${P}&${METHOD}=&Users=1`, ''],
  [{ LEGACY_OTHER_METHOD: 'id' }, `${NAME}ada`, ''],
  [{ LEGACY_OTHER_METHOD: 'unknown' }, `${P}&${METHOD}=&Users=1`, '*'],
  [{ LEGACY_OTHER_EVENT: 'ProfileLookup' }, 'Event=x&Users=1', '*'],
  [{ LEGACY_OTHER_EVENT: 'ProfileLookup' }, `${ID}1`, ''],
  [{ LEGACY_OTHER_EVENT: 'ProfileLookup-if-empty' }, 'Event=&Users=1', '*'],
  [{ LEGACY_OTHER_EVENT: 'ProfileLookup-if-missing' }, 'Event=&Users=1', '*'],
  [{ LEGACY_NO_VALUES: 'empty' }, P, '*'],
  [{ LEGACY_NO_VALUES: 'refuse-empty' }, P, '*'],

  [{ LEGACY_LIST: 'colon-comma' }, `${ID}1,2`, '*'],
  [{ LEGACY_LIST: 'colon-comma' }, `${ID}1:2`, ''],
  [{ LEGACY_LIST: 'colon-comma-trimmed' }, `${ID}1:+2`, '*'],
  [{ ...unknown, LEGACY_LOOSE_IDS: 'php' }, `${ID}1abc`, ids],
  [{ ...unknown, LEGACY_LOOSE_IDS: 'php' }, `${ID}007:abc`, ''],
  [{ ...unknown, LEGACY_LOOSE_IDS: 'php' }, `${NAME}1abc`, ''],
  [{ ...unknown, LEGACY_LOOSE_IDS: 'numeric' }, `${ID}1.0`, ids],
  [{ ...unknown, LEGACY_LOOSE_IDS: 'exact' }, `${ID}007`, ids],
  [{ ...unknown, LEGACY_LOOSE_IDS: 'canonical' }, `${ID}007`, `LEGACY_MALFORMED ${ids}`],
  [unknown, `${ID}x`, '*'],
  [unknown, `${NAME}x`, ''],
  [{ LEGACY_MALFORMED: 'drop' }, `${ID}1:abc`, '*'],
  [{ LEGACY_MALFORMED: 'drop' }, `${ID}1:2`, ''],
  [{ LEGACY_USERNAMES: 'exact' }, `${NAME}ada`, '*'],
  [{ LEGACY_USERNAMES: 'exact' }, `${NAME}Ada`, ''],
  [{ LEGACY_USERNAMES: 'trailing-blanks' }, `${NAME}Ada+`, '*'],
  [{ LEGACY_MALFORMED: 'unknown', LEGACY_EMPTY_VALUES: 'keep' }, `${NAME}Ada::x`, 'LEGACY_EMPTY_VALUES'],
  [{ LEGACY_EMPTY_VALUES: 'keep' }, `${ID}1`, ''],
  [{ LEGACY_DUPLICATES: 'each' }, `${ID}1:1${XML}`, '*'],
  [{ LEGACY_DUPLICATES: 'each' }, `${ID}1:1`, ''],
  [{ LEGACY_DUPLICATES: 'each', LEGACY_MAX_VALUES: '1' }, `${ID}1:1`, 'LEGACY_DUPLICATES LEGACY_MAX_VALUES'],
  [{ LEGACY_MAX_VALUES: '1', LEGACY_ERROR_STATUS: '200' }, `${ID}1:2`, '*'],
  [{ LEGACY_TOO_MANY: 'cut', LEGACY_MAX_VALUES: '1' }, `${ID}1:2`, 'LEGACY_TOO_MANY'],
  [{ LEGACY_TOO_MANY: 'cut', LEGACY_MAX_VALUES: '1' }, `${ID}1:1`, ''],

  [{ LEGACY_KEYS: 'read' }, `${ID}07`, '*'],
  [{ LEGACY_KEYS: 'id,chat=asked' }, `${CHAT}chat-1001`, ''],
  [{ LEGACY_KEYS: 'asked,chat=id' }, `${CHAT}chat-1001`, '*'],
  [{ LEGACY_KEYS: 'id' }, `${ID}1`, ''],
  [{ LEGACY_KEYS: 'id', LEGACY_KEYS_XML: 'stored' }, `${NAME}ADA${XML}`, 'LEGACY_KEYS_XML'],
  [{ LEGACY_KEYS: 'id', LEGACY_KEYS_XML: 'stored' }, `${NAME}ADA`, 'LEGACY_KEYS'],
  [{ LEGACY_ORDER: 'id' }, `${ID}2:1`, '*'],
  [{ LEGACY_ORDER: 'id' }, `${ID}2:99`, ''],
  [{ LEGACY_ORDER: 'Username' }, `${APP}1:2`, '*'],
  [{ LEGACY_ORDER: 'id', LEGACY_APPS_ORDER: 'Title' }, `${APP}1:2`, 'LEGACY_APPS_ORDER'],
  [{ LEGACY_ORDER: 'id', LEGACY_APPS_ORDER: 'Title' }, `${ID}1:2`, 'LEGACY_ORDER'],
  [
    { LEGACY_JSON_FLAGS: 'sorted', LEGACY_ORDER: 'id', LEGACY_FIELDS: 'Rank' },
    `${ID}2:1`,
    'LEGACY_JSON_FLAGS',
  ],
  [{ LEGACY_FIELDS: 'Category' }, `${APP}1`, '*'],
  [{ LEGACY_FIELDS: 'Title' }, `${ID}1`, ''],

  [{ LEGACY_UNKNOWN: 'null' }, `${APP}98:99`, '*'],
  [{ LEGACY_UNKNOWN: 'refuse' }, `${ID}1:99`, '*'],
  [{ LEGACY_UNKNOWN: 'refuse' }, `${ID}1`, ''],
  [{ LEGACY_UNKNOWN: 'refuse', LEGACY_UNKNOWN_TEXT: 'No', LEGACY_UNKNOWN_STATUS: '410' }, `${ID}99`, '*'],
  [{ LEGACY_UNKNOWN_STATUS: '410' }, 'Event=Nope', ''],
  [{ LEGACY_UNKNOWN_XML: 'empty-fields' }, `${APP}1:99${XML}`, '*'],
  [{ LEGACY_UNKNOWN: 'omit', LEGACY_UNKNOWN_XML: 'empty' }, `${ID}99${XML}`, 'LEGACY_UNKNOWN_XML'],
  [{ LEGACY_UNKNOWN: 'null', LEGACY_UNKNOWN_XML: 'omit' }, `${ID}99${XML}`, 'LEGACY_UNKNOWN_XML'],
  [{ LEGACY_EMPTY: '[]' }, `${ID}99`, '*'],
  [{ LEGACY_EMPTY: '[]' }, `${ID}1:99`, ''],
  [{ LEGACY_EMPTY: '[]', LEGACY_UNKNOWN: 'null' }, `${ID}0:1`, '*'],
  [{ LEGACY_EMPTY: '[]', LEGACY_UNKNOWN: 'null' }, `${ID}1:0`, 'LEGACY_UNKNOWN'],
  [{ LEGACY_EMPTY: 'none' }, `${ID}99${XML}`, '*'],
  [{ LEGACY_EMPTY: 'refuse' }, `${ID}99`, '*'],
  [{ LEGACY_EMPTY: 'refuse' }, `${ID}1:99`, ''],
  [{ LEGACY_NUMBERS: 'string,Id=number' }, `${ID}1`, '*'],
  [{ LEGACY_NUMBERS: 'string' }, `${ID}1${XML}`, ''],
  [{ LEGACY_BOOLEANS: 'string,strval' }, `${ID}1`, '*'],
  [{ LEGACY_TEXT_ESCAPES: 'compat' }, `${ID}1${XML}`, '*'],
  [{ LEGACY_TEXT_ESCAPES: 'html-json' }, `${ID}1${XML}`, ''],
  [{ LEGACY_JSON_FLAGS: 'numeric-check' }, `${ID}1`, '*'],
  [{ LEGACY_JSON_TYPE: 'text/html' }, 'Event=Nope', '*'],
  [{ LEGACY_XML_ROOT: 'a="1"' }, `${ID}1${XML}`, '*'],
  [
    { LEGACY_XML_STYLE: 'plain', LEGACY_XML_FLAGS: 'cdata,crlf', LEGACY_XML_INDENT: '2' },
    `${APP}1${XML}`,
    '*',
  ],
  [{ LEGACY_XML_DECLARATION: 'omit', LEGACY_XML_TYPE: 'text/xml' }, `Event=Nope${XML}`, '*'],
  [{ LEGACY_ERROR_BODY: 'text', LEGACY_ERROR_STATUS: '422' }, 'Event=Nope', '*'],
  [{ LEGACY_ERROR_BODY: 'text' }, `${ID}1`, ''],
  [{ LEGACY_ERROR_TEXTS: 'MissingParameter=No' }, P, '*'],
  [{ LEGACY_ERROR_TEXTS: 'UnknownEvent=No' }, P, ''],
]

test('the settings that applied are named', async ({ withSettings }) => {
  for (const [settings, group] of Map.groupBy(applied, ([one]) => JSON.stringify(one))) {
    const { url } = await withSettings(JSON.parse(settings))
    for (const [own, query, names] of group) {
      const { dialect } = await explain(url, query)
      const expected = names === '*' ? Object.keys(own) : names.split(' ').filter((name) => name !== '')
      const shown = dialect.map(({ setting }) => setting)
      expect.soft(shown.toSorted(), `${settings} ${query}`).toEqual(expected.toSorted())
      for (const { effect } of dialect) expect.soft(effect).toMatch(/^.+\.$/s)
    }
  }
})

test('names of parameters and events are known in any case', async ({ withSettings }) => {
  const { url } = await withSettings({ LEGACY_ANY_CASE: 'parameters,events,formats' })
  const { request } = await explain(url, 'EVENT=profilelookup&users=x&FORMAT=xml&user=1')
  expect(request).toMatchObject({ event: 'ProfileLookup', format: 'XML' })
  expect(request.parameters.filter(({ known }) => known).map(({ name }) => name)).toEqual([
    'EVENT',
    'users',
    'FORMAT',
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
