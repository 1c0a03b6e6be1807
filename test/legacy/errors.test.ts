// Errors of requests, with their bytes in both formats.

import { describe, expect } from 'vitest'
import { test } from '../kit/test.ts'
import { ask, askBytes, contentTypes, type FormatName, inFormat } from './support/ask.ts'
import { refusalIn } from './support/reply.ts'
import { APP, bodyOf, CHAT, errorBodyOf, ID, NAME } from './support/rows.ts'

const METHOD = 'MethodOfAccessingUserInformation'
const P = 'Event=ProfileLookup'

const noEvent = 'The parameter Event is missing or empty. It selects the lookup: ProfileLookup, AppLookup.'
const unknownEvent = (given: string, hint = '') =>
  `There is no Event "${given}"${hint}. Events: ProfileLookup, AppLookup.`
const noValues = (name: string) =>
  `The parameter ${name} is missing or empty. It holds one or more values, separated by colons.`
const repeated = (name: string) => `The parameter ${name} is given more than once. Give it once.`
const noMethod = (given: string) => `${METHOD} cannot be "${given}". Allowed: id, username, chat.`
const noId = (given: string) => `"${given}" is not a numeric identifier (digits only, up to 9007199254740991)`
const noUserId = (given: string) => `${noId(given)}; for usernames, add ${METHOD}=username.`
const broken = 'The query string is not valid: broken percent-encoding, invalid UTF-8, or a NUL character.'
const hostile = '"\\/<b>&amp;]]>\t\r\n\x01\x7f\u2028\ufffe🌸'

const errors: readonly (readonly [code: string, query: string, message: string])[] = [
  ['MissingParameter', '', noEvent],
  ['MissingParameter', 'Users=1', noEvent],
  ['MissingParameter', 'Event=&Users=1', noEvent],
  ['MissingParameter', 'event=ProfileLookup&Users=1', noEvent],
  ['UnknownEvent', 'Event=Nope&Users=1', unknownEvent('Nope')],
  [
    'UnknownEvent',
    'Event=profilelookup',
    unknownEvent('profilelookup', ' (only the case differs from ProfileLookup, and case matters)'),
  ],
  ['UnknownEvent', `Event=${encodeURIComponent(hostile)}`, unknownEvent(hostile)],
  ['UnknownEvent', `Event=a${'%F0%9F%8C%B8'.repeat(5000)}`, unknownEvent(`a${'🌸'.repeat(59)}…`)],
  ['MissingParameter', P, noValues('Users')],
  ['MissingParameter', ID, noValues('Users')],
  ['MissingParameter', `${ID}:::`, noValues('Users')],
  ['MissingParameter', 'Event=AppLookup', noValues('Apps')],
  ['RepeatedParameter', `${P}&${ID}1`, repeated('Event')],
  ['RepeatedParameter', `${ID}1&Users=2`, repeated('Users')],
  ['RepeatedParameter', `${ID}1&%55sers=1`, repeated('Users')],
  ['RepeatedParameter', `${P}&${METHOD}=id&${METHOD}=id&Users=1`, repeated(METHOD)],
  ['RepeatedParameter', `${APP}1&Apps=1`, repeated('Apps')],
  ['UnknownMethod', `${P}&${METHOD}=email&Users=1`, noMethod('email')],
  ['MalformedIdentifier', `${ID}1:x`, noUserId('x')],
  ['MalformedIdentifier', `${ID}-1`, noUserId('-1')],
  ['MalformedIdentifier', `${ID}%2B1`, noUserId('+1')],
  ['MalformedIdentifier', `${ID}1%0A`, noUserId('1\n')],
  ['MalformedIdentifier', `${ID}%EF%BC%91`, noUserId('１')],
  ['MalformedIdentifier', `${ID}1,2`, noUserId('1,2')],
  ['MalformedIdentifier', `${ID}9007199254740992`, noUserId('9007199254740992')],
  ['MalformedIdentifier', `${ID}${'9'.repeat(400)}`, noUserId(`${'9'.repeat(60)}…`)],
  ['MalformedIdentifier', `${APP}1:almanac`, `${noId('almanac')}.`],
  ...[`${ID}1%`, `${ID}1%4`, `${ID}%zz`, `${ID}1%00`, `${ID}1&%FF=1`, `${ID}1&Debug=%`].map(
    (query) => ['MalformedQuery', query, broken] as const,
  ),
  // No UTF-8: a lone byte, half a character, an overlong form, a surrogate, beyond Unicode.
  ...['%FF', '%C3%28', '%C0%AF', '%ED%A0%80', '%F4%90%80%80'].map(
    (bytes) => ['MalformedQuery', ID + bytes, broken] as const,
  ),
]

