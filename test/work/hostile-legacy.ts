// Legacy requests made to be expensive: each fits through the front door, or is refused there.

import fc from 'fast-check'
import { requestFor } from '../http/raw.ts'

/** Bytes that a target may have, and a little more. */
const LONGEST = 66_000

/** Characters whose normalisation, decoding or escaping is dear. */
const units = [
  ...['e\u0301', '\u0301\u0323', '\u0323\u0301\u0327\u0334\u0345\u3099', '\ufdfa', '\u0f77'],
  ...['\u1112\u1161\u11ab', '\u{1d160}', 'İ', 'ﬀ', '🌸', 'a', '%', '\u202e', '"', '/', '&'],
]

const bytesOf = (text: string) => Buffer.from(text).toString('latin1')
const escaped = (text: string) => encodeURIComponent(text.toWellFormed())

/** A text again and again, up to a length. */
export function fill(text: string, length: number): string {
  return text === '' ? '' : text.repeat(Math.max(1, Math.floor(length / text.length)))
}

const sizes = fc.oneof(
  fc.constantFrom(200, 4_000, 30_000, 64_000, LONGEST),
  fc.integer({ min: 1, max: LONGEST }),
)
const methods = fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'DELETE', 'POST', 'OPTIONS')
const paths = fc.constantFrom('/', '/', '/', '/explain', '/graphql', '/nowhere', '/schema/legacy.xsd')
const formats = fc.constantFrom('', '&Format=XML', '&Format=nope', '&Format=XML&Format=XML')
const lookups = fc.constantFrom(
  'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=',
  'Event=ProfileLookup&MethodOfAccessingUserInformation=chat&Users=',
  'Event=ProfileLookup&Users=',
  'Event=AppLookup&Apps=',
)

/** Lists of names, each of a number of characters, all different or all the same. */
export const nameLists = fc
  .record({
    start: lookups,
    unit: fc.constantFrom(...units),
    length: fc.oneof(fc.constantFrom(1, 2, 128, 256, 257), fc.integer({ min: 1, max: 2_000 })),
    differ: fc.boolean(),
    encode: fc.constantFrom(bytesOf, escaped),
    size: sizes,
    path: paths,
    format: formats,
  })
  .map(({ start, unit, length, differ, encode, size, path, format }) => {
    const name = fill(unit, length).slice(0, length)
    const room = size - start.length - format.length - path.length
    let list = ''
    for (let index = 0; list.length < room && index < 40_000; index++)
      list += `${encode(differ ? `${index.toString(36)}${name}` : name)}:`
    return requestFor(`${path}?${start}${list.slice(0, Math.max(0, room))}${format}`)
  })

const pieces = [
  ...['%', '%4', '%zz', '%c3', '%C3%A9', '%45vent', '+', '&', '=', '&&', '&=', ':', '%3A', '\xff'],
  ...['\xc3\xa9', 'a=b&', 'Event=', 'Event=ProfileLookup&', 'Format=%4&', 'Form%61t', 'Users=1:'],
  ...['1:', '00:', 'x'],
]

/** Query strings of a few pieces, again and again. */
export const queryStrings = fc
  .record({
    start: fc.constantFrom(
      ...['', '', 'Event=ProfileLookup&Users=', 'Event=ProfileLookup&Users=1&', 'Format=XML&'],
    ),
    pattern: fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }),
    size: sizes,
    method: methods,
    path: paths,
    accept: fc.constantFrom('*/*', 'text/html'),
  })
  .map(({ start, pattern, size, method, path, accept }) => {
    const query = `${start}${fill(pattern.join(''), size - start.length)}`
    return requestFor(`${path}?${query}`, ['Host: a', `Accept: ${accept}`], method)
  })

/** Lists of identifiers, of so many different digits. */
export const idLists = fc
  .record({
    start: lookups,
    count: fc.oneof(fc.constantFrom(1, 100, 999, 1_000, 1_001), fc.integer({ min: 1, max: 12_000 })),
    zeros: fc.integer({ min: 0, max: 60 }),
    first: fc.constantFrom(1, 1_000_000, 9_007_199_254_739_000),
    separator: fc.constantFrom(':', '%3A', '::'),
    path: fc.constantFrom('/', '/', '/explain'),
    format: formats,
  })
  .map(({ start, count, zeros, first, separator, path, format }) => {
    const ids = Array.from({ length: count }, (_, index) => `${'0'.repeat(zeros)}${first + index}`)
    return requestFor(`${path}?${start}${ids.join(separator)}`.slice(0, LONGEST) + format)
  })

/** Headers that are lists, or long, or many. */
export const headerFloods = fc
  .record({
    name: fc.constantFrom(
      ...['Accept', 'If-None-Match', 'X-Forwarded-For', 'X-Request-Id', 'Host', 'Cookie', 'Content-Type'],
      ...['Accept-Encoding', 'Expect', 'X'],
    ),
    item: fc.constantFrom(
      ...['*/*', 'text/html', 'text/html;q=0.1', '"a"', 'W/"a"', '192.0.2.1', 'a', ',', ';', ';q=', ' '],
    ),
    first: fc.constantFrom('', 'a'),
    separator: fc.constantFrom(',', ', ', ';', ' ', '\r\nX: '),
    size: fc.constantFrom(1_000, 60_000, 200_000),
    target: fc.constantFrom(
      ...['/', '/?Event=ProfileLookup&Users=1', `/?Event=ProfileLookup&Users=${bytesOf('é')}`],
      ...['/graphql?query={__typename}', '/nowhere'],
    ),
  })
  .map(({ name, item, first, separator, size, target }) => {
    const value = fill(`${item}${separator}`, size)
    return requestFor(target, [...(name === 'Host' ? [] : ['Host: a']), `${name}: ${first}${value}x`])
  })

/** Bodies in pieces of any size, wherever they go. */
export const chunkedBodies = fc
  .record({
    chunk: fc.constantFrom(1, 2, 5, 64, 1_000, 20_000),
    extension: fc.constantFrom('', ';a', ';a=b;c="d"'),
    size: fc.constantFrom(1_000, 64_000, 400_000),
    method: fc.constantFrom('GET', 'POST', 'DELETE'),
    path: fc.oneof(paths, fc.constant('/graphql')),
    type: fc.constantFrom('application/json', 'application/x-www-form-urlencoded'),
  })
  .map(({ chunk, extension, size, method, path, type }) => {
    const headers = ['Host: a', `Content-Type: ${type}`, 'Transfer-Encoding: chunked']
    const body = fill(`${chunk.toString(16)}${extension}\r\n${' '.repeat(chunk)}\r\n`, size)
    return `${requestFor(path, headers, method)}${body}0\r\n\r\n`
  })
