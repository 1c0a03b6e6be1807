// How parameters are read: names, events, methods, formats, repeated and missing ones, and paths.

import { describe, expect } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { contracts } from '../../../src/gateway/contracts/index.ts'
import { test } from '../../kit/test.ts'
import { ask, contentTypes, type FormatName, inFormat } from './support/ask.ts'
import { refusalIn } from './support/reply.ts'
import { APP, bodyOf, CHAT, ID, NAME, type Row, type Settings, testRows } from './support/rows.ts'

const METHOD = 'MethodOfAccessingUserInformation'
const P = 'Event=ProfileLookup'
const shown = { LEGACY_UNKNOWN: 'null' }
const html = 'text/html,application/xhtml+xml,*/*;q=0.8'

const byDefault: readonly (readonly [query: string, expected: string])[] = [
  [`${P}&${METHOD}=&Users=1`, '1 → 1'],
  [`${P}&${METHOD}=id&Users=1`, '1 → 1'],
  [`Foo=1&${P}&Foo=2&users=2&Users=1&=&Debug`, '1 → 1'],
  [`x=Event&${P}&y=Users&Users=1`, '1 → 1'],
  [`&&${P}&&Users=1&`, '1 → 1'],
  [`Users=1&${P}`, '1 → 1'],
  ['%45vent=ProfileLookup&%55sers=1', '1 → 1'],
  [`${NAME}a/health:/graphql:..:%2e%2e/&y=/graphql`, ''],
]

/** What a missing, an empty and an unknown event mean. */
const otherEvents: readonly (readonly [value: string, missing: string, empty: string, unknown: string])[] = [
  ['ProfileLookup', '1 → 1', '1 → 1', '1 → 1'],
  ['ProfileLookup-if-missing', '1 → 1', '400 UnknownEvent', '400 UnknownEvent'],
  ['ProfileLookup-if-empty', '1 → 1', '1 → 1', '400 UnknownEvent'],
]

/** The response to an unknown method, and to an empty one. */
const otherMethods: readonly (readonly [value: string, unknown: string, empty: string])[] = [
  ['refuse', '400 UnknownMethod', '1 → 1'],
  ['refuse-empty', '400 UnknownMethod', '400 UnknownMethod'],
  ['id', '1 → 1', '1 → 1'],
  ['username', '1 → null', '1 → null'],
  ['unknown', '1 → null', '1 → null'],
]

/** The lists without values that have a response without entries. */
const noValues = [
  ['refuse', []],
  ['refuse-empty', [`${ID}::`]],
  ['refuse-missing', [`${ID}::`, ID, `${P}&Users`]],
  ['empty', [`${ID}::`, ID, `${P}&Users`, P]],
] as const

