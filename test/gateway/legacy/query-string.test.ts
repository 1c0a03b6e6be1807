// Query strings are read in one pass, whatever they hold: as decodeURIComponent would decode them, without
// throwing.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { legacyEvents } from '../../../src/gateway/legacy/events/index.ts'
import { decode, parseQueryString } from '../../../src/gateway/legacy/query-string.ts'
import { createRequestReader } from '../../../src/gateway/legacy/request.ts'

/** The plain way to decode a form's text whose characters are bytes. */
function decodePlainly(text: string): string | null {
  const bytes = text
    .replaceAll('+', ' ')
    .replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`)
  try {
    const decoded = decodeURIComponent(bytes)
    return decoded.includes('\0') ? null : decoded
  } catch {
    return null
  }
}

const piece = fc.oneof(
  fc.constantFrom(
    '%',
    '%4',
    '%zz',
    '%00',
    '\0',
    '+',
    '%2B',
    '%c3%A9',
    '\xc3\xa9',
    '\xc3%a9',
    '%C3\xa9',
    '\xff',
    '%ed%a0%80',
  ),
  fc.constantFrom('%f0%9f%8c%b8', '%C0%80', '%EF%BB%BF', 'a', ':', '%3a', 'é'),
  fc.string({
    unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
    maxLength: 3,
  }),
)
const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))

test('texts are decoded as decodeURIComponent decodes them', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(decode(text)).toBe(decodePlainly(text))
    }),
    { numRuns: 20_000 },
  )
})

test('a text longer than any request target is decoded, too', () => {
  expect(decode('%C3%A9'.repeat(50_000))).toBe('é'.repeat(50_000))
})

const { dialect } = readConfig({})
const { readRefused } = createRequestReader(legacyEvents(dialect), dialect)

/** What parsing the query as a whole finds, where it can be parsed. */
function readPlainly(query: string) {
  const parameters = parseQueryString(query)
  const first = (name: string) => {
    const at = parameters.findIndex((text, index) => index % 2 === 0 && text === name)
    return at === -1 ? undefined : parameters[at + 1]
  }
  const format = first('Format')
  return { event: first('Event'), format: format === 'XML' ? 'XML' : 'JSON' }
}

const parameter = fc.tuple(
  fc.constantFrom(
    'Event',
    'Format',
    '%45vent',
    'Form%61t',
    '%46%6F%72%6D%61%74',
    'Users',
    'event',
    '',
    'Eventx',
    'E'.repeat(40),
  ),
  fc.constantFrom('=', '=', '=', ''),
  fc.constantFrom('XML', 'JSON', 'ProfileLookup', 'X%4DL', '', '=', 'x'.repeat(50)),
)
const queries = fc
  .array(parameter, { maxLength: 6 })
  .map((parameters) => parameters.map((parts) => parts.join('')).join('&'))

describe('of a request that is refused', () => {
  test('event and format are those that parsing finds', () => {
    fc.assert(
      fc.property(queries, (query) => {
        expect(readRefused(query)).toEqual(readPlainly(query))
      }),
      { numRuns: 5_000 },
    )
  })

  test.each([
    ['Event=%4&Format=XML', { event: undefined, format: 'XML' }],
    ['%4&Event=AppLookup&%&Format=XML', { event: 'AppLookup', format: 'XML' }],
    ['Event=%4&Event=AppLookup', { event: 'AppLookup', format: 'JSON' }],
    ['Format=XML&Format=JSON', { event: undefined, format: 'XML' }],
    ['Format', { event: undefined, format: 'JSON' }],
    ['', { event: undefined, format: 'JSON' }],
  ])('%s is read as far as it can be read', (query, read) => {
    expect(readRefused(query)).toEqual(read)
  })
})
