// The contract's table "Legacy request": what is refused, in both formats. Outages are in outage.test.ts,
// long targets in long-target.test.ts, which format an error comes in is in error-format.test.ts.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { ask, contentTypes, inFormat } from './support/ask.ts'
import { refusalIn } from './support/reply.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const P = 'Event=ProfileLookup'
const A = 'Event=AppLookup'
const METHOD = 'MethodOfAccessingUserInformation'
const many = Array.from({ length: 1001 }, (_, index) => index + 1).join(':')

const refused: [name: string, query: string, code: string, message: RegExp][] = [
  ['no query', '', 'MissingParameter', /Event.*ProfileLookup, AppLookup/],
  ['no Event', 'Users=1', 'MissingParameter', /Event/],
  ['an empty Event', 'Event=&Users=1', 'MissingParameter', /Event/],
  ['Event in another case', 'event=ProfileLookup&Users=1', 'MissingParameter', /Event/],
  ['an unknown Event', 'Event=Nope&Users=1', 'UnknownEvent', /"Nope".*ProfileLookup, AppLookup/],
  ['an Event in another case', 'Event=profilelookup', 'UnknownEvent', /case.*ProfileLookup/],
  ['an Event with a blank', 'Event=+ProfileLookup&Users=1', 'UnknownEvent', /" ProfileLookup"/],
  ['an Event of JavaScript', 'Event=__proto__&Users=1', 'UnknownEvent', /"__proto__"/],
  ['no Users', P, 'MissingParameter', /Users/],
  ['Users in another case', `${P}&users=1`, 'MissingParameter', /Users/],
  ['Users of the other event', `${P}&Apps=1`, 'MissingParameter', /Users/],
  ['empty Users', `${P}&Users=`, 'MissingParameter', /Users/],
  ['Users without =', `${P}&Users`, 'MissingParameter', /Users/],
  ['only colons in Users', `${P}&Users=:::`, 'MissingParameter', /Users/],
  ['only encoded colons in Users', `${P}&Users=%3A`, 'MissingParameter', /Users/],
  ['no Apps', A, 'MissingParameter', /Apps/],
  ['empty Apps', `${A}&Apps=`, 'MissingParameter', /Apps/],
  ['only colons in Apps', `${A}&Apps=::`, 'MissingParameter', /Apps/],
  ['Event twice', `${P}&${P}&Users=1`, 'RepeatedParameter', /Event/],
  ['two Events', `${P}&${A}&Users=1`, 'RepeatedParameter', /Event/],
  ['Users twice', `${P}&Users=1&Users=2`, 'RepeatedParameter', /Users/],
  ['Users twice, once encoded', `${P}&Users=1&%55sers=1`, 'RepeatedParameter', /Users/],
  ['Users twice, once empty', `${P}&Users=&Users=1`, 'RepeatedParameter', /Users/],
  ['the method twice', `${P}&${METHOD}=id&${METHOD}=id&Users=1`, 'RepeatedParameter', new RegExp(METHOD)],
  ['Apps twice', `${A}&Apps=1&Apps=1`, 'RepeatedParameter', /Apps/],
  ['an unknown method', `${P}&${METHOD}=email&Users=1`, 'UnknownMethod', /"email".*id, username, chat/],
  ['a method in another case', `${P}&${METHOD}=ID&Users=1`, 'UnknownMethod', /"ID".*id, username, chat/],
  ['a letter as an id', `${P}&Users=1:x`, 'MalformedIdentifier', /"x"/],
  ['a name as an id', `${P}&Users=ada`, 'MalformedIdentifier', /"ada".*MethodOfAccessing\w+=username/],
  ['a sign before an id', `${P}&Users=-1`, 'MalformedIdentifier', /"-1"/],
  ['a plus before an id', `${P}&Users=%2B1`, 'MalformedIdentifier', /"\+1"/],
  ['a blank before an id', `${P}&Users=+1`, 'MalformedIdentifier', /" 1"/],
  ['a newline after an id', `${P}&Users=1%0A`, 'MalformedIdentifier', /./],
  ['a fraction as an id', `${P}&Users=1.0`, 'MalformedIdentifier', /"1\.0"/],
  ['an exponent as an id', `${P}&Users=1e3`, 'MalformedIdentifier', /"1e3"/],
  ['a hexadecimal id', `${P}&Users=0x10`, 'MalformedIdentifier', /"0x10"/],
  ['digits that are not ASCII', `${P}&Users=%EF%BC%91`, 'MalformedIdentifier', /"１"/],
  ['ids with commas', `${P}&Users=1,2`, 'MalformedIdentifier', /"1,2"/],
  ['an id of 2^53', `${P}&Users=9007199254740992`, 'MalformedIdentifier', /"9007199254740992"/],
  ['an id of 400 digits', `${P}&Users=${'9'.repeat(400)}`, 'MalformedIdentifier', /"9{60}…"/],
  ['a name as an app', `${A}&Apps=1:almanac`, 'MalformedIdentifier', /"almanac"(?!.*username)/],
  ['an app of 2^53', `${A}&Apps=9007199254740992`, 'MalformedIdentifier', /"9007199254740992"/],
  ['1,001 users', `${P}&Users=${many}`, 'TooManyValues', /\b1000\b/],
  ['1,001 names', `${P}&${METHOD}=username&Users=${many}`, 'TooManyValues', /\b1000\b/],
  ['1,001 chat identifiers', `${P}&${METHOD}=chat&Users=${many}`, 'TooManyValues', /\b1000\b/],
  ['1,001 apps', `${A}&Apps=${many}`, 'TooManyValues', /\b1000\b/],
  ['a bare percent sign', `${P}&Users=1%`, 'MalformedQuery', /./],
  ['half an escape', `${P}&Users=1%4`, 'MalformedQuery', /./],
  ['an escape that is not hexadecimal', `${P}&Users=%zz`, 'MalformedQuery', /./],
  ['a byte that is not UTF-8', `${P}&Users=%FF`, 'MalformedQuery', /./],
  ['half a UTF-8 character', `${P}&Users=%C3%28`, 'MalformedQuery', /./],
  ['overlong UTF-8', `${P}&Users=%C0%AF`, 'MalformedQuery', /./],
  ['a surrogate in UTF-8', `${P}&Users=%ED%A0%80`, 'MalformedQuery', /./],
  ['UTF-8 beyond Unicode', `${P}&Users=%F4%90%80%80`, 'MalformedQuery', /./],
  ['an encoded NUL', `${P}&Users=1%00`, 'MalformedQuery', /./],
  ['a broken name', `${P}&Users=1&%FF=1`, 'MalformedQuery', /./],
  ['a broken value of an unknown parameter', `${P}&Users=1&Debug=%`, 'MalformedQuery', /./],
]

