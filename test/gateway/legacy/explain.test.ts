// `/explain`: what a legacy request becomes, as data.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Explained } from '../../../src/gateway/explorer/gateway.ts'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { corrupt } from '../graphql/execution-support.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

async function explain(query: string, { url }: Gateway = gateway): Promise<Explained> {
  const response = await fetch(`${url}/explain?${query}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store')
  return response.json()
}

async function started(settings: Readonly<Record<string, string>>): Promise<Gateway> {
  const other = await startGateway(settings)
  onTestFinished(other.close)
  return other
}

const settingsOf = ({ dialect }: Explained) => dialect.map(({ setting }) => setting)
const byName = 'Event=ProfileLookup&MethodOfAccessingUserInformation=username'

test('a request, what it became, and what came of it', async () => {
  const explained = await explain(`${byName}&Users=ADA:s%C3%B8ren:nobody::ADA&Format=XML&utm=x`)
  expect(explained).toMatchObject({
    request: {
      event: 'ProfileLookup',
      format: 'XML',
      parameters: [
        { name: 'Event', value: 'ProfileLookup', known: true },
        { name: 'MethodOfAccessingUserInformation', value: 'username', known: true },
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

test('its operation is what GraphQL answers with the same', async () => {
  const { operation } = await explain('Event=AppLookup&Apps=1:99')
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(operation),
  })
  expect(await response.json()).toMatchObject({ data: { entries: [{ title: 'Pocket Almanac' }, null] } })
})

test.each([
  'Event=ProfileLookup&Users=1:2',
  `${byName}&Users=nobody&Format=XML`,
  'Event=Nothing&Format=XML',
  '',
])('status and length are those of the answer to %s', async (query) => {
  const { answer } = await explain(query)
  const response = await fetch(`${gateway.url}/?${query}`)
  expect([response.status, Number(response.headers.get('content-length'))]).toEqual([
    answer.status,
    answer.length,
  ])
})

describe('a refusal', () => {
  test.each([
    ['', 'MissingParameter', null, 1],
    ['Event=profilelookup', 'UnknownEvent', null, 1],
    ['Event=ProfileLookup', 'MissingParameter', 'ProfileLookup', 1],
    ['Event=AppLookup&Apps=1&Apps=2', 'RepeatedParameter', 'AppLookup', 3],
    ['Event=AppLookup&Apps=%FF', 'MalformedQuery', 'AppLookup', 0],
    ['Event=AppLookup&Apps=x', 'MalformedIdentifier', 'AppLookup', 2],
  ])('of %s is in the service\u2019s own words', async (query, code, event, given) => {
    const explained = await explain(query)
    const refused = await (await fetch(`${gateway.url}/?${query}`)).json()
    expect(explained.error).toEqual({ code, message: refused.Error.Message })
    expect(explained).toMatchObject({
      operation: null,
      request: { event, values: [] },
      answer: { status: 400 },
    })
    // An empty query string has one parameter without a name.
    expect(explained.request.parameters.filter(({ name }) => name !== '')).toHaveLength(
      query === '' ? 0 : given,
    )
  })

  test('of the store comes after the operation', async () => {
    const broken = await started({})
    corrupt(broken, 'DROP TABLE users')
    const explained = await explain('Event=ProfileLookup&Users=1', broken)
    expect(explained).toMatchObject({
      operation: { variables: { values: ['1'] } },
      error: { code: 'Unavailable' },
      answer: { status: 503 },
      service: { ready: false, users: null },
    })
  })

  test('for a row that cannot be answered is one fixed text', async () => {
    const poisoned = await started({})
    corrupt(poisoned, `INSERT INTO users VALUES (50, 'p', 'p', NULL, 'P', 1, 9007199254740993, 1, 0)`)
    const explained = await explain('Event=ProfileLookup&Users=50', poisoned)
    expect(explained.error?.code).toBe('Internal')
    expect(JSON.stringify(explained)).not.toMatch(/ERR_|out of range|too large|SELECT/i)
    expect(poisoned.observations.filter(({ type }) => type === 'unexpected')).toEqual([])
  })
})

describe('the settings that applied', () => {
  test.each<[Readonly<Record<string, string>>, string, readonly string[]]>([
    // Those with their default are not said.
    [{}, 'Event=ProfileLookup&Users=1:99&Format=XML', []],
    [{}, 'Event=AppLookup&Apps=x', []],
    [{ LEGACY_UNKNOWN: 'omit', LEGACY_MAX_AGE: '0' }, 'Event=AppLookup&Apps=99', []],
    [{ LEGACY_MALFORMED: 'unknown' }, 'Event=ProfileLookup&Users=x', ['LEGACY_MALFORMED']],
    [{ LEGACY_MALFORMED: 'unknown' }, `${byName}&Users=x`, []],
    [
      { LEGACY_MAX_VALUES: '1', LEGACY_ERROR_STATUS: '200' },
      'Event=ProfileLookup&Users=1:2',
      ['LEGACY_MAX_VALUES', 'LEGACY_ERROR_STATUS'],
    ],
    [
      { LEGACY_CHAT_METHOD: 'messenger', LEGACY_MAX_AGE: '7' },
      'Event=ProfileLookup&MethodOfAccessingUserInformation=messenger&Users=chat-1',
      ['LEGACY_CHAT_METHOD', 'LEGACY_MAX_AGE'],
    ],
    [
      {
        LEGACY_DEPRECATION: '2026-01-01',
        LEGACY_SUNSET: '2030-01-01',
        LEGACY_SUNSET_LINK: 'https://a.example/',
      },
      'Event=ProfileLookup&Users=1',
      ['LEGACY_DEPRECATION', 'LEGACY_SUNSET', 'LEGACY_SUNSET_LINK'],
    ],
  ])('%j: %s', async (settings, query, expected) => {
    expect(settingsOf(await explain(query, await started(settings)))).toEqual(expected)
  })

  test.each<[Readonly<Record<string, string>>, string, string, string]>([
    [
      { LEGACY_MALFORMED: 'unknown' },
      'Event=AppLookup&Apps=x',
      'LEGACY_MALFORMED',
      'A malformed identifier matches nothing.',
    ],
    [
      { LEGACY_MAX_VALUES: '2' },
      'Event=AppLookup&Apps=1:2:3',
      'LEGACY_MAX_VALUES',
      'More than 2 values are refused.',
    ],
    [
      { LEGACY_UNKNOWN_XML: 'empty-fields' },
      'Event=AppLookup&Apps=1:99&Format=XML',
      'LEGACY_UNKNOWN_XML',
      'In XML, values that match nothing become a Data element with empty fields.',
    ],
    [
      { LEGACY_XML_STYLE: 'plain' },
      'Event=AppLookup&Apps=1&Format=XML',
      'LEGACY_XML_STYLE',
      'XML is written as strings and htmlspecialchars make it in PHP.',
    ],
    [
      { LEGACY_XML_FLAGS: 'cdata,crlf' },
      'Event=AppLookup&Apps=1&Format=XML',
      'LEGACY_XML_FLAGS',
      'XML departs from its style: cdata (texts in CDATA sections), crlf (line ends of Windows).',
    ],
    [
      { LEGACY_XML_INDENT: '2' },
      'Event=AppLookup&Apps=1&Format=XML',
      'LEGACY_XML_INDENT',
      'XML has one element on each line.',
    ],
    [
      { LEGACY_XML_DECLARATION: 'omit' },
      'Event=Nothing&Format=XML',
      'LEGACY_XML_DECLARATION',
      'XML has no declaration.',
    ],
    [
      { LEGACY_XML_TYPE: 'text/xml' },
      'Event=Nothing&Format=XML',
      'LEGACY_XML_TYPE',
      'The Content-Type of XML is text/xml.',
    ],
    [
      { LEGACY_UNKNOWN: 'null' },
      'Event=AppLookup&Apps=98:99',
      'LEGACY_UNKNOWN',
      'The 2 values that match nothing are null.',
    ],
    [
      { LEGACY_MAX_AGE: '7' },
      'Event=AppLookup&Apps=1',
      'LEGACY_MAX_AGE',
      'Caches may keep the answer for 7 s.',
    ],
    [
      { LEGACY_SERVICE_NAME: 'Acme' },
      'Event=AppLookup&Apps=1&Format=XML',
      'LEGACY_SERVICE_NAME',
      'The root element is AcmeAPI, and a field is AcmeDownloadLink.',
    ],
  ])('%j: %s says of %s: %s', async (settings, query, setting, effect) => {
    const { dialect } = await explain(query, await started(settings))
    expect(dialect.find((one) => one.setting === setting)?.effect).toBe(effect)
  })

  test('none is named after a value that only looks like its own', async () => {
    const other = await started({ LEGACY_CHAT_METHOD: 'irc' })
    expect(settingsOf(await explain(`${byName}&Users=irc`, other))).toEqual([])
  })

  test('status 200 for errors is told, and is the status', async () => {
    const lenient = await started({ LEGACY_ERROR_STATUS: '200' })
    const explained = await explain('Event=Nothing', lenient)
    expect(explained.answer.status).toBe(200)
    expect(explained.dialect).toEqual([
      { setting: 'LEGACY_ERROR_STATUS', value: '200', effect: 'Errors are answered with status 200.' },
    ])
  })
})

test('of thousands of parameters, it shows some', async () => {
  const { request } = await explain(`Event=AppLookup&Apps=1&${'a&'.repeat(30_000)}`)
  expect(request.parameters).toHaveLength(50)
  expect(request.values).toEqual(['1'])
})

describe('its address', () => {
  test('knows GET and HEAD', async () => {
    const head = await fetch(`${gateway.url}/explain?Event=AppLookup&Apps=1`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const post = await fetch(`${gateway.url}/explain`, { method: 'POST' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('is off together with the explorer', async () => {
    const closed = await started({ EXPLORER: 'off' })
    expect((await fetch(`${closed.url}/explain?Event=AppLookup&Apps=1`)).status).toBe(404)
  })

  test('counts as values for the rate limit', async () => {
    const limited = await started({ RATE_LIMIT: '10' })
    const ask = () => fetch(`${limited.url}/explain?Event=AppLookup&Apps=1:2:3:4:5:6`)
    // A client that has not used up its values yet is let in.
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200])
    const refused = await ask()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
