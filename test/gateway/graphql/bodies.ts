// Bodies that no client would post: what is almost JSON, what is JSON and almost a request, and what says
// it is something else.

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { anyRequest, rightQuery } from './generator.ts'

export interface Message {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const deep = fc
  .tuple(
    fc.constantFrom<readonly [open: string, close: string]>(['[', ']'], ['{"a":', '}'], ['[{"":', '}]']),
    fc.constantFrom(3, 100, 3000, 10_000),
    fc.boolean(),
  )
  .map(([[open, close], depth, closed]) => `${open.repeat(depth)}1${closed ? close.repeat(depth) : ''}`)

const number = fc.oneof(
  fc.constantFrom(...'1e999 -1e999 1e-999 -0 9007199254740993 0x1 01 1. .5 NaN +1'.split(' ')),
  fc.integer({ min: 20, max: 2000 }).map((digits) => '9'.repeat(digits)),
  fc.double({ noDefaultInfinity: true, noNaN: true }).map(String),
)

const literal = fc.oneof(
  { arbitrary: number, weight: 2 },
  { arbitrary: deep, weight: 1 },
  { arbitrary: fc.json(), weight: 2 },
  {
    arbitrary: fc.constantFrom(
      ...['"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"\t"', "'1'", '"', 'null', 'true', '{}', '[]', ''],
      ...['{"__proto__":{"query":"{a}"}}', '{"constructor":{"prototype":{"x":1}}}', '["1","1"]', '// 1\n1'],
    ),
    weight: 3,
  },
)

const name = fc.constantFrom(
  ...['query', 'query', 'query', 'variables', 'variables', 'operationName', 'extensions', 'v', 'by'],
  ...['__proto__', 'constructor', 'toString', 'Query', '', '\\u0071uery', 'id', 'hash', 'documentId'],
)
const queryText = fc.oneof(rightQuery, fc.constantFrom('{__typename}', '{ users(values: ["1"]) { id } }'))
const member = fc.oneof(
  queryText.map((query) => `"query":${JSON.stringify(query)}`),
  fc.tuple(name, literal).map(([key, value]) => `"${key}":${value}`),
)
// Members may come twice: the last one counts, as JSON.parse has it.
const object = fc.array(member, { maxLength: 5 }).map((members) => `{${members.join(',')}}`)

const json = fc.oneof(
  { arbitrary: object, weight: 4 },
  { arbitrary: anyRequest.map((params) => JSON.stringify(params)), weight: 4 },
  { arbitrary: fc.array(object, { maxLength: 3 }).map((objects) => `[${objects.join(',')}]`), weight: 1 },
  { arbitrary: literal, weight: 2 },
)

// What a query string or a form has in place of JSON.
const wrong = fc.constantFrom('{', 'no', '[1', '"', '\0', '')
const form = fc
  .array(
    fc.tuple(
      name,
      fc.oneof(queryText, number, wrong, fc.json(), fc.string({ unit: 'binary', maxLength: 6 })),
    ),
  )
  .map((pairs) => new URLSearchParams(pairs.map(([key, value]) => [key, value.toWellFormed()])).toString())

const part = fc
  .tuple(fc.constantFrom('operations', 'map', '0', 'query', ''), literal)
  .map(([key, value]) => `--x\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`)
const multipart = fc
  .tuple(fc.array(part, { maxLength: 3 }), fc.constantFrom('--x--\r\n', '--x', ''))
  .map(([parts, end]) => parts.join('') + end)

const text = fc.oneof(
  { arbitrary: json, weight: 6 },
  { arbitrary: form, weight: 2 },
  { arbitrary: multipart, weight: 1 },
  { arbitrary: queryText, weight: 1 },
)

const encode = fc.constantFrom<(text: string) => Buffer>(
  ...Array<(text: string) => Buffer>(9).fill((all) => Buffer.from(all)),
  (all) => Buffer.from(all, 'utf16le'),
  (all) => Buffer.from(all, 'latin1'),
  (all) => Buffer.from(`\ufeff${all}`),
  // Invalid UTF-8 somewhere in the middle.
  (all) =>
    Buffer.concat([
      Buffer.from(all.slice(0, 12)),
      Buffer.from('c328eda080ff', 'hex'),
      Buffer.from(all.slice(12)),
    ]),
  (all) => gzipSync(all),
  (all) => deflateSync(all),
  (all) => brotliCompressSync(all),
)
const bytes = fc.oneof(
  { arbitrary: fc.tuple(text, encode).map(([all, encoder]) => encoder(all)), weight: 9 },
  { arbitrary: fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)), weight: 1 },
)

const contentType = fc.constantFrom(
  ...[...Array<string>(10).fill('application/json'), 'APPLICATION/JSON; charset=UTF-8'],
  ...['application/json; charset=utf-16', 'application/json;', 'application/json, text/plain'],
  ...['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded', 'application/graphql+json'],
  ...['application/graphql', 'text/plain', 'multipart/form-data', ';', ''],
  ...['multipart/form-data; boundary=x', 'multipart/form-data; boundary=x'],
)
const contentEncoding = fc.constantFrom('gzip', 'deflate', 'br', 'identity', 'chunked', '', 'gzip, gzip')
const accept = fc.constantFrom(
  ...['application/json', 'application/graphql-response+json', 'application/graphql-response+json', '*/*'],
  ...['text/html', 'image/png', 'multipart/mixed', 'text/event-stream', ',', 'application/*;q=0.1, */*;q=0'],
)

const post: fc.Arbitrary<Message> = fc
  .record({
    target: fc.oneof(
      { arbitrary: fc.constant('/graphql'), weight: 8 },
      { arbitrary: form.map((query) => `/graphql?${query}`), weight: 1 },
    ),
    body: bytes,
    'content-type': contentType,
    'content-encoding': fc.option(contentEncoding, { freq: 4 }),
    accept: fc.option(accept, { freq: 5 }),
  })
  .map(({ target, body, ...lines }) => {
    const headers: Record<string, string> = {}
    for (const [key, value] of Object.entries(lines)) if (value !== null) headers[key] = value
    return { method: 'POST', target, headers, body }
  })

const get: fc.Arbitrary<Message> = fc.tuple(form, accept).map(([query, accepted]) => ({
  method: 'GET',
  target: `/graphql?${query}`,
  headers: { accept: accepted },
  body: Buffer.alloc(0),
}))

/** A GraphQL request in any of the ways in which one can be sent, and some in which none can. */
export const anyMessage = fc.oneof({ arbitrary: post, weight: 6 }, { arbitrary: get, weight: 1 })
