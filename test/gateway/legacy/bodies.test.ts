// Settings that change the bytes, status or type of a response: errors, what is not found, names, media types.

import { SaxesParser } from 'saxes'
import { describe, expect } from 'vitest'
import { test } from '../../kit/test.ts'
import { ask, contentTypes, inFormat } from './support/ask.ts'
import { refusalIn } from './support/reply.ts'
import { APP, bodyOf, CHAT, errorBodyOf, ID, NAME, type Settings } from './support/rows.ts'

type Row = readonly [settings: Settings, query: string, status: number, json: string, xml: string]

const xml = (content: string, name = 'ServiceAPI') => `<?xml version="1.0"?>\n<${name}>${content}</${name}>\n`
const emptyXml = '<?xml version="1.0"?>\n<ServiceAPI/>\n'
const error = (code: string, message: string): [json: string, xml: string] => [
  errorBodyOf(code, message, 'JSON'),
  errorBodyOf(code, message, 'XML'),
]
const found = (query: string, entries: string): [json: string, xml: string] => [
  bodyOf(query, entries, 'JSON'),
  bodyOf(query, entries, 'XML'),
]

const texts = { LEGACY_ERROR_TEXTS: 'UnknownEvent=No <such> "event"/é;MissingParameter=Nothing given' }
const jsonText = 'No <such> \\"event\\"\\/\\u00e9'
const xmlText = 'No &lt;such&gt; "event"/&#xE9;'
const twoTexts = {
  LEGACY_ERROR_TEXTS: 'MissingParameter=Which users? | Which apps?;UnknownEvent=What? | Whatever?',
}
const ownTexts = {
  LEGACY_ERROR_TEXTS: 'MissingParameter=No users;MissingApps=No apps;MissingEvent=No event',
  LEGACY_ERROR_STATUSES: 'MissingEvent=404;MissingParameter=422',
  LEGACY_ERROR_CODES: 'MissingApps=no_apps;MissingParameter=nothing',
}
const refuse = { LEGACY_UNKNOWN: 'refuse', LEGACY_UNKNOWN_TEXT: 'No user {value}! | No app' }
const refuseAll = { LEGACY_EMPTY: 'refuse', LEGACY_UNKNOWN_TEXT: 'None of {value}' }

const [inJson, inXml] = error('UnknownEvent', 'There is no Event "Nope". Events: ProfileLookup, AppLookup.')

