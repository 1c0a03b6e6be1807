// Settings that change the bytes, status or type of a response: errors, what is not found, names, media
// types.

import { SaxesParser } from 'saxes'
import { describe, expect } from 'vitest'
import { test } from '../kit/test.ts'
import { ask, contentTypes, inFormat } from './support/ask.ts'
import { refusalIn } from './support/reply.ts'
import { APP, bodyOf, errorBodyOf, ID, NAME, type Settings, shown } from './support/rows.ts'

type Row = readonly [settings: Settings, query: string, status: number, json: string, xml: string]

const xml = (content: string) => `<?xml version="1.0"?>\n<ServiceAPI>${content}</ServiceAPI>\n`
const emptyXml = '<?xml version="1.0"?>\n<ServiceAPI/>\n'
const error = (code: string, message: string): [json: string, xml: string] => [
  errorBodyOf(code, message, 'JSON'),
  errorBodyOf(code, message, 'XML'),
]
const found = (query: string, entries: string): [json: string, xml: string] => [
  bodyOf(query, entries, 'JSON'),
  bodyOf(query, entries, 'XML'),
]

const reply = (status: number, type: string, body: string) => ({ status, type, body })
const json = (status: number, body: string) => reply(status, contentTypes.JSON, body)
const markup = (status: number, body: string) => reply(status, contentTypes.XML, body)

const noUser = {
  'read.missing': 'refuse',
  'errors.replies.missingUser.json': json(404, '{"e":"No user {value}!"}'),
  'errors.replies.missingUser.xml': markup(404, '<e v="{value}">No user {value}!</e>'),
}
const none = {
  'nothing.users.json': json(404, '"None like {value}"'),
  'nothing.users.xml': markup(404, '<none>{value}</none>'),
}
const other = {
  'errors.other.json': json(422, '{"code":"{code}","text":"{message}"}'),
  'errors.other.xml': markup(422, '<e code="{code}">{message}</e>'),
}
const noEvent = 'There is no Event \\"é<\\". Events: ProfileLookup, AppLookup.'

const [noAppJson, noAppXml] = error(
  'MalformedIdentifier',
  '"x" is not a numeric identifier (digits only, up to 9007199254740991).',
)

