// Generated requests whose framing no client would send, as Latin-1 text: targets of every form, bodies in
// chunks or of a wrong length, headers that contradict each other, lines with wrong ends.

import fc from 'fast-check'

const LOOKUP = '/?Event=ProfileLookup&Users=1'
const BEHIND = `GET ${LOOKUP} HTTP/1.1\r\nHost: a\r\n\r\n`

/** Mostly usual texts, so that a request has one wrong part. */
function often(usual: readonly string[], rare: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...rare) },
  )
}

const method = often(
  ['GET', 'POST'],
  ['OPTIONS', 'CONNECT', 'TRACE', 'PRI', 'QUERY', 'M-SEARCH', 'get', 'GE T', 'G\0T'],
)
const target = often(
  [LOOKUP, '/graphql', '/graphql?query={__typename}', '/'],
  [
    ...['http://a', 'HTTPS://[::1]:99999', 'http://u:p@a', '//a'].map((origin) => origin + LOOKUP),
    ...'http:// http://a?Event=ProfileLookup&Users=1 http:/ ftp://a/ a:443 * ?Event=ProfileLookup'.split(' '),
    ...[
      '/../',
      '/%2e%2e/',
      '/graphql/',
      '\\',
      ...['\0', '\xff', '\xc3\xa9', ' x'].map((end) => LOOKUP + end),
    ],
    `/${'x'.repeat(70_000)}`,
  ],
)
const version = often(
  [' HTTP/1.1', ' HTTP/1.1', ' HTTP/1.0'],
  [' HTTP/1.2', ' HTTP/2.0', ' http/1.1', ' HTTP/1.1 ', '\tHTTP/1.1', ' HTTP/11', ''],
)
const header = fc.constantFrom(
  ...[' folded: line', '\tfolded', 'X: a\nY: b', Array<string>(2000).fill('X: y').join('\r\n'), 'Host: b'],
  ...['Host:', 'Host: [', 'Host: a, b', 'Connection: close', 'Connection: keep-alive', 'Connection: Upgrade'],
  ...['Upgrade: h2c', 'Upgrade: websocket', 'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA', 'TE: trailers'],
  ...['Expect: 100-continue', 'Expect: 200-ok', 'Content-Encoding: gzip', 'Sec-WebSocket-Key: bm9uY2U='],
  ...['Keep-Alive: timeout=999999999', 'Accept: text/html', 'X-Forwarded-For: a', '__proto__: x', 'X: a\0b'],
  ...['X: a\rb', 'X: \x7f', 'X: \xff', 'X\xff: y', 'X : y', ': y', 'X', `${'X'.repeat(5000)}: y`],
  `X: ${'y'.repeat(70_000)}`,
)

const QUERY = '{"query":"{ __typename }"}'
const content = fc.oneof(fc.constantFrom(QUERY, QUERY, '', BEHIND), fc.json())

/** A text in chunks of these sizes, and the rest in one. */
export function inChunks(text: string, sizes: readonly number[], extension = '', trailer = ''): string {
  let chunked = ''
  let rest = text
  for (const size of [...sizes, text.length]) {
    const chunk = rest.slice(0, size)
    rest = rest.slice(size)
    if (chunk !== '') chunked += `${chunk.length.toString(16)}${extension}\r\n${chunk}\r\n`
  }
  return `${chunked}0\r\n${trailer}\r\n`
}

/** Headers that describe a body, and the body as it is sent. */
type Framed = readonly [headers: readonly string[], body: string]

const length = (bytes: number | string) => `Content-Length: ${bytes}`
const CHUNKED = 'Transfer-Encoding: chunked'
const chunks = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 4 })
const off = fc.constantFrom(0, 0, 1, -1, 100)
const wrongLength = fc.constantFrom('', 'x', '-1', '+1', '0x1', '1,1', '1 1', '9'.repeat(30))
const invalidChunk = fc.constantFrom(
  ...['g\r\n', '-1\r\n', 'ffffffffffffffffff\r\n', '0x5\r\n', ' 5\r\n', '5\n', '5\r', '\r\n', '5\r\nab', '0'],
  ...['0\r\n', '1\r\nab\r\n', '0\r\nX', '00000000000000000000000\r\n\r\n', '1\r\na0\r\n\r\n'],
)
/** Some readers take these headers for chunks, and others do not. */
const ambiguous = fc.constantFrom(
  ...[CHUNKED, `${CHUNKED}\r\n${CHUNKED}`, 'Transfer-Encoding:\r\n chunked', 'Transfer_Encoding: chunked'],
  ...['identity', 'chunked, identity', 'gzip, chunked', 'xchunked', '"chunked"', 'CHUNKED', '\xff', ''].map(
    (coding) => `Transfer-Encoding: ${coding}`,
  ),
  ...['Transfer-Encoding : chunked', 'Transfer-Encoding:\x0bchunked'],
)
const extension = often(['', ';a=b'], [';"', ' ', '\0', ';'.repeat(20_000)])
const trailer = often(['', 'X: y\r\n'], ['X', `${length(9)}\r\n`, 'X: y'])

const framed: fc.Arbitrary<Framed> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(content, off)
      .map(([text, wrong]): Framed => [[length(Math.max(0, text.length + wrong))], text]),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(content, chunks, extension, trailer)
      .map(([text, ...how]): Framed => [[CHUNKED], inChunks(text, ...how)]),
  },
  content.map((text): Framed => [[], text]),
  fc.tuple(content, wrongLength).map(([text, wrong]): Framed => [[length(wrong)], text]),
  fc
    .tuple(content, off)
    .map(([text, wrong]): Framed => [[length(text.length), length(text.length + wrong)], text]),
  fc.tuple(content, invalidChunk).map(([text, wrong]): Framed => [[CHUNKED], wrong + text]),
  fc
    .tuple(content, chunks, ambiguous, fc.constantFrom(null, 0, 4, 5, 30))
    .map(
      ([text, sizes, encoding, claimed]): Framed => [
        claimed === null ? [encoding] : [encoding, length(claimed)],
        inChunks(text, sizes),
      ],
    ),
)

/** One request, good or bad, and perhaps a second one behind it. */
export const strange = fc
  .record({
    first: fc.tuple(method, target, version).map(([verb, address, http]) => `${verb} ${address}${http}`),
    host: often(['Host: a'], ['Host: [', 'X: y']),
    type: often(['Content-Type: application/json'], ['Content-Type: text/plain', 'Content-Type: ']),
    headers: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(header, { maxLength: 3 })),
    framed,
    end: often(['\r\n'], ['\n', '\r', '\r\r\n', '\n\r\n', '\0\r\n']),
    behind: fc.constantFrom('', '', BEHIND),
  })
  .map(({ first, host, type, headers, framed: [framing, body], end, behind }) => {
    const head = [first, host, type, ...headers, ...framing]
    return `${head.join(end)}${end}${end}${body}${behind}`
  })
