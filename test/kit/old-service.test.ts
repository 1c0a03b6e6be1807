// The old service of this kit: each of its switches does what it says.

import { expect, onTestFinished, test } from 'vitest'
import { type Switches, startOldService } from './old-service.ts'

async function ask(query: string, switches: Switches = {}) {
  const old = await startOldService(switches)
  onTestFinished(old.close)
  const response = await fetch(`${old.url}?${query}`)
  const type = response.headers.get('content-type')
  return { status: response.status, type, body: await response.text() }
}

const byId = 'Event=ProfileLookup&Users='
const byName = 'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users='
const byChat = (method: string) => `${byName.replace('username', method)}chat-1001`
const ada =
  '{"Id":1,"Username":"Ada","DisplayName":"Ada of the Hill","Rank":9,"JoinDate":1199145600,"IsConfirmed":true,"Banned":false}'

test.for<[string, Switches, string, string | RegExp, number?]>([
  ['a user', {}, `${byId}1`, `{"1":${ada}}`],
  ['apps in their order', {}, 'Event=AppLookup&Apps=2:1', /^\{"2":\{"Title":"Paint & Paper".*,"1":\{/],
  [
    'XML',
    {},
    `${byId}1:3&Format=XML`,
    /^<\?xml version="1\.0"\?>\n<ServiceAPI><Data Value="1"><Id>1<\/Id>.*<IsConfirmed>1<\/IsConfirmed><Banned\/><\/Data>.*<Banned>1<\/Banned><\/Data><\/ServiceAPI>\n$/,
  ],
  ['usernames in any case', {}, `${byName}aDA`, `{"aDA":${ada}}`],
  ['chat identifiers', {}, byChat('chat'), `{"chat-1001":${ada}}`],
  ['unknown: missing', {}, `${byId}1:99`, `{"1":${ada}}`],
  ['unknown: nothing at all', {}, `${byId}99`, '{}'],
  ['unknown: null', { unknown: 'null' }, `${byId}99`, '{"99":null}'],
  ['unknown: null in XML', { unknown: 'null' }, `${byId}99&Format=XML`, /<Data Value="99"\/>/],
  ['unknown: error', { unknown: 'error' }, `${byId}1:99`, '{"error":"Nothing found for 99"}', 400],
  ['unknown: list', { unknown: 'list' }, `${byId}99`, '{"99":[]}'],
  ['strict ids', {}, `${byId}01:1e0:1`, `{"1":${ada}}`],
  ['loose ids', { looseIds: true }, `${byId}01:1e0`, `{"01":${ada},"1e0":${ada}}`],
  ['usernames in one case', { caseSensitive: true }, `${byName}aDA:Ada`, `{"Ada":${ada}}`],
  ['entries by the stored username', { naming: 'stored' }, `${byName}aDA:ADA`, `{"Ada":${ada}}`],
  ['entries by id', { naming: 'id' }, `${byName}aDA`, `{"1":${ada}}`],
  ['a header that lacks', { wants: 'X-Key: abc' }, `${byId}1`, '<h1>Forbidden</h1>\n', 403],
  ['a login that lacks', { login: 'me:secret' }, `${byId}1`, '<h1>Unauthorized</h1>\n', 401],
  ['gzip', { gzip: true }, `${byId}1`, `{"1":${ada}}`],
  ['a blocked text', { blocked: '<' }, `${byName}%3Cb:Ada`, '<h1>Forbidden</h1>\n', 403],
  ['another text than the blocked one', { blocked: '<' }, `${byName}b:Ada`, `{"Ada":${ada}}`],
  ['a row that PHP cannot encode', { broken: 2 }, `${byId}1:2`, /Malformed UTF-8 characters/],
  ['another row than that', { broken: 2 }, `${byId}1`, `{"1":${ada}}`],
  ['pretty JSON', { pretty: true }, `${byId}1`, /^\{\n {4}"1": \{\n {8}"Id": 1,/],
  ['pretty XML', { pretty: true }, `${byId}1&Format=XML`, /<ServiceAPI>\n {2}<Data Value="1">\n/],
  ['no declaration', { xmlDeclaration: false }, `${byId}99&Format=XML`, '<ServiceAPI/>\n'],
  ['another name', { serviceName: 'Acme' }, 'Event=AppLookup&Apps=1', /"AcmeDownloadLink"/],
  ['another name in XML', { serviceName: 'Acme' }, `${byId}99&Format=XML`, /<AcmeAPI\/>/],
  ['another chat method', { chatMethod: 'talk' }, byChat('talk'), `{"chat-1001":${ada}}`],
  ['a list limit', { maxValues: 2 }, `${byId}1:2:3`, '{"error":"More than 2 values"}', 400],
  ['a list within the limit', { maxValues: 2 }, `${byId}1:1:99`, `{"1":${ada}}`],
  ['an error', {}, 'Event=Nothing', '{"error":"Unknown event"}', 400],
  ['an error of status 200', { errorStatus: '200' }, 'Event=Nothing', '{"error":"Unknown event"}', 200],
  ['an error in XML', {}, 'Event=Nothing&Format=XML', /<Error>Unknown event<\/Error>/, 400],
  ['a list without values', {}, byId, '{"error":"Nothing to look up"}', 400],
  ['a failure', { failing: true }, `${byId}1`, /Internal Server Error/, 500],
])('%s', async ([, switches, query, expected, status = 200]) => {
  const answer = await ask(query, switches)
  expect(answer.status).toBe(status)
  if (typeof expected === 'string') expect(answer.body).toBe(expected)
  else expect(answer.body).toMatch(expected)
})

test('it can hang up half-way', async () => {
  await expect(ask(`${byId}1`, { cutting: true })).rejects.toThrow()
})