describe('in both formats', () => {
  testRows([
    ...byDefault.map(([query, expected]): Row => [{}, query, expected]),
    [{ LEGACY_CHAT_METHOD: 'talk-2' }, `${P}&${METHOD}=talk-2&Users=chat-1001`, 'chat-1001 → 1'],
    [{ LEGACY_CHAT_METHOD: 'talk-2' }, `${CHAT}chat-1001`, '400 UnknownMethod'],
    ...(
      [
        [`event=ProfileLookup&${METHOD.toUpperCase()}=username&uSERS=ada`, 'ada → 1'],
        [`${ID}1&users=2`, '400 RepeatedParameter'],
        ['event=profilelookup&users=1', '400 UnknownEvent'],
        ['%45VENT=AppLookup&Users=1', '400 MissingParameter'],
      ] as const
    ).map(([query, expected]): Row => [{ LEGACY_ANY_CASE: 'parameters' }, query, expected]),
    ...(
      [
        [`Event=PROFILELOOKUP&${METHOD}=UserName&Users=ada`, 'ada → 1'],
        // The exact method wins: here the chat method is ID.
        [`Event=PROFILELOOKUP&${METHOD}=ID&Users=chat-1001`, 'chat-1001 → 1'],
        [`Event=PROFILELOOKUP&${METHOD}=Id&Users=1`, '1 → 1'],
        [`Event=PROFILELOOKUP&${METHOD}=email&Users=1`, '400 UnknownMethod'],
        ['event=ProfileLookup&Users=1', '400 MissingParameter'],
        [`Event=${'ProfileLookup'.repeat(9)}`, '400 UnknownEvent'],
      ] as const
    ).map(
      ([query, expected]): Row => [
        { LEGACY_ANY_CASE: 'events,methods', LEGACY_CHAT_METHOD: 'ID' },
        query,
        expected,
      ],
    ),
    [{ LEGACY_REPEATED: 'last' }, `${ID}1&Users=2`, '2 → 2'],
    [{ LEGACY_REPEATED: 'last' }, `${ID}1&${APP}2`, '2 → 2'],
    [{ LEGACY_REPEATED: 'first' }, `${ID}1&Users=2`, '1 → 1'],
    [{ LEGACY_REPEATED: 'first' }, `${APP}2&${ID}1`, '2 → 2'],
    ...otherMethods.flatMap(([value, unknown, empty]): Row[] => [
      [{ ...shown, LEGACY_OTHER_METHOD: value }, `${P}&${METHOD}=nothing&Users=1`, unknown],
      [{ ...shown, LEGACY_OTHER_METHOD: value }, `${P}&${METHOD}=&Users=1`, empty],
      [{ ...shown, LEGACY_OTHER_METHOD: value }, `${ID}1`, '1 → 1'],
      [{ ...shown, LEGACY_OTHER_METHOD: value }, `${NAME}ada`, 'ada → 1'],
    ]),
    [{ ...shown, LEGACY_OTHER_METHOD: 'id' }, `${P}&${METHOD}=nothing&Users=ada`, '400 MalformedIdentifier'],
    [{ ...shown, LEGACY_OTHER_METHOD: 'username' }, `${P}&${METHOD}=nothing&Users=ada`, 'ada → 1'],
    [{ ...shown, LEGACY_OTHER_METHOD: 'unknown' }, `${P}&${METHOD}=nothing&Users=ada`, 'ada → null'],
    ...otherEvents.flatMap(([value, missing, empty, unknown]): Row[] => [
      [{ LEGACY_OTHER_EVENT: value }, 'Users=1&Apps=2', missing],
      [{ LEGACY_OTHER_EVENT: value }, 'Event=&Users=1&Apps=2', empty],
      [{ LEGACY_OTHER_EVENT: value }, 'Event=Nope&Users=1&Apps=2', unknown],
      [{ LEGACY_OTHER_EVENT: value }, 'Event=profilelookup&Users=1&Apps=2', unknown],
      [{ LEGACY_OTHER_EVENT: value }, `${APP}2&Users=1`, '2 → 2'],
      [{ LEGACY_OTHER_EVENT: value }, `${ID}1&Apps=2`, '1 → 1'],
    ]),
    ...noValues.flatMap(([value, allowed]) => [
      ...[`${ID}::`, ID, `${P}&Users`, P].map(
        (query): Row => [
          { ...shown, LEGACY_NO_VALUES: value },
          query,
          allowed.some((one) => one === query) ? '' : '400 MissingParameter',
        ],
      ),
      [{ ...shown, LEGACY_NO_VALUES: value }, 'Users=1', '400 MissingParameter'] as const,
      [
        { ...shown, LEGACY_NO_VALUES: value },
        `${APP}:`,
        value === 'refuse' ? '400 MissingParameter' : '',
      ] as const,
    ]),
  ])
})

test('a missing event may mean a lookup of apps', async ({ withSettings }) => {
  const { url } = await withSettings({ LEGACY_OTHER_EVENT: 'AppLookup' })
  for (const query of ['Users=1&Apps=2', 'Event=&Apps=2', 'Event=Nope&Apps=2'])
    expect((await ask(url, `/?${query}`)).body, query).toBe(bodyOf(APP, '2 → 2', 'JSON'))
})

test.for<[settings: Settings, formats: Readonly<Record<string, FormatName | null>>]>([
  [{}, { xml: null, json: 'JSON', jSoN: 'JSON', '': 'JSON', YAML: null, '%58M%4C': 'XML' }],
  [{ LEGACY_ANY_CASE: 'formats' }, { xml: 'XML', json: 'JSON', '': 'JSON', YAML: null }],
  [{ LEGACY_OTHER_FORMAT: 'json' }, { xml: 'JSON', XML: 'XML', json: 'JSON', YAML: 'JSON' }],
  [
    { LEGACY_OTHER_FORMAT: 'json', LEGACY_ANY_CASE: 'formats' },
    { Xml: 'XML', YAML: 'JSON' },
  ],
  [{ LEGACY_OTHER_FORMAT: 'xml' }, { JSON: 'JSON', json: 'XML', xml: 'XML', '': 'XML', YAML: 'XML' }],
  [
    { LEGACY_OTHER_FORMAT: 'xml', LEGACY_ANY_CASE: 'formats' },
    { json: 'JSON', YAML: 'XML' },
  ],
])('formats with %j', async ([settings, formats], { withSettings }) => {
  const { url } = await withSettings(settings)
  for (const [value, format] of Object.entries(formats)) {
    const reply = await ask(url, `/?${ID}1&Format=${value}`)
    if (format === null) expect(reply.status, value).toBe(400)
    else expect([reply.status, reply.body], value).toEqual([200, bodyOf(ID, '1 → 1', format)])
    const refused = await ask(url, `/?${ID}x&Format=${value}`)
    expect(refused.headers['content-type'], value).toBe(contentTypes[format ?? 'JSON'])
  }
  expect((await ask(url, `/?${ID}1&format=XML`)).body).toBe(bodyOf(ID, '1 → 1', 'JSON'))
})

test('an error reads the last Format, too, and its name in any case', async ({ withSettings }) => {
  const { url } = await withSettings({ LEGACY_REPEATED: 'last', LEGACY_ANY_CASE: 'parameters' })
  const typeOf = async (query: string) => (await ask(url, `/?${query}`)).headers['content-type']
  expect(await typeOf('Event=Nope&Format=JSON&format=XML&%')).toBe(contentTypes.XML)
  expect(await typeOf('Event=Nope&Format=XML&FORMAT=JSON')).toBe(contentTypes.JSON)
})

