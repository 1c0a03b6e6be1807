// Errors as the old service had them: their body, status and texts.

import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../../kit/gateway.ts'
import { ask, inFormat } from './support/ask.ts'

async function started(settings: Readonly<Record<string, string>>) {
  const gateway = await startGateway(settings)
  onTestFinished(gateway.close)
  return gateway
}

const texts = 'UnknownEvent=No <such> "event"/é;MissingParameter=Users fehlen'
const inXml = (error: string) => `<?xml version="1.0"?>\n<ServiceAPI>${error}</ServiceAPI>\n`

test.for<[Readonly<Record<string, string>>, json: string, xml: string]>([
  [
    {},
    '{"Error":{"Code":"UnknownEvent","Message":"No <such> \\"event\\"\\/\\u00e9"}}',
    '<Error><Code>UnknownEvent</Code><Message>No &lt;such&gt; "event"/&#xE9;</Message></Error>',
  ],
  [
    { LEGACY_ERROR_BODY: 'text' },
    '{"Error":"No <such> \\"event\\"\\/\\u00e9"}',
    '<Error>No &lt;such&gt; "event"/&#xE9;</Error>',
  ],
  [
    { LEGACY_ERROR_BODY: 'lower-case', LEGACY_JSON_FLAGS: 'pretty,newline,unescaped-slashes' },
    '{\n    "error": "No <such> \\"event\\"/\\u00e9"\n}\n',
    '<Error>No &lt;such&gt; "event"/&#xE9;</Error>',
  ],
  [
    { LEGACY_JSON_FLAGS: 'pretty,unescaped-unicode' },
    '{\n    "Error": {\n        "Code": "UnknownEvent",\n        "Message": "No <such> \\"event\\"\\/Ã©"\n    }\n}',
    '<Error><Code>UnknownEvent</Code><Message>No &lt;such&gt; "event"/&#xE9;</Message></Error>',
  ],
])('with %j', async ([settings, json, xml]) => {
  const { url } = await started({ LEGACY_ERROR_TEXTS: texts, ...settings })
  expect(await ask(url, '/?Event=Nope')).toMatchObject({ status: 400, body: json })
  expect(await ask(url, '/?Event=Nope&Format=XML')).toMatchObject({ status: 400, body: inXml(xml) })
})

test('an error without a text of the old service has the usual one', async () => {
  const { url } = await started({ LEGACY_ERROR_TEXTS: texts, LEGACY_ERROR_BODY: 'text' })
  expect((await ask(url, '/?Event=AppLookup')).body).toBe('{"Error":"Users fehlen"}')
  expect((await ask(url, '/?Event=AppLookup&Apps=1&Apps=2')).body).toBe(
    '{"Error":"The parameter Apps is given more than once. Give it once."}',
  )
})

test('an error has a text for apps, where there are two', async () => {
  const { url } = await started({
    LEGACY_ERROR_TEXTS: 'MissingParameter=Which users? | Which apps?;UnknownEvent=What? | Whatever?',
    LEGACY_ERROR_BODY: 'text',
  })
  const body = async (query: string) => (await ask(url, `/?${query}`)).body
  expect(await body('Event=ProfileLookup')).toBe('{"Error":"Which users?"}')
  expect(await body('Event=AppLookup')).toBe('{"Error":"Which apps?"}')
  expect(await body('Users=1')).toBe('{"Error":"Which users?"}')
  expect(await body('Event=Nope&Apps=1')).toBe('{"Error":"What?"}')
})

test('/explain says what is answered', async () => {
  const { url } = await started({ LEGACY_ERROR_TEXTS: texts, LEGACY_ERROR_STATUS: '422' })
  const explained = await (await fetch(`${url}/explain?Event=ProfileLookup`)).json()
  expect(explained).toMatchObject({
    error: { code: 'MissingParameter', message: 'Users fehlen' },
    answer: { status: 422 },
  })
  expect(explained.dialect).toContainEqual({
    setting: 'LEGACY_ERROR_TEXTS',
    value: texts,
    effect: "The text of the error is the old service's.",
  })
})

test.each(['JSON', 'XML'] as const)(
  'one status for all is not that of an outage, which may be tried again: %s',
  async (format) => {
    const gateway = await started({ LEGACY_ERROR_STATUS: '404', RATE_LIMIT: '10' })
    const lookUp = (query: string) => ask(gateway.url, inFormat(query, format))
    expect((await lookUp('Event=Nope')).status).toBe(404)
    expect((await ask(gateway.url, inFormat('', format), { method: 'POST' })).status).toBe(404)
    const database = new DatabaseSync(gateway.database.path)
    database.exec('DROP TABLE users')
    database.close()
    const outage = await lookUp('Event=ProfileLookup&Users=1')
    expect(outage).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) } })
    await lookUp('Event=AppLookup&Apps=1:2:3:4:5:6:7:8:9:10:11')
    expect((await lookUp('Event=AppLookup&Apps=1')).status).toBe(429)
  },
)