const rows: readonly Row[] = [
  [
    { 'errors.replies.otherEvent.json': json(404, '{"no":"{value}"}') },
    'Event=%C3%A9%3C/',
    404,
    // Without a reply for XML, that for JSON is sent.
    ...(['{"no":"\\u00e9<\\/"}', '{"no":"\\u00e9<\\/"}'] as const),
  ],
  [
    { 'errors.replies.noUsers.json': json(200, '{}'), 'errors.replies.noUsers.xml': markup(200, '<none/>') },
    'Event=ProfileLookup',
    200,
    '{}',
    '<none/>',
  ],
  [
    other,
    'Event=%C3%A9%3C',
    422,
    `{"code":"UnknownEvent","text":"${noEvent.replace('é', '\\u00e9')}"}`,
    '<e code="UnknownEvent">There is no Event "&#xE9;&lt;". Events: ProfileLookup, AppLookup.</e>',
  ],
  [
    { ...noUser, 'errors.valuesInJson': 'plain', 'errors.valuesInXml': 'letters plain' },
    `${NAME}%C3%A9%22`,
    404,
    '{"e":"No user é"!"}',
    '<e v="&#xE9;&quot;">No user é"!</e>',
  ],
  [noUser, `${ID}1:2`, 200, ...found(ID, '1 → 1, 2 → 2')],
  [noUser, `${ID}1:999:998`, 404, '{"e":"No user 999!"}', '<e v="999">No user 999!</e>'],
  [noUser, `${APP}999`, 404, ...error('NothingFound', 'There is no app 999.')],
  [none, `${ID}1:999`, 200, ...found(ID, '1 → 1')],
  [none, `${ID}998:0999`, 404, '"None like 998"', '<none>998</none>'],
  [{ ...none, ...shown }, `${ID}1:999`, 200, ...found(ID, '1 → 1, 999 → null')],
  [{ ...none, ...shown }, `${ID}999`, 404, '"None like 999"', '<none>999</none>'],
  [
    { 'missing.json': '{"Error":"No {value}"}', 'missing.xml': '<Gone>{value}</Gone>' },
    `${NAME}%C3%A9%3C`,
    200,
    '{"\\u00e9<":{"Error":"No \\u00e9<"}}',
    xml('<Gone>&#xE9;&lt;</Gone>'),
  ],
  // The value of a client is escaped, even if fields of rows are not.
  [
    { 'missing.json': '0', 'missing.xml': "<Gone v='{value}'>{value}</Gone>", 'xml.markup': 'plain' },
    `${NAME}'%3C`,
    200,
    '{"\'<":0}',
    xml("<Gone v='&#039;&lt;'>'&lt;</Gone>"),
  ],
  [{ 'missing.users.json': '0', 'missing.apps.json': '1' }, `${APP}999`, 200, '{"999":1}', emptyXml],

  [{ 'xml.root': 'list a="é€"' }, `${APP}999`, 200, '{}', '<?xml version="1.0"?>\n<list a="é€"/>\n'],
  [{ 'xml.before': '\ufeff' }, `${APP}999`, 200, '{}', `\ufeff${emptyXml}`],
  [{ 'xml.before': '\ufeff' }, `${APP}x`, 400, noAppJson, `\ufeff${noAppXml}`],
  [
    { serviceName: 'Acme_2', 'json.indent': '  ', 'json.colon': ': ', 'xml.line': '\n', 'xml.indent': ' ' },
    'Event=Nope',
    400,
    '{\n  "Error": {\n    "Code": "UnknownEvent",\n    "Message": "There is no Event \\"Nope\\". Events: ProfileLookup, AppLookup."\n  }\n}',
    '<?xml version="1.0"?>\n<Acme_2API>\n <Error>\n  <Code>UnknownEvent</Code>\n' +
      '  <Message>There is no Event "Nope". Events: ProfileLookup, AppLookup.</Message>\n </Error>\n</Acme_2API>\n',
  ],
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
        const type = body.startsWith('{"no"') ? contentTypes.JSON : contentTypes[format]
        expect.soft(reply.headers['content-type'], query.slice(0, 200)).toBe(type)
        expect.soft(reply.headers['content-length']).toBe(String(reply.body.length))
      }
  },
)

test('a recorded response has an ETag with status 200; an error is not cached', async ({ withSettings }) => {
  const send = async (settings: Settings, etag: string) => {
    const { url } = await withSettings(settings)
    return ask(url, `/?${ID}999`, { headers: { 'If-None-Match': etag } })
  }
  const empty = { 'nothing.users.json': json(200, '') }
  const { headers } = await send(empty, '')
  expect(await send(empty, headers.etag ?? '')).toMatchObject({ status: 304, body: '' })
  expect((await send({ 'nothing.users.json': json(404, '') }, '*')).status).toBe(404)
  const refused = await send(noUser, '*')
  expect([refused.headers['cache-control'], refused.headers.etag]).toEqual(['no-store', undefined])
})

describe('recorded pages', () => {
  const hostile = `"' x='1' &\x01\ufffe<script>é`

  test.for(['text/html', 'text/xml', 'image/svg+xml', 'application/xhtml+xml'])(
    'of type %s do not run what a client sent',
    async (type, { withSettings }) => {
      for (const body of ['No {value}', '<p title="{value}">{value}</p>', "<p title='{value}'/>"]) {
        const settings = {
          'errors.replies.otherEvent.json': reply(400, type, body),
          'errors.valuesInXml': 'plain',
        }
        const raw = await withSettings({
          ...settings,
          'errors.valuesInXml': 'as texts',
          'xml.markup': 'plain',
        })
        expect((await ask(raw.url, `/?Event=${encodeURIComponent(hostile)}`)).body).not.toContain('<script')
        const { url } = await withSettings(settings)
        const sent = await ask(url, `/?Event=${encodeURIComponent(hostile)}`)
        expect(sent.body).not.toContain('<script')
        expect(sent.body).not.toContain(`' x='`)
        const policy = /html|svg/.test(type) ? "default-src 'none'; sandbox" : undefined
        expect(sent.headers['content-security-policy']).toBe(policy)
      }
    },
  )

  test.for(['hexadecimal', 'decimal', 'plain', 'decimal beyond Latin-1', 'decimal beyond U+FFFF'])(
    'keep it in its attribute, with letters %s',
    async (letters, { withSettings }) => {
      const body = `<e a="{value}" b='{value}'>{value}</e>`
      const { url } = await withSettings({
        'errors.replies.otherEvent.json': reply(400, 'text/xml', body),
        'xml.lettersInValues': letters,
        'xml.lettersInTexts': letters,
      })
      const sent = await (await fetch(`${url}/?Event=${encodeURIComponent(hostile)}`)).text()
      const attributes: Record<string, string>[] = []
      const parser = new SaxesParser<{ xmlns: false }>()
      parser.on('error', (problem) => expect.unreachable(`${problem.message}: ${sent}`))
      parser.on('opentag', (tag) => void attributes.push(tag.attributes))
      parser.write(sent).close()
      const shown = hostile.replace(/[\x01\ufffe]/g, '\ufffd')
      expect(attributes).toEqual([{ a: shown, b: shown }])
    },
  )
})