test.for<[settings: Settings, target: string, response: 'page' | 'lookup']>([
  [{}, '/', 'page'],
  [{}, '/?utm_source=mail', 'page'],
  [{}, '/?Event=', 'lookup'],
  [{ LEGACY_ANY_CASE: 'parameters' }, '/?event=ProfileLookup&users=1', 'lookup'],
  [{ LEGACY_ANY_CASE: 'parameters' }, '/?events=x', 'page'],
  [{ LEGACY_OTHER_EVENT: 'ProfileLookup-if-missing' }, '/?Users=1', 'lookup'],
  [{ LEGACY_OTHER_EVENT: 'ProfileLookup-if-missing' }, '/?utm_source=mail', 'page'],
])('with %j a browser gets for %s a %s', async ([settings, target, response], { withSettings }) => {
  const { url } = await withSettings(settings)
  const { headers } = await ask(url, target, { headers: { accept: html } })
  const type = { page: 'text/html; charset=utf-8', lookup: contentTypes.JSON }[response]
  expect(headers['content-type']).toBe(type)
})

test('a target may be an absolute URL', async ({ gateway }) => {
  const { body } = await ask(gateway.url, `http://gateway.example${inFormat(`${ID}1`, 'XML')}`)
  expect(body).toBe(bodyOf(ID, '1 → 1', 'XML'))
})

const lookup = `?${ID}1`
const PAGE = '200 page'
const NOWHERE = '404 NotFound'

interface Asking {
  readonly accept?: string
  readonly method?: string
}

test.for<readonly [paths: string, target: string, expected: string, asking?: Asking]>([
  ...['/', '/index.php', '/api/', ''].map((path) => [`/,/index.php,/api/`, path + lookup, '200 1'] as const),
  ['/,/index.php,/api/', `http://gateway/api/${lookup}`, '200 1'],
  ...['/index.php/', '/index.php/x', '/api', '/INDEX.PHP', '/index%2Ephp', '//index.php'].map(
    (path) => [`/,/index.php,/api/`, path + lookup, NOWHERE] as const,
  ),
  ['/,/index.php,/api/', '/index.php?Event=Nope', '400 UnknownEvent'],
  ['/,/index.php,/api/', `/api/${lookup}`, '405 MethodNotAllowed', { method: 'POST' }],
  ['/,/index.php,/api/', '/graphql?query={__typename}', '200 data'],
  ['/index.php', `/index.php?${NAME}søren`, '200 s\\u00f8ren'],
  // The page stays at /.
  ['/index.php', '/', PAGE, { accept: 'text/html' }],
  ['/index.php', '/', NOWHERE],
  ['/index.php', `/${lookup}`, NOWHERE, { accept: 'text/html' }],
  ['/index.php', `/${lookup}`, NOWHERE],
  ['/index.php', '/', NOWHERE, { accept: 'text/html', method: 'POST' }],
  ['/index.php', '/index.php', '400 MissingParameter', { accept: 'text/html' }],
])('LEGACY_PATHS=%s: %s is %s', async ([paths, target, expected, asking = {}], { withSettings }) => {
  const { url } = await withSettings({ LEGACY_PATHS: paths })
  const { accept = '*/*', method = 'GET' } = asking
  const { status, headers, body } = await ask(url, target, { method, headers: { accept } })
  const isPage = headers['content-type']?.startsWith('text/html') === true
  const shown = status === 200 ? /^\{"([^"]+)":/.exec(body)?.[1] : /"Code":"(\w+)"/.exec(body)?.[1]
  expect(`${status} ${isPage ? 'page' : shown}`).toBe(expected)
})

test('without the page, / is as any other path', async ({ withSettings }) => {
  const { url } = await withSettings({ LEGACY_PATHS: '/index.php', EXPLORER: 'off' })
  expect((await ask(url, '/', { headers: { accept: 'text/html' } })).status).toBe(404)
})

test('the page and the error 404 know the paths', async ({ withSettings }) => {
  const { url } = await withSettings({ LEGACY_PATHS: '/a.php,/b/' })
  expect((await ask(url, '/', { headers: { accept: 'text/html' } })).body).toContain('data-lookups="./a.php"')
  const { message } = refusalIn(await ask(url, '/nowhere'), 'JSON')
  expect(message).toBe('There is no such path. Lookups are at /a.php, /b/, GraphQL is at /graphql.')
})

test("the gateway's own paths are refused, and what is no path", async ({ gateway }) => {
  for (const path of [
    '/graphql',
    '/explain',
    ...Object.values(contracts).map(({ file }) => `/schema/${file}`),
  ]) {
    expect((await ask(gateway.url, path)).status).not.toBe(404)
    expect(() => readConfig({ flags: { LEGACY_PATHS: `/,${path}` } })).toThrow(`${path} is the gateway's own`)
  }
  expect(() => readConfig({ flags: { LEGACY_PATHS: 'index.php' } })).toThrow('a path begins with /')
})
