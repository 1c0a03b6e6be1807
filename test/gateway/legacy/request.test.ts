// The contract's table "Legacy request": what is answered. What is refused is in errors.test.ts.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { ask, contentTypes, type FormatName, inFormat } from './support/ask.ts'
import { refusalIn, usersIn } from './support/reply.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const P = 'Event=ProfileLookup'
const METHOD = 'MethodOfAccessingUserInformation'
const byName = (...names: string[]) =>
  `${P}&${METHOD}=username&Users=${names.map(encodeURIComponent).join(':')}`
const byChat = (...ids: string[]) => `${P}&${METHOD}=chat&Users=${ids.map(encodeURIComponent).join(':')}`
const zeros = '0'.repeat(40)
const largest = '9007199254740991'
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

describe.each(['JSON', 'XML'] as const)('%s', (format) => {
  test.for<[name: string, query: string, found: string[]]>([
    ['entries come in the order asked for', `${P}&Users=3:1:2`, ['3 → 3', '1 → 1', '2 → 2']],
    ['integer-like values are not sorted', `${P}&Users=10:9:1`, ['10 → 10', '9 → 9', '1 → 1']],
    ['without a method, values are ids', `${P}&Users=1`, ['1 → 1']],
    ['an empty method means id', `${P}&${METHOD}=&Users=1`, ['1 → 1']],
    ['the method id', `${P}&${METHOD}=id&Users=1`, ['1 → 1']],
    ['the method username', byName('mallory', '1234'), ['mallory → 3', '1234 → 11']],
    ['the method chat', byChat('chat-1001', 'CHAT-1012'), ['chat-1001 → 1', 'CHAT-1012 → 12']],
    ['unknown parameters are ignored', `Foo=1&${P}&Foo=2&users=2&Users=1&=&Debug`, ['1 → 1']],
    ['a value is no name', `x=Event&${P}&y=Users&Users=1`, ['1 → 1']],
    ['empty parameters are ignored', `&&${P}&&Users=1&`, ['1 → 1']],
    ['parameters come in any order', `Users=1&${P}`, ['1 → 1']],
    ['parameter names may be encoded', '%45vent=ProfileLookup&%55sers=1', ['1 → 1']],
    ['empty segments are dropped', `${P}&Users=1::2`, ['1 → 1', '2 → 2']],
    ['empty segments at the ends are dropped', `${P}&Users=:1:`, ['1 → 1']],
    ['duplicates are answered once, at the first place', `${P}&Users=2:1:2:1`, ['2 → 2', '1 → 1']],
    ['007 is 7 and answers under 007', `${P}&Users=007:7`, ['007 → 7', '7 → 7']],
    ['zeros before an id may be many', `${P}&Users=${zeros}1`, [`${zeros}1 → 1`]],
    ['ids go up to 2^53-1', `${P}&Users=${largest}`, [`${largest} → ${largest}`]],
    ['misses are left out', `${P}&Users=0:1:999999:2`, ['1 → 1', '2 → 2']],
    ['a plus is a space', `${P}&${METHOD}=username&Users=two+words`, ['two words → 12']],
    ['%20 is a space', `${P}&${METHOD}=username&Users=two%20words`, ['two words → 12']],
    ['%2B is a plus', `${P}&${METHOD}=username&Users=two%2Bwords`, []],
    ['%3A is a colon, and splits', `${P}&Users=1%3A2%3a3`, ['1 → 1', '2 → 2', '3 → 3']],
    ['a chat identifier with a colon cannot be asked for', byChat('chat:13'), []],
    ['percent-encoding is UTF-8', `${P}&${METHOD}=username&Users=Zo%C3%AB`, ['Zoë → 13']],
    ['usernames are found in any case, spelt as asked', byName('ADA', 'ada'), ['ADA → 1', 'ada → 1']],
    ['usernames beyond ASCII, too', byName('ZOË', 'SØREN'), ['ZOË → 13', 'SØREN → 2']],
    ['usernames are compared by NFKC', byName('zoe\u0308', 'Ａｄａ'), ['zoe\u0308 → 13', 'Ａｄａ → 1']],
    ['usernames are no numbers', byName('01234', '1234'), ['1234 → 11']],
    ['chat identifiers are exact', byChat('CHAT-1001', 'chat-1012', 'chat-1001'), ['chat-1001 → 1']],
    ['chat identifiers are no numbers', byChat('1', '007'), []],
    ['a name of JavaScript finds nothing', byName('__proto__', 'constructor', 'toString'), []],
  ])('%s', async ([, query, found]) => {
    const reply = await ask(gateway.url, inFormat(query, format))
    expect(usersIn(reply, format)).toEqual(found)
    expect(reply.status).toBe(200)
  })

  test('no match at all is an empty answer', async () => {
    const empty = format === 'JSON' ? '{}' : '<?xml version="1.0"?>\n<ServiceAPI/>\n'
    for (const query of [`${P}&Users=999999`, 'Event=AppLookup&Apps=999999', byName('nobody'), byChat('x')]) {
      expect(await ask(gateway.url, inFormat(query, format))).toMatchObject({ status: 200, body: empty })
    }
  })

  test('1,000 distinct values are answered, duplicates and empty segments aside', async () => {
    const list = [...numbers(1, 1000), ...numbers(1, 300), '', ''].join(':')
    const reply = await ask(gateway.url, inFormat(`${P}&Users=${list}`, format))
    expect(usersIn(reply, format)).toHaveLength(13)
    expect(reply.status).toBe(200)
  })

  test('a chat identifier is never shown', async () => {
    for (const query of [`${P}&Users=1:2:11`, byName('ada', 'two words')]) {
      expect((await ask(gateway.url, inFormat(query, format))).body).not.toMatch(/chat/i)
    }
  })

  test('a lookup is one whatever its values look like', async () => {
    const query = `${P}&${METHOD}=username&Users=a/health:/graphql:..:%2e%2e/&y=/graphql`
    const { status, headers } = await ask(gateway.url, inFormat(query, format))
    expect([status, headers['content-type']]).toEqual([200, contentTypes[format]])
  })

  test('the absolute form of a target is understood', async () => {
    const reply = await ask(gateway.url, `http://example.org${inFormat(`${P}&Users=1`, format)}`)
    expect(usersIn(reply, format)).toEqual(['1 → 1'])
  })
})

describe('Format', () => {
  test.for<[text: string, format: FormatName]>([
    ['', 'JSON'],
    ['&Format', 'JSON'],
    ['&Format=', 'JSON'],
    ['&Format=JSON', 'JSON'],
    ['&Format=json', 'JSON'],
    ['&Format=jSoN', 'JSON'],
    ['&format=XML', 'JSON'],
    ['&Format=XML', 'XML'],
    ['&Format=%58M%4C', 'XML'],
    ['&For%6Dat=XML', 'XML'],
  ])('"%s" is %s', async ([text, format]) => {
    const reply = await ask(gateway.url, `/?${P}&Users=1${text}`)
    expect(reply.headers['content-type']).toBe(contentTypes[format])
    expect(usersIn(reply, format)).toEqual(['1 → 1'])
  })
})

describe('without Event', () => {
  const html = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

  test('a browser gets the explorer page', async () => {
    const reply = await ask(gateway.url, '/', html)
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  })

  test('a browser with an Event gets a lookup', async () => {
    const reply = await ask(gateway.url, '/?Event=', html)
    expect(refusalIn(reply, 'JSON').code).toBe('MissingParameter')
  })
})