describe.each(['JSON', 'XML'] as const)('%s', (format) => {
  test('errors have status 400 and are not cached', async ({ gateway }) => {
    for (const [code, query, message] of errors) {
      const { status, headers, body } = await ask(gateway.url, inFormat(query, format))
      const about = query.slice(0, 200)
      expect.soft([status, body], about).toEqual([400, errorBodyOf(code, message, format)])
      expect.soft(headers, about).toMatchObject({
        'content-type': contentTypes[format],
        'cache-control': 'no-store',
      })
      expect.soft(headers.etag, about).toBeUndefined()
    }
  })

  test.for(['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE'])('%s is 405', async (method, { gateway }) => {
    const reply = await ask(gateway.url, inFormat(`${ID}1`, format), { method })
    expect(refusalIn(reply, format).code).toBe('MethodNotAllowed')
    expect(reply).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
  })
})

test.for<[format: FormatName, code: string, queries: string[]]>([
  [
    'JSON',
    'UnknownFormat',
    ['xml', 'Xml', 'XML+', 'YAML', 'JSON,XML', '0'].map((value) => `${ID}1&Format=${value}`),
  ],
  ['JSON', 'RepeatedParameter', [`${ID}1&Format=JSON&Format=JSON`]],
  // Of several formats, the first one that can be read.
  ['XML', 'RepeatedParameter', ['Event=Nope&Format=XML&Format=JSON', 'Format=XML&Format=YAML&Event=Nope']],
  ['JSON', 'RepeatedParameter', ['Format=JSON&Format=XML', 'Format=&Format=XML', 'Format=xml&Format=XML']],
  [
    'XML',
    'MalformedQuery',
    [`${ID}1&Format=%zz&Format=XML`, 'Event=%zz&Format=XML', '%4&Event=x&%&Format=XML'],
  ],
  ['JSON', 'MalformedQuery', ['Event=%4&Format', 'Format=%']],
  ['XML', 'UnknownEvent', ['Format=XML&Event=Nope', 'Event=Nope&Format=%58ML', 'Event=Nope&For%6Dat=XML']],
])('in %s, %s: %j', async ([format, code, queries], { gateway }) => {
  for (const query of queries) {
    const reply = await ask(gateway.url, `/?${query}`)
    expect(refusalIn(reply, format).code, query).toBe(code)
    expect(reply).toMatchObject({ status: 400, headers: { 'content-type': contentTypes[format] } })
  }
})

test('a raw byte that is not UTF-8 is refused like an encoded one', async ({ gateway }) => {
  const reply = await askBytes(gateway.url, `/?${ID}\xff`)
  expect([reply.status, reply.body]).toEqual([400, errorBodyOf('MalformedQuery', broken, 'JSON')])
})

test.for<[query: string, code: string, event: string | null, count: number]>([
  ['Event=profilelookup', 'UnknownEvent', null, 1],
  [`${APP}1&Apps=2`, 'RepeatedParameter', 'AppLookup', 3],
  [`${APP}%FF`, 'MalformedQuery', 'AppLookup', 0],
  [`${APP}x`, 'MalformedIdentifier', 'AppLookup', 2],
])('/explain?%s has the error %s', async ([query, code, event, count], { gateway }) => {
  const { error, request, answer } = await (await fetch(`${gateway.url}/explain?${query}`)).json()
  const message = errors.find(([, asked]) => asked === query)?.[2] ?? expect.any(String)
  expect(error).toEqual({ code, message })
  expect(request).toMatchObject({ event, values: [] })
  expect(request.parameters.filter(({ name }: { name: string }) => name !== '')).toHaveLength(count)
  expect(answer.status).toBe(400)
})

describe('a long target', () => {
  /** Empty segments, which are dropped, fill it. */
  const targetOf = (bytes: number, format: FormatName) => `/?Format=${format}&${ID}1`.padEnd(bytes, ':')

  test('of 65,536 bytes gets its response', async ({ gateway }) => {
    const { status, body } = await ask(gateway.url, targetOf(65_536, 'XML'))
    expect([status, body]).toEqual([200, bodyOf(ID, '1 → 1', 'XML')])
  })

  // Beyond 256 KiB Node's parser gives up before there is a request: nobody knows the format then.
  test.for([
    [65_537, 'XML'],
    [98_304, 'XML'],
    [200_000, 'XML'],
    [1_000_000, 'JSON'],
    [10_000_000, 'JSON'],
  ] as const)('of %i bytes is 414, in %s if XML is wanted', async ([bytes, xml], { gateway }) => {
    for (const [wanted, format] of [['JSON', 'JSON'] as const, ['XML', xml] as const]) {
      const reply = await ask(gateway.url, targetOf(bytes, wanted))
      expect(reply.status).toBe(414)
      const { code, message } = refusalIn(reply, format)
      expect([code, message]).toEqual(['TooLongTarget', expect.stringContaining('65536')])
      expect(reply.headers).toMatchObject({
        'content-length': String(reply.body.length),
        'content-type': contentTypes[format],
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
      })
    }
    expect((await ask(gateway.url, targetOf(100, 'JSON'))).status).toBe(200)
  })
})

test('no error shows a chat identifier, and no lookup either', async ({ gateway }) => {
  for (const query of [`${ID}1:2:11`, `${NAME}ada:two+words`, `${CHAT}chat%3A13`])
    expect((await ask(gateway.url, inFormat(query, 'XML'))).body).not.toMatch(/chat/i)
})
