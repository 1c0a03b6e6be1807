// Errors that are written by a template: their bytes, types, statuses and codes over a socket.

import { SaxesParser } from 'saxes'
import { expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../../kit/gateway.ts'

async function refusal(settings: Readonly<Record<string, string>>, query: string) {
  const gateway = await startGateway(settings)
  onTestFinished(gateway.close)
  const response = await fetch(`${gateway.url}/?${query}`)
  return {
    status: response.status,
    type: response.headers.get('Content-Type'),
    policy: response.headers.get('Content-Security-Policy'),
    body: await response.text(),
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'
const XML_TYPE = 'application/xml; charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'
const HTML_TYPE = 'text/html; charset=utf-8'
const texts = { LEGACY_ERROR_TEXTS: 'UnknownEvent=No <such> "event" é' }
const [asJson, asXml] = ['Event=Nope', 'Event=Nope&Format=XML']
const detail = { LEGACY_ERROR_BODY: '{"detail": "{message}"}' }

test.for<[Readonly<Record<string, string>>, query: string, type: string, body: string]>([
  [detail, asJson, JSON_TYPE, '{"detail": "No <such> \\"event\\" \\u00e9"}'],
  [detail, asXml, JSON_TYPE, '{"detail": "No <such> \\"event\\" \\u00e9"}'],
  [
    { ...detail, LEGACY_ERROR_BODY_XML: 'text' },
    asXml,
    XML_TYPE,
    '<?xml version="1.0"?>\n<ServiceAPI><Error>No &lt;such&gt; "event" &#xE9;</Error></ServiceAPI>\n',
  ],
  [
    { LEGACY_ERROR_BODY_XML: '<Error><Message>{message}</Message></Error>' },
    asXml,
    XML_TYPE,
    '<Error><Message>No &lt;such&gt; "event" &#xE9;</Message></Error>',
  ],
  [{ LEGACY_ERROR_BODY_XML: '{"e":"{code}"}' }, asXml, JSON_TYPE, '{"e":"UnknownEvent"}'],
  [{ LEGACY_ERROR_BODY: 'ERROR: {message}' }, asJson, TEXT_TYPE, 'ERROR: No <such> "event" é'],
  [
    { LEGACY_ERROR_BODY: 'ERROR: {message}', LEGACY_ERROR_TYPE: 'text/html' },
    asXml,
    'text/html',
    'ERROR: No &lt;such&gt; &quot;event&quot; é',
  ],
  [
    { LEGACY_ERROR_BODY: '<html>\\n<p title="{code}">{message}</p>\\r\\n</html>' },
    asJson,
    HTML_TYPE,
    '<html>\n<p title="UnknownEvent">No &lt;such&gt; &quot;event&quot; é</p>\r\n</html>',
  ],
  [{ LEGACY_ERROR_BODY: 'none' }, asXml, TEXT_TYPE, ''],
  [
    {
      LEGACY_ERROR_BODY: '{\\n  "status": {status},\\n  "code": "{code}"\\n}',
      LEGACY_ERROR_CODES: 'UnknownEvent=no_event',
      LEGACY_ERROR_STATUSES: 'UnknownEvent=404',
    },
    asJson,
    JSON_TYPE,
    '{\n  "status": 404,\n  "code": "no_event"\n}',
  ],
])('%j for %s', async ([settings, query, type, body]) => {
  const answer = await refusal({ ...texts, ...settings }, query)
  expect(answer).toMatchObject({
    status: 'LEGACY_ERROR_STATUSES' in settings ? 404 : 400,
    type,
    body,
    policy: type.startsWith('text/html') ? "default-src 'none'; sandbox" : null,
  })
})

test('what a client sent runs nowhere', async () => {
  const page = { LEGACY_ERROR_BODY: '{message}', LEGACY_ERROR_TYPE: 'text/html' }
  const { body } = await refusal(page, 'Event=<script>alert(1)</script>')
  expect(body).toContain('&lt;script&gt;')
  expect(body).not.toContain('<script>')
})

test.each([
  `<e a="{message}" b='{message}'>{message}</e>`,
  '<?xml version="1.0"?>\\n<e a="{message}"/>',
  "<e\\n  a='{code}: {message}'/>",
])('what a client sent stays in its attribute: %s', async (template) => {
  const sent = `%22 x='1' &%01%EF%BF%BE<b>é`.replaceAll(' ', '+').replaceAll('&', '%26')
  for (const style of ['simplexml', 'dom', 'dom-node', 'xmlwriter', 'plain']) {
    const settings = { LEGACY_ERROR_BODY: template, LEGACY_XML_STYLE: style }
    const { body } = await refusal(settings, `Event=${sent}`)
    const attributes: Record<string, string>[] = []
    const parser = new SaxesParser<{ xmlns: false }>()
    parser.on('error', (error) => expect.unreachable(`${error.message}: ${body}`))
    parser.on('opentag', (tag) => void attributes.push(tag.attributes))
    parser.write(body).close()
    expect(attributes).toHaveLength(1)
    expect(attributes[0]?.a).toContain(`"" x='1' &\ufffd\ufffd<b>é"`)
  }
})

test('a text that is sent as a document has no markup of a client', async () => {
  const settings = {
    LEGACY_ERROR_BODY: '{message}',
    LEGACY_ERROR_TYPE: 'text/xml',
    LEGACY_EMPTY: 'refuse',
    LEGACY_UNKNOWN_TEXT: '{value}',
  }
  const name = '<script xmlns="http://www.w3.org/1999/xhtml" src="//a.b"/>'
  const query = `Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=${encodeURIComponent(name)}`
  expect((await refusal(settings, query)).body).toMatch(/^&lt;script /)
})

test('a status by code leaves the others as they are', async () => {
  const settings = { LEGACY_ERROR_STATUS: '200', LEGACY_ERROR_STATUSES: 'UnknownEvent=404' }
  expect((await refusal(settings, 'Event=Nope')).status).toBe(404)
  expect((await refusal(settings, 'Event=ProfileLookup')).status).toBe(200)
})