const rows: readonly Row[] = [
  [texts, 'Event=Nope', 400, ...error('UnknownEvent', 'No <such> "event"/é')],
  [
    texts,
    `${APP}1&Apps=2`,
    400,
    ...error('RepeatedParameter', 'The parameter Apps is given more than once. Give it once.'),
  ],
  [
    { ...texts, LEGACY_ERROR_BODY: 'text' },
    'Event=Nope',
    400,
    `{"Error":"${jsonText}"}`,
    xml(`<Error>${xmlText}</Error>`),
  ],
  [
    { ...texts, LEGACY_ERROR_BODY: 'lower-case', LEGACY_JSON_FLAGS: 'pretty,newline,unescaped-slashes' },
    'Event=Nope',
    400,
    '{\n    "error": "No <such> \\"event\\"/\\u00e9"\n}\n',
    xml(`<Error>${xmlText}</Error>`),
  ],
  [
    { ...texts, LEGACY_JSON_FLAGS: 'pretty,unescaped-unicode' },
    'Event=Nope',
    400,
    '{\n    "Error": {\n        "Code": "UnknownEvent",\n        "Message": "No <such> \\"event\\"\\/é"\n    }\n}',
    xml(`<Error><Code>UnknownEvent</Code><Message>${xmlText}</Message></Error>`),
  ],
  [twoTexts, 'Event=ProfileLookup', 400, ...error('MissingParameter', 'Which users?')],
  [twoTexts, 'Event=AppLookup', 400, ...error('MissingParameter', 'Which apps?')],
  [twoTexts, 'Users=1', 400, ...error('MissingParameter', 'Which users?')],
  [twoTexts, 'Event=Nope&Apps=1', 400, ...error('UnknownEvent', 'What?')],
  [ownTexts, 'Event=ProfileLookup', 422, ...error('nothing', 'No users')],
  [ownTexts, 'Users=1', 404, ...error('nothing', 'No event')],
  [ownTexts, 'Event=AppLookup', 422, ...error('no_apps', 'No apps')],
  [
    { ...texts, LEGACY_ERROR_STATUS: '200' },
    'Event=ProfileLookup',
    200,
    ...error('MissingParameter', 'Nothing given'),
  ],
  [
    { ...texts, LEGACY_ERROR_STATUS: '200', LEGACY_ERROR_STATUSES: 'UnknownEvent=404' },
    'Event=Nope',
    404,
    ...error('UnknownEvent', 'No <such> "event"/é'),
  ],

  [refuse, `${ID}1:2`, 200, ...found(ID, '1 → 1, 2 → 2')],
  [refuse, `${ID}1:999:998`, 404, ...error('NothingFound', 'No user 999!')],
  [refuse, `${APP}999`, 404, ...error('NothingFound', 'No app')],
  [{ LEGACY_UNKNOWN: 'refuse' }, `${ID}999:1`, 404, ...error('NothingFound', 'Not found')],
  [{ ...refuse, LEGACY_UNKNOWN_STATUS: '200' }, `${ID}9:999`, 200, ...error('NothingFound', 'No user 999!')],
  [{ ...refuse, LEGACY_ERROR_STATUS: '422' }, `${ID}999`, 422, ...error('NothingFound', 'No user 999!')],
  [
    { ...refuse, LEGACY_ERROR_STATUS: '200', LEGACY_UNKNOWN_STATUS: '410' },
    `${ID}999`,
    410,
    ...error('NothingFound', 'No user 999!'),
  ],
  [refuse, NAME + 'a'.repeat(9000), 404, ...error('NothingFound', `No user ${'a'.repeat(60)}…!`)],
  [refuseAll, `${ID}1:999`, 200, ...found(ID, '1 → 1')],
  [refuseAll, `${ID}998:0999`, 404, ...error('NothingFound', 'None of 998:0999')],
  [{ ...refuseAll, LEGACY_UNKNOWN: 'null' }, `${ID}1:999`, 200, ...found(ID, '1 → 1, 999 → null')],
  [{ ...refuseAll, LEGACY_UNKNOWN: 'null' }, `${ID}999`, 404, ...error('NothingFound', 'None of 999')],
  [{ LEGACY_EMPTY: 'none' }, `${ID}998:999`, 200, '', ''],
  [{ LEGACY_EMPTY: 'none', LEGACY_UNKNOWN: 'null' }, `${ID}998:999`, 200, '', ''],
  [{ LEGACY_EMPTY: 'none' }, `${ID}1:999`, 200, ...found(ID, '1 → 1')],
  [{ LEGACY_EMPTY: '[]' }, `${ID}999`, 200, '[]', emptyXml],
  [{ LEGACY_EMPTY: 'null', LEGACY_JSON_FLAGS: 'newline' }, `${ID}999`, 200, 'null\n', emptyXml],
  [
    { LEGACY_EMPTY: '[]', LEGACY_UNKNOWN: 'null' },
    `${APP}0:99`,
    200,
    '{"0":null,"99":null}',
    xml('<Data Value="0"/><Data Value="99"/>'),
  ],
  [
    { LEGACY_EMPTY: '[]', LEGACY_UNKNOWN: 'null' },
    `${CHAT}0:1`,
    200,
    '[null,null]',
    xml('<Data Value="0"/><Data Value="1"/>'),
  ],
  [{ LEGACY_UNKNOWN: 'null', LEGACY_UNKNOWN_XML: 'omit' }, `${APP}999`, 200, '{"999":null}', emptyXml],
  [
    { LEGACY_UNKNOWN: 'error', LEGACY_UNKNOWN_TEXT: 'No {value}' },
    `${ID}99`,
    200,
    '{"99":{"Error":"No 99"}}',
    xml('<Data Value="99"/>'),
  ],
  [{ LEGACY_UNKNOWN: '{"gone":true}' }, `${ID}99`, 200, '{"99":{"gone":true}}', xml('<Data Value="99"/>')],

  [
    { LEGACY_SERVICE_NAME: 'Acme_2' },
    `${APP}70000`,
    200,
    '{"70000":{"Title":"Ledger","Version":"2026.11.3","Category":4,' +
      '"ChangelogLink":"https:\\/\\/apps.example\\/ledger\\/changelog",' +
      '"Acme_2DownloadLink":"https:\\/\\/apps.example\\/download\\/70000\\/"}}',
    xml(
      '<Data Value="70000"><Title>Ledger</Title><Version>2026.11.3</Version><Category>4</Category>' +
        '<ChangelogLink>https://apps.example/ledger/changelog</ChangelogLink>' +
        '<Acme_2DownloadLink>https://apps.example/download/70000/</Acme_2DownloadLink></Data>',
      'Acme_2API',
    ),
  ],
  [{ LEGACY_SERVICE_NAME: 'Acme_2' }, `${APP}999`, 200, '{}', '<?xml version="1.0"?>\n<Acme_2API/>\n'],
  [{ LEGACY_SERVICE_NAME: 'Acme_2' }, 'Event=Nope', 400, inJson, inXml.replaceAll('ServiceAPI', 'Acme_2API')],
]

