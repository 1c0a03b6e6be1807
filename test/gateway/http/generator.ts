// HTTP requests that no client would send, as Latin-1 text.

import fc from 'fast-check'

const pieces = fc.constantFrom(
  ...[
    'Event=',
    'ProfileLookup',
    'AppLookup',
    'Users=',
    'Apps=',
    'MethodOfAccessingUserInformation=',
    'username',
  ],
  ...[
    'Format=',
    'XML',
    'JSON',
    'query=',
    '{__typename}',
    '{users(values:["1"]){id}}',
    'variables=',
    '{"a":1}',
  ],
  ...[
    'extensions=',
    'operationName=',
    'graphql',
    'health',
    'http://a/',
    '&',
    '=',
    '?',
    ':',
    '/',
    '//',
    '\\',
    '..',
  ],
  ...[
    '1',
    '2',
    '007',
    '-1',
    '9007199254740993',
    'ada',
    '%',
    '%00',
    '%0d%0a',
    '%C3%A9',
    '%ff',
    '%ud800',
    '+',
    '#',
  ],
  ...['<script>', "'", '"', '__proto__', '[', ']', '{', '}', ';', '*', '%F0%9F%8C%B8', 'x'.repeat(500)],
)
const headers = fc.constantFrom(
  ...[
    'Accept: text/html',
    'Accept: text/html;q=0',
    'Accept: application/graphql-response+json',
    'Accept: image/png',
  ],
  ...[
    'Accept: ,;q=,',
    'Content-Type: text/plain',
    'Content-Type: application/json',
    'Content-Type: ;',
    'Range: bytes=0-0',
  ],
  ...[
    'If-None-Match: *',
    'If-None-Match: "',
    'Origin: null',
    'Cookie: a=b',
    'Connection: close',
    'Accept-Encoding: x',
  ],
  ...[
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Expect: nothing',
    'X-Forwarded-Host: [',
    `X-Long: ${'x'.repeat(9000)}`,
  ],
)
const target = fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join(''))
const path = fc.constantFrom(
  ...[
    '/',
    '/?',
    '/?Event=ProfileLookup&',
    '/?Event=ProfileLookup&Users=1:',
    '/?Event=AppLookup&Apps=2:',
    '/x?',
  ],
  ...[
    '/?Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=',
    '/?Format=XML&Event=AppLookup&Apps=',
  ],
  ...['/graphql', '/graphql?', '/graphql?query={users(values:["1"]){id}}&'],
)
const body = fc.oneof(fc.constant(''), fc.json(), target, fc.constant('{"query":"{__typename}"}'))
const method = fc.constantFrom(
  'GET',
  'GET',
  'GET',
  'HEAD',
  'POST',
  'POST',
  'PUT',
  'OPTIONS',
  'DELETE',
  'TRACE',
)

/** Requests that Node can read. */
export const wellFormed = fc
  .record({ method, path, target, headers: fc.uniqueArray(headers, { maxLength: 4 }), body })
  .map((parts) => {
    const lines = ['Host: gateway', ...parts.headers, `Content-Length: ${Buffer.byteLength(parts.body)}`]
    const head = `${parts.method} ${parts.path}${parts.target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
    return head + Buffer.from(parts.body).toString('latin1')
  })

const bytes = fc.uint8Array({ maxLength: 12 }).map((array) => Buffer.from(array).toString('latin1'))
const insertion = fc.oneof(
  bytes,
  fc.constantFrom('\r\n', '\n', '\r', '\0', ' ', ':', 'HTTP/1.1', '\r\n\r\n', 'chunked'),
)
const wrongs = fc.constantFrom(
  ...[
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip',
    'Content-Length: 5',
    'Content-Length: -1',
    'Host: [',
  ],
  ...[
    'Content-Length: 99999999999999999999',
    ' folded: line',
    'no colon',
    ': no name',
    'Expect: 100-continue',
    'Host: b',
  ],
)
/** The same with bytes changed and headers that contradict each other. */
export const malformed = fc
  .tuple(
    wellFormed,
    fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), insertion, fc.nat(8))),
    fc.option(wrongs),
  )
  .map(([request, edits, wrong]) => {
    let text = wrong === null ? request : request.replace('\r\n', `\r\n${wrong}\r\n`)
    for (const [place, inserted, removed] of edits) {
      const at = Math.floor(place * text.length)
      text = text.slice(0, at) + inserted + text.slice(at + removed)
    }
    return text
  })
