// `lookup probe` recovers the dialect of an old service, and a gateway with the settings that it prints sends
// responses of the same meaning.

import { expect, onTestFinished } from 'vitest'
import { compareReplies } from '../../../src/migration/answers/compare.ts'
import { createCall } from '../../../src/stores/old-service/call.ts'
import { startGateway } from '../../kit/gateway.ts'
import type { Switches } from '../../kit/old-service.ts'
import { test } from '../../kit/test.ts'
import { probe, startTwin } from './support.ts'

const M = 'MethodOfAccessingUserInformation'
const P = 'Event=ProfileLookup'
const calls = { timeout: 10_000, connections: 1 }

/** Requests of clients, and their mistakes. */
const queries = [
  ...[
    '1',
    '1:2:99',
    '99&Format=XML',
    '9007199254740991:1:1',
    '::3:',
    '1:abc',
    'abc',
    '02',
    '1:2:3:4:5:6',
    '',
    '::',
  ].map((users) => `${P}&Users=${users}`),
  ...['ada:s%C3%B8ren', 'nobody', 'two+words:salt%26pepper', '%E8%8A%B1%E5%AD%90&Format=XML'].map(
    (users) => `${P}&${M}=username&Users=${users}`,
  ),
  ...['Username', 'CHAT', 'chat', 'talk', 'ID', 'nothing', ''].map(
    (method) => `${P}&${M}=${method}&Users=1:2:Ada:chat-1001`,
  ),
  ...['1', '2:3:4&Format=XML', '99', '70000', ''].map((apps) => `Event=AppLookup&Apps=${apps}`),
  ...['xml', 'Xml', 'json', 'YAML', ''].map((format) => `${P}&Users=1:99&Format=${format}`),
  ...['Event=', 'Event=Nope', 'Event', 'Event=profilelookup', 'event=AppLookup&Format=XML'].map(
    (event) => `${event}&Users=1:99&Apps=1`,
  ),
  `event=ProfileLookup&${M.toLowerCase()}=username&USERS=ada`,
  `${P}&Users=1&Users=2`,
  `${P}&Users=1&Format=JSON&Format=XML`,
  'Event=AppLookup&Event=ProfileLookup&Users=1&Apps=1',
  ...[P, `${P}&Users`, 'Event=AppLookup', 'Event=GroupLookup&Groups=1'],
]

