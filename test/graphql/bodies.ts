// Generated messages that no client would send: a body that is almost JSON, or JSON that is almost a request,
// and headers that say something else.

import { gzipSync } from 'node:zlib'
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
    fc.constantFrom(3, 100, 10_000),
  )
  .map(([[open, close], depth]) => `${open.repeat(depth)}1${close.repeat(depth)}`)

const literal = fc.oneof(
  deep,
  fc.json(),
  fc.integer({ min: 20, max: 2000 }).map((digits) => '9'.repeat(digits)),
  fc.constantFrom(
    ...'1e999 -1e999 1e-999 -0 9007199254740993 0x1 01 1. .5 NaN +1 null true {} []'.split(' '),
    ...['"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"\t"', "'1'", '"', '', '["1","1"]', '// 1\n1'],
    ...['{"__proto__":{"query":"{a}"}}', '{"constructor":{"prototype":{"x":1}}}'],
  ),
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
// A member may come twice: JSON.parse takes the last one.
const object = fc.array(member, { maxLength: 5 }).map((members) => `{${members.join(',')}}`)

const form = fc
  .array(fc.tuple(name, fc.oneof(queryText, literal, fc.string({ unit: 'binary', maxLength: 6 }))))
  .map((pairs) => new URLSearchParams(pairs.map(([key, value]) => [key, value.toWellFormed()])).toString())

const text = fc.oneof(
  { arbitrary: object, weight: 4 },
  { arbitrary: anyRequest.map((params) => JSON.stringify(params)), weight: 4 },
  { arbitrary: fc.array(object, { maxLength: 3 }).map((objects) => `[${objects.join(',')}]`), weight: 1 },
  { arbitrary: literal, weight: 2 },
  { arbitrary: form, weight: 2 },
  { arbitrary: queryText, weight: 1 },
)
const invalid = Buffer.from('c328eda080ff', 'hex')
const encode = fc.constantFrom<(text: string) => Buffer>(
  ...Array<(text: string) => Buffer>(9).fill((all) => Buffer.from(all)),
  (all) => Buffer.from(all, 'utf16le'),
  (all) => Buffer.from(`\ufeff${all}`),
  (all) => Buffer.concat([Buffer.from(all.slice(0, 12)), invalid, Buffer.from(all.slice(12))]),
  (all) => gzipSync(all),
)

const types = fc.constantFrom(
  ...[...Array<string>(10).fill('application/json'), 'APPLICATION/JSON; charset=UTF-8'],
  ...['application/json; charset=utf-16', 'application/json;', 'application/json, text/plain', ';', ''],
  ...['application/x-www-form-urlencoded', 'application/graphql+json', 'application/graphql', 'text/plain'],
  ...['multipart/form-data', 'multipart/form-data; boundary=x'],
)
const accept = fc.constantFrom(
  ...['application/json', 'application/graphql-response+json', 'application/graphql-response+json', '*/*'],
  ...['text/html', 'image/png', 'multipart/mixed', 'text/event-stream', ',', 'application/*;q=0.1, */*;q=0'],
)
const coding = fc.option(fc.constantFrom('gzip', 'br', 'identity', 'chunked', '', 'gzip, gzip'), { freq: 4 })

const post: fc.Arbitrary<Message> = fc
  .tuple(fc.option(form, { freq: 1 }), text, encode, types, coding, accept)
  .map(([query, all, encoder, type, contentEncoding, accepted]) => ({
    method: 'POST',
    target: query === null ? '/graphql' : `/graphql?${query}`,
    headers: {
      ...{ 'content-type': type, accept: accepted },
      ...(contentEncoding === null ? {} : { 'content-encoding': contentEncoding }),
    },
    body: encoder(all),
  }))

const get: fc.Arbitrary<Message> = fc.tuple(form, accept).map(([query, accepted]) => ({
  method: 'GET',
  target: `/graphql?${query}`,
  headers: { accept: accepted },
  body: Buffer.alloc(0),
}))

/** A GraphQL request in any of the ways in which one can be sent, and in some in which none can. */
export const anyMessage = fc.oneof({ arbitrary: post, weight: 6 }, { arbitrary: get, weight: 1 })