test.for<[settings: Settings, query: string, body: string]>([
  [{ 'json.callback': '{callback}({json});' }, `${APP}99&callback=a.b`, 'a.b({});'],
  [{ 'json.callback': '{callback}({json});' }, `${APP}99&callback=%3Cb%3E`, '{}'],
  [{}, `${APP}99&callback=cb`, '{}'],
  [
    { 'json.before': ")]}',\n", 'errors.replies.otherEvent.json': json(400, `)]}',\n{"no":"{value}"}`) },
    'Event=%22',
    `)]}',\n{"no":"\\""}`,
  ],
  [{ 'json.callback': 'self.{callback} && {callback}({json})' }, `${APP}99&callback=cb`, 'self.cb && cb({})'],
  [
    { 'json.callback': 'é({json})', 'json.before': 'é€', 'json.charset': 'iso-8859-1', 'json.end': '\r\n' },
    `${APP}99&callback=cb`,
    '\xe9({})',
  ],
  [
    { 'json.charset': 'iso-8859-1', 'json.letters': 'plain' },
    'Event=%C3%A9',
    'There is no Event \\"\xe9\\".',
  ],
  [
    { 'xml.charset': 'windows-1252', 'xml.lettersInTexts': 'plain' },
    'Event=%E2%82%AC&Format=XML',
    'There is no Event "\x80".',
  ],
])('with %j, %s has the bytes %j', async ([settings, query, body], { withSettings }) => {
  const { url } = await withSettings(settings)
  expect((await ask(url, `/?${query}`)).body).toContain(body)
})

describe('media types', () => {
  const policy = "default-src 'none'; sandbox"
  test.for<[settings: Settings, query: string, type: string, policy: string | undefined]>([
    [{ 'json.type': 'text/javascript' }, `${ID}1`, 'text/javascript', undefined],
    [{ 'json.type': 'text/javascript' }, 'Event=Nope', 'text/javascript', undefined],
    [{ 'json.type': 'text/html; charset=UTF-8' }, `${ID}1`, 'text/html; charset=UTF-8', policy],
    [{ 'xml.type': 'text/xml' }, `${ID}1&Format=XML`, 'text/xml', undefined],
    [{ 'xml.type': 'text/xml' }, '%&Format=XML', 'text/xml', undefined],
    [{ 'xml.markup': 'plain' }, `${ID}1&Format=XML`, contentTypes.XML, policy],
    [{ 'xml.markup': 'plain' }, `${ID}1`, contentTypes.JSON, undefined],
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
    const { url } = await withSettings({ errors: { status: 200 } })
    for (const format of ['JSON', 'XML'] as const) {
      const reply = await ask(url, inFormat(query, format), { method })
      expect([reply.status, refusalIn(reply, format).code]).toEqual([200, code])
      expect(reply.headers).toMatchObject({ 'cache-control': 'no-store' })
    }
  })
})

test('GraphQL has its own forms, whatever the settings', async ({ withSettings }) => {
  const settings = {
    'read.missing': 'refuse',
    'json.ids': 'text',
    'json.numbers': 'text',
    'errors.other.json': json(400, '{message}'),
  }
  const { url } = await withSettings(settings)
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ users(values: ["1", "999"]) { rank banned } }' }),
  })
  expect(await response.json()).toEqual({ data: { users: [{ rank: 9, banned: false }, null] } })
})
