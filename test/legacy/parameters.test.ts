// How parameters are read: names, events, methods, formats, repeated and missing ones, and paths.
// dialects.peers.test.ts compares every combination with PHP.

import { describe, expect } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { contracts } from '../../src/contracts/index.ts'
import { decode } from '../../src/legacy/query-string.ts'
import { test } from '../kit/test.ts'
import { ask, contentTypes, type FormatName, inFormat } from './support/ask.ts'
import { refusalIn } from './support/reply.ts'
import { APP, bodyOf, CHAT, ID, NAME, type Row, type Settings, shown, testRows } from './support/rows.ts'

const METHOD = 'MethodOfAccessingUserInformation'
const P = 'Event=ProfileLookup'
const html = 'text/html,application/xhtml+xml,*/*;q=0.8'

/** The response to a missing, an empty and an unknown event, for each choice that is `users`. */
const otherEvents = [
  [['noEvent', 'emptyEvent', 'otherEvent'], '1 → 1', '1 → 1', '1 → 1'],
  [['noEvent', 'emptyEvent'], '1 → 1', '1 → 1', '400 UnknownEvent'],
] as const

/** The response to an unknown method, and to an empty one. */
const methods: readonly (readonly [value: string, unknown: string, empty: string])[] = [
  ['refuse', '400 UnknownMethod', '400 UnknownMethod'],
  ['username', '1 → null', '1 → null'],
  ['unknown', '1 → null', '1 → null'],
]

describe('in both formats', () => {
  testRows([
    [{}, `Foo=1&x=Event&${P}&Foo=2&users=2&Users=1&=&Debug`, '1 → 1'],
    [{ chatMethod: 'talk-2' }, `${P}&${METHOD}=talk-2&Users=chat-1001`, 'chat-1001 → 1'],
    [{ chatMethod: 'talk-2' }, `${CHAT}chat-1001`, '400 UnknownMethod'],
    ...(
      [
        [`event=ProfileLookup&${METHOD.toUpperCase()}=username&uSERS=ada`, 'ada → 1'],
        [`${ID}1&users=2`, '400 RepeatedParameter'],
        ['event=profilelookup&users=1', '400 UnknownEvent'],
        ['%45VENT=AppLookup&Users=1', '400 MissingParameter'],
      ] as const
    ).map(([query, expected]): Row => [{ 'read.names': 'any case' }, query, expected]),
    ...(
      [
        [`Event=PROFILELOOKUP&${METHOD}=UserName&Users=ada`, 'ada → 1'],
        // The exact method wins: here the chat method is ID.
        [`Event=PROFILELOOKUP&${METHOD}=ID&Users=chat-1001`, 'chat-1001 → 1'],
        [`Event=PROFILELOOKUP&${METHOD}=Id&Users=1`, '1 → 1'],
        [`Event=PROFILELOOKUP&${METHOD}=email&Users=1`, '400 UnknownMethod'],
        ['event=ProfileLookup&Users=1', '400 MissingParameter'],
        [`Event=${'ProfileLookup'.repeat(9)}`, '400 UnknownEvent'],
        // PHP folds the case of ASCII only: the Kelvin sign is no K.
        ['Event=ProfileLoo%E2%84%AAup&Users=1', '400 UnknownEvent'],
      ] as const
    ).map(
      ([query, expected]): Row => [
        { chatMethod: 'ID', 'read.events': 'any case', 'read.methods': 'any case' },
        query,
        expected,
      ],
    ),
    [{ 'read.repeated': 'last' }, `${ID}1&Users=2`, '2 → 2'],
    [{ 'read.repeated': 'first' }, `${ID}1&Users=2`, '1 → 1'],
    ...methods.flatMap(([value, unknown, empty]): Row[] => {
      const settings = { ...shown, 'read.otherMethod': value, 'read.emptyMethod': value }
      return [
        [settings, `${P}&${METHOD}=nothing&Users=1`, unknown],
        [settings, `${P}&${METHOD}=&Users=1`, empty],
      ]
    }),
    ...otherEvents.flatMap(([names, missing, empty, unknown]): Row[] => {
      const settings = Object.fromEntries(names.map((name) => [`read.${name}`, 'users']))
      return [
        [settings, 'Users=1&Apps=2', missing],
        [settings, 'Event=&Users=1&Apps=2', empty],
        [settings, 'Event=Nope&Users=1&Apps=2', unknown],
        [settings, 'Event=profilelookup&Users=1&Apps=2', unknown],
      ]
    }),
  ])
})

test('a missing event may mean a lookup of apps', async ({ withSettings }) => {
  const { url } = await withSettings({
    'read.noEvent': 'apps',
    'read.emptyEvent': 'apps',
    'read.otherEvent': 'apps',
  })
  for (const query of ['Users=1&Apps=2', 'Event=&Apps=2', 'Event=Nope&Apps=2'])
    expect((await ask(url, `/?${query}`)).body, query).toBe(bodyOf(APP, '2 → 2', 'JSON'))
})

test.for<[settings: Settings, formats: Readonly<Record<string, FormatName | null>>]>([
  [{}, { xml: null, json: 'JSON', jSoN: 'JSON', '': 'JSON', YAML: null, '%58M%4C': 'XML' }],
  [
    { 'read.formats': 'any case', 'read.otherFormat': 'json' },
    { Xml: 'XML', YAML: 'JSON' },
  ],
  [
    { 'read.json': 'exact', 'read.emptyFormat': 'xml', 'read.otherFormat': 'xml' },
    { JSON: 'JSON', json: 'XML', xml: 'XML', '': 'XML', YAML: 'XML' },
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
  const { url } = await withSettings({ 'read.names': 'any case', 'read.repeated': 'last' })
  const typeOf = async (query: string) => (await ask(url, `/?${query}`)).headers['content-type']
  expect(await typeOf('Event=Nope&Format=JSON&format=XML&%')).toBe(contentTypes.XML)
  expect(await typeOf('Event=Nope&Format=XML&FORMAT=JSON')).toBe(contentTypes.JSON)
})

test.for<[settings: Settings, target: string, response: 'page' | 'lookup']>([
  [{}, '/', 'page'],
  [{}, '/?utm_source=mail', 'page'],
  [{}, '/?Event=', 'lookup'],
  [{ 'read.names': 'any case' }, '/?event=ProfileLookup&users=1', 'lookup'],
  [{ 'read.names': 'any case' }, '/?events=x', 'page'],
  [{ 'read.noEvent': 'users' }, '/?Users=1', 'lookup'],
  [{ 'read.noEvent': 'users' }, '/?utm_source=mail', 'page'],
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

interface RequestOptions {
  readonly accept?: string
  readonly method?: string
}

test.for<readonly [paths: string, target: string, expected: string, asking?: RequestOptions]>([
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

test('a character that is no byte is not cut to one', () => {
  expect(['\u0141', '\u0125C3', 'x\u0100'].map(decode)).toEqual([null, null, null])
})
