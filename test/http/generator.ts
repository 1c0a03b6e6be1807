// Generated HTTP requests, as Latin-1 text: some that Node can read, the same with changed bytes, and several
// on one connection.

import fc from 'fast-check'
import { inChunks, requestFor } from './raw.ts'

const piece = fc.constantFrom(
  ...'Event= ProfileLookup AppLookup Users= Apps= MethodOfAccessingUserInformation= username'.split(' '),
  ...'Format= XML JSON query= {__typename} {users(values:["1"]){id}} variables= {"a":1}'.split(' '),
  ...'extensions= operationName= graphql health http://a/ & = ? : / // \\ .. 1 2 007 -1'.split(' '),
  ...'9007199254740993 ada % %00 %0d%0a %C3%A9 %ff %ud800 + # <script> \' " __proto__'.split(' '),
  ...'[ ] { } ; * %F0%9F%8C%B8'.split(' '),
  'x'.repeat(500),
)
const header = fc.constantFrom(
  ...['text/html', 'text/html;q=0', 'application/graphql-response+json', 'image/png', ',;q=,'].map(
    (type) => `Accept: ${type}`,
  ),
  ...['Content-Type: text/plain', 'Content-Type: application/json', 'Content-Type: ;', 'Range: bytes=0-0'],
  ...['If-None-Match: *', 'If-None-Match: "', 'Origin: null', 'Cookie: a=b', 'Connection: close'],
  'Expect: nothing',
  ...['Accept-Encoding: x', 'Upgrade: websocket', 'Connection: Upgrade', 'X-Forwarded-Host: ['],
  `X-Long: ${'x'.repeat(9000)}`,
)
const target = fc.array(piece, { maxLength: 14 }).map((parts) => parts.join(''))
const path = fc.constantFrom(
  ...'/ /? /?Event=ProfileLookup& /?Event=ProfileLookup&Users=1: /?Event=AppLookup&Apps=2: /x?'.split(' '),
  '/?Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=',
  ...'/?Format=XML&Event=AppLookup&Apps= /graphql /graphql? /graphql?query={users(values:["1"]){id}}&'.split(
    ' ',
  ),
)
const content = fc.oneof(fc.constant(''), fc.json(), target, fc.constant('{"query":"{__typename}"}'))
const method = fc.constantFrom(...'GET GET GET HEAD POST POST PUT OPTIONS DELETE TRACE'.split(' '))

/** Requests that Node can read. */
export const wellFormed = fc
  .record({ method, path, target, headers: fc.uniqueArray(header, { maxLength: 4 }), content })
  .map(({ method, path, target, headers, content }) => {
    const bytes = Buffer.from(content).toString('latin1')
    const all = ['Host: gateway', ...headers, `Content-Length: ${bytes.length}`]
    return requestFor(path + target, all, method) + bytes
  })

const insertion = fc.oneof(
  fc.uint8Array({ maxLength: 12 }).map((array) => Buffer.from(array).toString('latin1')),
  fc.constantFrom('\r\n', '\n', '\r', '\0', ' ', ':', 'HTTP/1.1', '\r\n\r\n', 'chunked'),
)
const contradiction = fc.constantFrom(
  ...['Transfer-Encoding: chunked', 'Transfer-Encoding: gzip', 'Content-Length: 5', 'Content-Length: -1'],
  ...['Content-Length: 99999999999999999999', 'Host: [', 'Host: b', ' folded: line', 'no colon', ': no name'],
  ...['Expect: 100-continue', 'Transfer-Encoding:\r\n chunked', 'Transfer_Encoding: chunked', 'X: \x7f'],
)
const edits = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), insertion, fc.nat(8)))

/** The same with changed bytes, and headers that contradict each other. */
export const malformed = fc
  .tuple(wellFormed, edits, fc.option(contradiction))
  .map(([request, changes, wrong]) => {
    let text = wrong === null ? request : request.replace('\r\n', `\r\n${wrong}\r\n`)
    for (const [place, inserted, removed] of changes) {
      const at = Math.floor(place * text.length)
      text = text.slice(0, at) + inserted + text.slice(at + removed)
    }
    return text
  })

const bodiless = fc
  .tuple(
    fc.constantFrom(
      ...['/?Event=ProfileLookup&Users=1:2:3', '/?Event=ProfileLookup&Users=007&Format=XML'],
      '/?Event=AppLookup&Apps=2:1',
      '/?Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=S%C3%98REN',
      ...['/?Event=AppLookup&Apps=9', '/?Event=Nope', '/?Event=ProfileLookup&Users=x&Format=XML', '/?%', '/'],
      ...['/nothing', '/graphql', '/graphql?query={', '/graphql?query={users(values:["1"]){username}}'],
      `/?Event=ProfileLookup&Users=${'1:'.repeat(3000)}2`,
    ),
    fc.uniqueArray(
      fc.constantFrom(
        ...['Accept: */*', 'If-None-Match: *', 'Accept: text/html', 'TE: trailers'],
        'X-Long: '.padEnd(3000, 'x'),
      ),
      { maxLength: 2 },
    ),
    fc.constantFrom('GET', 'GET', 'HEAD'),
  )
  .map(([address, headers, verb]) => requestFor(address, ['Host: gateway', ...headers], verb))
const query = fc.constantFrom(
  ...['{"query":"{ __typename }"}', '{"query":"{ a: __typename }"}', '{"query":"{"}', '{}', ''],
  '{"query":"query ($v: [ID!]!) { users(by: CHAT, values: $v) { id } }","variables":{"v":["chat-1001","x"]}}',
)
const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 5 })
const framed = fc.oneof(
  query.map((body) => [`Content-Length: ${body.length}`, body] as const),
  fc
    .tuple(query, sizes, fc.constantFrom('', ';a=b'), fc.constantFrom('', 'X: y\r\n'))
    .map(([body, ...how]) => ['Transfer-Encoding: chunked', inChunks(body, ...how)] as const),
)
const withBody = fc
  .tuple(
    fc.constantFrom('/graphql', '/graphql', '/', '/nothing'),
    framed,
    fc.constantFrom([], ['Expect: 100-continue']),
  )
  .map(([address, [framing, body], more]) => {
    const headers = ['Host: gateway', 'Content-Type: application/json', framing, ...more]
    return requestFor(address, headers, 'POST') + body
  })

export interface Pipeline {
  readonly requests: readonly string[]
  /** The same bytes, cut somewhere. */
  readonly packets: readonly string[]
}

/** Requests on one connection, none of which closes the connection. */
export const pipeline: fc.Arbitrary<Pipeline> = fc
  .tuple(
    fc.array(fc.oneof({ arbitrary: bodiless, weight: 2 }, withBody), { minLength: 2, maxLength: 8 }),
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
  )
  .map(([requests, places]) => {
    const bytes = requests.join('')
    const cuts = places.map((place) => Math.floor(place * bytes.length)).toSorted((a, b) => a - b)
    const packets = [...cuts, bytes.length].map((end, index) => bytes.slice(cuts[index - 1] ?? 0, end))
    return { requests, packets }
  })
