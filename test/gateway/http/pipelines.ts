// Several requests on one connection, each of which leaves it fit for the next, and the packets they come in.

import fc from 'fast-check'
import { inChunks } from './framing.ts'
import { requestFor } from './raw.ts'

const target = fc.constantFrom(
  ...[
    '/?Event=ProfileLookup&Users=1:2:3',
    '/?Event=ProfileLookup&Users=007&Format=XML',
    '/?Event=AppLookup&Apps=2:1',
  ],
  ...[
    '/?Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=S%C3%98REN',
    '/?Event=AppLookup&Apps=9',
  ],
  ...[
    '/?Event=Nope',
    '/?Event=ProfileLookup&Users=x&Format=XML',
    '/?%',
    '/',
    '/nothing',
    '/graphql',
    '/graphql?query={',
  ],
  ...['/graphql?query={users(values:["1"]){username}}', `/?Event=ProfileLookup&Users=${'1:'.repeat(3000)}2`],
)
const header = fc.constantFrom(
  'Accept: */*',
  'If-None-Match: *',
  'Accept: text/html',
  'X-Long: '.padEnd(3000, 'x'),
  'TE: trailers',
)
const headers = fc.array(header, { maxLength: 2 }).map((some) => ['Host: gateway', ...new Set(some)])

const bodiless = fc
  .tuple(fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'OPTIONS'), target, headers)
  .map(([method, address, lines]) => requestFor(address, lines, method))

const query = fc.constantFrom(
  ...[
    '{"query":"{ users(values: [\\"1\\", \\"2\\"]) { id displayName } }"}',
    '{"query":"{ a: __typename }"}',
    '{"query":"{"}',
    '{}',
    '',
  ],
  ...[
    '{"query":"query ($v: [String!]!) { users(by: CHAT, values: $v) { id } }","variables":{"v":["chat-1001","x"]}}',
  ],
)
const framed = fc.oneof(
  query.map((body) => [`Content-Length: ${body.length}`, body] as const),
  fc
    .tuple(
      query,
      fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 5 }),
      fc.constantFrom('', ';a=b'),
      fc.constantFrom('', 'X: y\r\n'),
    )
    .map(([body, ...how]) => ['Transfer-Encoding: chunked', inChunks(body, ...how)] as const),
)
const withBody = fc
  .tuple(
    fc.constantFrom('/graphql', '/graphql', '/graphql', '/', '/nothing'),
    framed,
    fc.constantFrom([], ['Expect: 100-continue']),
  )
  .map(([address, [framing, body], more]) => {
    const lines = ['Host: gateway', 'Content-Type: application/json', framing, ...more]
    return requestFor(address, lines, 'POST') + body
  })

export interface Pipeline {
  readonly requests: readonly string[]
  /** The same bytes, cut somewhere. */
  readonly packets: readonly string[]
}

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