const groups = Map.groupBy(rows, ([settings]) => JSON.stringify(settings))
test.for([...groups.values()].map((group) => [group[0]?.[0] ?? {}, group] as const))(
  '%j',
  async ([settings, group], { withSettings }) => {
    const { url } = await withSettings(settings)
    for (const [, query, status, ...bodies] of group)
      for (const [at, format] of (['JSON', 'XML'] as const).entries()) {
        const reply = await ask(url, inFormat(query, format))
        const body = Buffer.from(reply.body, 'latin1').toString()
        expect.soft([reply.status, body], `${query.slice(0, 200)} in ${format}`).toEqual([status, bodies[at]])
        expect.soft(reply.headers['content-type'], query.slice(0, 200)).toBe(contentTypes[format])
        expect.soft(reply.headers['content-length']).toBe(String(reply.body.length))
        const isError = status >= 400 || /"Error":\{"Code"|<Error><Code>/.test(body)
        expect.soft(reply.headers['cache-control'] === 'no-store', query).toBe(isError)
        expect.soft(reply.headers.etag === undefined, query).toBe(isError)
      }
  },
)

test('an empty body has an ETag', async ({ withSettings }) => {
  const { url } = await withSettings({ LEGACY_EMPTY: 'none' })
  const { headers } = await ask(url, `/?${ID}999`)
  const again = await ask(url, `/?${ID}999`, { headers: { 'If-None-Match': headers.etag ?? '' } })
  expect(again).toMatchObject({ status: 304, body: '' })
})

const TEXT_TYPE = 'text/plain; charset=utf-8'
const HTML_TYPE = 'text/html; charset=utf-8'
const detail = { LEGACY_ERROR_BODY: '{"detail": "{message}"}' }
const XML_QUERY = 'Event=Nope&Format=XML'

describe('templates of errors', () => {
  test.for<[settings: Settings, query: string, type: string, body: string]>([
    [detail, 'Event=Nope', contentTypes.JSON, '{"detail": "No <such> \\"event\\" \\u00e9"}'],
    [detail, XML_QUERY, contentTypes.JSON, '{"detail": "No <such> \\"event\\" \\u00e9"}'],
    [
      { ...detail, LEGACY_ERROR_BODY_XML: 'text' },
      XML_QUERY,
      contentTypes.XML,
      xml('<Error>No &lt;such&gt; "event" &#xE9;</Error>'),
    ],
    [
      { LEGACY_ERROR_BODY_XML: '<Error><Message>{message}</Message></Error>' },
      XML_QUERY,
      contentTypes.XML,
      '<Error><Message>No &lt;such&gt; "event" &#xE9;</Message></Error>',
    ],
    [{ LEGACY_ERROR_BODY_XML: '{"e":"{code}"}' }, XML_QUERY, contentTypes.JSON, '{"e":"UnknownEvent"}'],
    [{ LEGACY_ERROR_BODY: 'ERROR: {message}' }, 'Event=Nope', TEXT_TYPE, 'ERROR: No <such> "event" é'],
    [
      { LEGACY_ERROR_BODY: 'ERROR: {message}', LEGACY_ERROR_TYPE: 'text/html' },
      XML_QUERY,
      'text/html',
      'ERROR: No &lt;such&gt; &quot;event&quot; é',
    ],
    [
      { LEGACY_ERROR_BODY: '<html>\\n<p title="{code}">{message}</p>\\r\\n</html>' },
      'Event=Nope',
      HTML_TYPE,
      '<html>\n<p title="UnknownEvent">No &lt;such&gt; &quot;event&quot; é</p>\r\n</html>',
    ],
    [{ LEGACY_ERROR_BODY: 'none' }, XML_QUERY, TEXT_TYPE, ''],
    [
      {
        LEGACY_ERROR_BODY: '{\\n  "status": {status},\\n  "code": "{code}"\\n}',
        LEGACY_ERROR_CODES: 'UnknownEvent=no_event',
        LEGACY_ERROR_STATUSES: 'UnknownEvent=404',
      },
      'Event=Nope',
      contentTypes.JSON,
      '{\n  "status": 404,\n  "code": "no_event"\n}',
    ],
  ])('%j for %s', async ([settings, query, type, body], { withSettings }) => {
    const { url } = await withSettings({
      LEGACY_ERROR_TEXTS: 'UnknownEvent=No <such> "event" é',
      ...settings,
    })
    const response = await fetch(`${url}/?${query}`)
    expect(response.status).toBe('LEGACY_ERROR_STATUSES' in settings ? 404 : 400)
    expect(response.headers.get('content-type')).toBe(type)
    // Nothing can run in a page.
    const policy = type.startsWith('text/html') ? "default-src 'none'; sandbox" : null
    expect(response.headers.get('content-security-policy')).toBe(policy)
    expect(await response.text()).toBe(body)
  })

  test.for<[settings: Settings, query: string, escaped: string]>([
    [{ LEGACY_ERROR_BODY: '{message}', LEGACY_ERROR_TYPE: 'text/html' }, 'Event=<script>', '&lt;script&gt;'],
    [
      {
        ...refuseAll,
        LEGACY_UNKNOWN_TEXT: '{value}',
        LEGACY_ERROR_BODY: '{message}',
        LEGACY_ERROR_TYPE: 'text/xml',
      },
      `${NAME}%3Cscript%20src=%22//a.b%22/%3E`,
      '&lt;script src=',
    ],
  ])('with %j, the markup of %s is escaped', async ([settings, query, escaped], { withSettings }) => {
    const { url } = await withSettings(settings)
    const { body } = await ask(url, `/?${query}`)
    expect(body).toContain(escaped)
    expect(body).not.toContain('<script')
  })

  test.for([
    `<e a="{message}" b='{message}'>{message}</e>`,
    '<?xml version="1.0"?>\\n<e a="{message}"/>',
    "<e\\n  a='{code}: {message}'/>",
  ])('what a client sent stays in its attribute: %s', async (template, { withSettings }) => {
    const sent = `%22 x='1' &%01%EF%BF%BE<b>é`.replaceAll(' ', '+').replaceAll('&', '%26')
    for (const style of ['simplexml', 'dom', 'dom-node', 'xmlwriter', 'plain']) {
      const { url } = await withSettings({ LEGACY_ERROR_BODY: template, LEGACY_XML_STYLE: style })
      const body = await (await fetch(`${url}/?Event=${sent}`)).text()
      const attributes: Record<string, string>[] = []
      const parser = new SaxesParser<{ xmlns: false }>()
      parser.on('error', (problem) => expect.unreachable(`${problem.message}: ${body}`))
      parser.on('opentag', (tag) => void attributes.push(tag.attributes))
      parser.write(body).close()
      expect(attributes).toHaveLength(1)
      expect(attributes[0]?.a).toContain(`"" x='1' &\ufffd\ufffd<b>é"`)
    }
  })
})

describe('media types', () => {
  const policy = "default-src 'none'; sandbox"
  test.for<[settings: Settings, query: string, type: string, policy: string | undefined]>([
    [{ LEGACY_JSON_TYPE: 'text/javascript' }, `${ID}1`, 'text/javascript', undefined],
    [{ LEGACY_JSON_TYPE: 'text/javascript' }, 'Event=Nope', 'text/javascript', undefined],
    [{ LEGACY_JSON_TYPE: 'text/javascript' }, `${ID}1&Format=XML`, contentTypes.XML, undefined],
    [{ LEGACY_JSON_TYPE: 'text/html; charset=UTF-8' }, `${ID}1`, 'text/html; charset=UTF-8', policy],
    [{ LEGACY_JSON_TYPE: 'text/html; charset=UTF-8' }, 'Event=%3Cb%3E', 'text/html; charset=UTF-8', policy],
    [{ LEGACY_XML_TYPE: 'text/xml' }, `${ID}1&Format=XML`, 'text/xml', undefined],
    [{ LEGACY_XML_TYPE: 'text/xml' }, '%&Format=XML', 'text/xml', undefined],
    [{ LEGACY_XML_TYPE: 'text/xml' }, `${ID}1`, contentTypes.JSON, undefined],
  ])('with %j, %s has %s', async ([settings, query, type, expected], { withSettings }) => {
    const { url } = await withSettings(settings)
    const { headers } = await ask(url, `/?${query}`)
    expect(headers).toMatchObject({ 'content-type': type, 'x-content-type-options': 'nosniff' })
    expect(headers['content-security-policy']).toBe(expected)
  })
})

describe('one status for all errors', () => {
  test.for<[query: string, method: string, code: string]>([
    ['Event=Nope', 'GET', 'UnknownEvent'],
    ['%', 'GET', 'MalformedQuery'],
    [`${ID}1`, 'POST', 'MethodNotAllowed'],
    [ID + '1'.repeat(66_000), 'GET', 'TooLongTarget'],
    [ID + '1'.repeat(200_000), 'GET', 'TooLongTarget'],
  ])('%#: 200', async ([query, method, code], { withSettings }) => {
    const { url } = await withSettings({ LEGACY_ERROR_STATUS: '200' })
    for (const format of ['JSON', 'XML'] as const) {
      const reply = await ask(url, inFormat(query, format), { method })
      expect([reply.status, refusalIn(reply, format).code]).toEqual([200, code])
      expect(reply.headers).toMatchObject({ 'cache-control': 'no-store' })
    }
  })
})

test('GraphQL has its own forms, whatever the settings', async ({ withSettings }) => {
  const settings = { LEGACY_UNKNOWN: 'refuse', LEGACY_ERROR_BODY: 'text', LEGACY_NUMBERS: 'string' }
  const { url } = await withSettings(settings)
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ users(values: ["1", "999"]) { rank banned } }' }),
  })
  expect(await response.json()).toEqual({ data: { users: [{ rank: 9, banned: false }, null] } })
})