const dialects: readonly (readonly [Switches, Readonly<Record<string, string>>])[] = [
  [
    { paths: ['/'] },
    {
      ...{ LEGACY_UNKNOWN: 'omit', LEGACY_ANY_CASE: 'none', LEGACY_REPEATED: 'last', LEGACY_PATHS: '/' },
      ...{ LEGACY_OTHER_FORMAT: 'json', LEGACY_OTHER_METHOD: 'refuse-empty', LEGACY_NO_VALUES: 'refuse' },
    },
  ],
  [
    { unknown: 'null', chatMethod: 'talk', anyCase: ['parameters'], orderBy: 'ksort' },
    {
      ...{ LEGACY_UNKNOWN: 'null', LEGACY_CHAT_METHOD: 'talk', LEGACY_ANY_CASE: 'parameters' },
      LEGACY_ORDER: 'ksort',
    },
  ],
  [
    {
      unknown: 'list',
      pretty: true,
      xmlDeclaration: false,
      orderBy: 'id DESC',
      appsOrderBy: 'category DESC',
    },
    {
      ...{ LEGACY_UNKNOWN: '[]', LEGACY_JSON_FLAGS: 'pretty', LEGACY_ORDER: 'id desc' },
      ...{ LEGACY_XML_STYLE: 'dom-node', LEGACY_XML_FLAGS: 'newline', LEGACY_XML_INDENT: '2' },
      LEGACY_APPS_ORDER: 'Category desc',
    },
  ],
  [
    { escaped: 'both', naming: 'id', looseIds: true, orderBy: 'username', otherEvent: 'missing' },
    {
      ...{ LEGACY_TEXT_ESCAPES: 'html', LEGACY_KEYS: 'id', LEGACY_LOOSE_IDS: 'numeric' },
      ...{ LEGACY_ORDER: 'Username', LEGACY_OTHER_EVENT: 'ProfileLookup-if-missing' },
    },
  ],
  [
    {
      escaped: 'json',
      naming: 'stored',
      caseSensitive: true,
      orderBy: 'id',
      otherFormat: 'xml',
      repeated: 'refuse',
    },
    {
      ...{ LEGACY_TEXT_ESCAPES: 'html-json', LEGACY_KEYS: 'username', LEGACY_USERNAMES: 'exact' },
      ...{ LEGACY_ORDER: 'id', LEGACY_OTHER_FORMAT: 'xml' },
    },
  ],
  [
    {
      ...{ nothing: 'null', orderBy: 'username COLLATE NOCASE DESC', appsOrderBy: 'title' },
      ...{ otherFormat: 'refuse', repeated: 'first', noValues: 'empty' },
    },
    {
      ...{ LEGACY_EMPTY: 'null', LEGACY_ORDER: 'Username nocase desc', LEGACY_APPS_ORDER: 'Title' },
      ...{ LEGACY_OTHER_FORMAT: 'refuse', LEGACY_REPEATED: 'first', LEGACY_NO_VALUES: 'empty' },
    },
  ],
  [
    { nothing: 'silent', unknown: 'null', maxValues: 20, otherEvent: 'empty', repeated: 'first' },
    {
      ...{ LEGACY_EMPTY: 'none', LEGACY_UNKNOWN: 'null', LEGACY_MAX_VALUES: '20' },
      LEGACY_OTHER_EVENT: 'ProfileLookup-if-empty',
    },
  ],
  [
    { nothing: 'error', unknown: 'null', orderBy: 'display_name', otherMethod: 'id' },
    {
      ...{ LEGACY_EMPTY: 'refuse', LEGACY_UNKNOWN: 'null', LEGACY_UNKNOWN_TEXT: 'Nobody at all' },
      ...{ LEGACY_UNKNOWN_STATUS: '400', LEGACY_ORDER: 'DisplayName', LEGACY_OTHER_METHOD: 'id' },
    },
  ],
  [
    {
      ...{ errorStatus: '200', serviceName: 'Old_1' },
      ...{ anyCase: ['parameters', 'events', 'methods', 'formats'], orderBy: 'join_date' },
    },
    {
      ...{ LEGACY_ERROR_STATUS: '200', LEGACY_SERVICE_NAME: 'Old_1' },
      LEGACY_ORDER: 'JoinDate',
      LEGACY_ANY_CASE: 'parameters,events,methods,formats',
    },
  ],
  [
    { errorStatus: '200', anyCase: ['formats', 'methods'], otherFormat: 'xml', otherMethod: 'username' },
    {
      ...{ LEGACY_ANY_CASE: 'methods,formats', LEGACY_OTHER_FORMAT: 'xml' },
      LEGACY_OTHER_METHOD: 'username',
    },
  ],
  [
    { otherMethod: 'unknown', noValues: 'refuse-missing', unknown: 'null', orderBy: 'join_date DESC' },
    {
      ...{ LEGACY_OTHER_METHOD: 'unknown', LEGACY_NO_VALUES: 'refuse-missing' },
      LEGACY_ORDER: 'JoinDate desc',
    },
  ],
  [
    { repeated: 'refuse', noValues: 'refuse-empty', maxValues: 1, chatMethod: 'talk' },
    {
      ...{ LEGACY_REPEATED: 'refuse', LEGACY_NO_VALUES: 'refuse-empty', LEGACY_MAX_VALUES: '1' },
      ...{ DATABASE_MAX_VALUES: '1', LEGACY_CHAT_METHOD: 'talk' },
    },
  ],
  [
    { otherEvent: 'any', anyCase: ['events'], maxValues: 2, orderBy: 'rank' },
    { LEGACY_OTHER_EVENT: 'ProfileLookup', LEGACY_ANY_CASE: 'events', LEGACY_MAX_VALUES: '2' },
  ],
  [
    { otherEvent: 'any', defaultEvent: 'AppLookup', maxValues: 537, orderBy: 'rank' },
    {
      ...{ LEGACY_OTHER_EVENT: 'AppLookup', LEGACY_MAX_VALUES: '537', DATABASE_MAX_VALUES: '100' },
      LEGACY_ORDER: 'Rank',
    },
  ],
]

/** One that refuses a list with an unknown id: no setting reproduces all of its mistakes. */
const refusing: readonly (readonly [Switches, Readonly<Record<string, string>>])[] = [
  [
    { unknown: 'error', maxValues: 37 },
    {
      ...{ LEGACY_UNKNOWN: 'refuse', LEGACY_UNKNOWN_TEXT: 'Nothing found for {value}' },
      ...{ LEGACY_UNKNOWN_STATUS: '400', LEGACY_MAX_VALUES: '37' },
      LEGACY_MALFORMED: 'reject',
    },
  ],
  [
    { unknown: 'error', otherEvent: 'missing', defaultEvent: 'AppLookup', maxValues: 7 },
    { LEGACY_UNKNOWN: 'refuse', LEGACY_OTHER_EVENT: 'refuse', LEGACY_MAX_VALUES: '7' },
  ],
  [{ unknown: 'error', otherMethod: 'unknown', maxValues: 1 }, { LEGACY_OTHER_METHOD: 'refuse-empty' }],
]

test.for([...dialects, ...refusing])('%j', async ([switches, expected], { place }) => {
  const old = await startTwin(switches)
  const { status, stdout, stderr, settings } = await probe(place, old.url, ['--chats', 'chat-1001,chat-1002'])
  expect(status, stderr).toBe(0)
  expect(settings).toMatchObject(expected)
  expect(stdout).toContain('\n# Works as the store (DATABASE_URL): yes.\n')
  expect(stdout).toContain('\n# Can be copied ("lookup import"): yes.\n')
  if (switches.unknown === 'error') return
  const gateway = await startGateway(settings)
  onTestFinished(gateway.close)
  const [callOld, callNew] = [old, gateway].map(({ url }) => createCall({ url, headers: {} }, calls))
  for (const query of queries) {
    const [was, is] = await Promise.all([callOld?.(query), callNew?.(query)])
    if (was === undefined || is === undefined) throw new Error('both respond')
    expect([query, compareReplies(was, is).differences]).toEqual([query, []])
  }
})