describe.each(['JSON', 'XML'] as const)('%s', (format) => {
  test.for(refused)('%s', async ([, query, code, message]) => {
    const reply = await ask(gateway.url, inFormat(query, format))
    expect(refusalIn(reply, format)).toEqual({ code, message: expect.stringMatching(message) })
    expect(reply.status).toBe(400)
    expect(reply.headers['content-type']).toBe(contentTypes[format])
  })

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'])('%s is not allowed', async (method) => {
    const reply = await ask(gateway.url, inFormat(`${P}&Users=1`, format), { method })
    expect(refusalIn(reply, format)).toEqual({ code: 'MethodNotAllowed', message: expect.any(String) })
    expect(reply).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
  })

  test('a value is quoted back without breaking the format', async () => {
    const value = '"\\/<b>&amp;]]>\t\r\n\x01\x7f\u2028\ufffe🌸'
    const reply = await ask(gateway.url, inFormat(`Event=${encodeURIComponent(value)}`, format))
    const shown = format === 'XML' ? value.replace(/[\x01\ufffe]/g, '\ufffd') : value
    expect(refusalIn(reply, format).message).toContain(`"${shown}"`)
  })

  test('a long value is quoted in part, and no character is cut in two', async () => {
    const reply = await ask(gateway.url, inFormat(`Event=${'a'}${'%F0%9F%8C%B8'.repeat(5000)}`, format))
    expect(refusalIn(reply, format).message).toContain(`"a${'🌸'.repeat(59)}…"`)
    expect(reply.body.length).toBeLessThan(2000)
  })
})

test('both formats say the same', async () => {
  for (const [name, query] of refused) {
    const inJson = refusalIn(await ask(gateway.url, inFormat(query, 'JSON')), 'JSON')
    const inXml = refusalIn(await ask(gateway.url, inFormat(query, 'XML')), 'XML')
    expect(inXml, name).toEqual(inJson)
  }
})
