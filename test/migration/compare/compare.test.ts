// When two responses are the same: by their bytes, then by their meaning, as clients read JSON and XML.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareResponses } from '../../../src/migration/compare/compare.ts'
import { isOtherHeader } from '../../../src/migration/compare/headers.ts'
import { meaningOf } from '../../../src/migration/compare/read.ts'
import type { OldServiceResponse } from '../../../src/stores/old-service/call.ts'
import { runs, seedOf } from '../../kit/generate.ts'

const reply = (body: string | Buffer, status = 200, contentType = ''): OldServiceResponse => ({
  status,
  headers: { 'content-type': contentType },
  body: Buffer.from(body),
})
/** The kinds of the differences, and their fields. */
const kinds = (old: OldServiceResponse, fresh: OldServiceResponse) =>
  compareResponses(old, fresh)
    .differences.map(({ field, kind }) => `${kind} ${field}`)
    .join(', ')

const row = (id: number) => JSON.stringify({ 1: { Id: id, Username: 'ada' } })
const rowInXml = '<Id>1</Id><Username>ada</Username>'
/** XML with one entry. */
const entry = (fields: string) => `<S><Data Value="1">${fields}</Data></S>`
const root = (content: string) => `<S>${content}</S>`
const data = (value: string) => `<Data Value="${value}"/>`

test.each(['{"1":{"Id":1}}', 'no response at all', '<a', ''])('%j twice is the same', (body) => {
  const same = { verdict: 'bytes', differences: [] }
  expect(compareResponses(reply(body), reply(body))).toEqual(same)
})

describe('the same meaning in different bytes', () => {
  test.each([
    [
      'spaces and the order of members',
      '{ "2": {"A":1, "B":2},\n "1": null }',
      '{"1":null,"2":{"B":2,"A":1}}',
    ],
    ['escapes', '{"1":{"A":"\\u00e9\\/"}}', '{"1":{"A":"é/"}}'],
    ['spellings of a number', '{"1":{"A":1.0,"B":-0,"C":12e2}}', '{"1":{"A":1,"B":0,"C":1200}}'],
    ['an empty array of PHP', '[]', '{}'],
    ['a list of PHP', '[null,{"Id":1}]', '{"0":null,"1":{"Id":1}}'],
    ['a list of values for unknown ids', '[false,"",[],{}]', '{"0":false,"1":"","2":[],"3":{}}'],
    ['deep values', '{"1":{"A":{"x":[1,2.0],"y":1}}}', '{"1":{"A":{"y":1,"x":[1,2]}}}'],
    ['an error with an id of its own', '{"error":"No","request":"a1"}', '{"Error":{"Code":"X"}}'],
    ['the words of an error', '{"error":"No such event"}', '{"Error":{"Code":"UnknownEvent"}}'],
    ['an error in two members', '{"Status":"Error","Message":"No"}', '{"Error":"No"}'],
    ['an error in XML', root('<error>no</error>'), root('<Error><Code>x</Code></Error>')],
    ['an error beside nothing', '{"message":"No","error":null}', '{"Error":"No"}'],
    ['a huge number', '{"1":{"A":1e400}}', '{"1":{"A":10e399}}'],
    ['the order of numbers as names', '{"2":null,"1":null}', '{"1":null,"2":null}'],
    ['a byte order mark that is gone', '\ufeff{"1":null}', '{"1":null}'],
    ['a blank line before the declaration that is gone', `\n<?xml version="1.0"?><S/>`, '<S></S>'],
    ['line ends in XML', entry('<A>a\r\nb</A>'), entry('<A>a\nb</A>')],
    [
      'declaration, indentation, quotes and empty elements',
      `<?xml version="1.0"?>\n${entry('<A/><B>x</B>')}`,
      `<S>\n  <Data Value='1'>\n    <A></A><B>x</B>\n  </Data>\n</S>\n`,
    ],
    [
      'references and CDATA',
      '<S><Data Value="&#233;"><A>&#xE9;&lt;</A></Data></S>',
      '<S><Data Value="é"><A>é<![CDATA[<]]></A></Data></S>',
    ],
    [
      'prefixes of namespaces',
      '<S xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><Data Value="1"/></S>',
      entry(''),
    ],
  ])('%s', (_, old, fresh) => {
    const expected = { verdict: 'meaning', differences: [] }
    expect(compareResponses(reply(old), reply(fresh))).toEqual(expected)
  })

  test('an encoding that the header, or the XML itself, names', () => {
    const latin = (text: string) => Buffer.from(text, 'latin1')
    const old = reply(latin('{"1":{"A":"é"}}'), 200, 'application/json; charset=ISO-8859-1')
    expect(kinds(old, reply('{"1":{"A":"é"}}'))).toBe('')
    const xml = reply(latin(`<?xml version="1.0" encoding="ISO-8859-1"?>${entry('<A>é</A>')}`))
    expect(kinds(xml, reply(entry('<A>é</A>')))).toBe('')
  })
})

describe('another meaning', () => {
  test.each([
    ['a value', '{"1":{"A":"x"}}', '{"1":{"A":"y"}}', 'value A'],
    ['a type', '{"1":{"A":1}}', '{"1":{"A":"1"}}', 'type A'],
    ['false and true', '{"1":{"A":false}}', '{"1":{"A":true}}', 'value A'],
    ['null and an empty text', '{"1":{"A":null}}', '{"1":{"A":""}}', 'type A'],
    ['the last of two members with one name', '{"1":{"A":1,"A":2}}', '{"1":{"A":1}}', 'value A'],
    ['a member with the name __proto__', '{"1":{"__proto__":{"A":1}}}', '{"1":{}}', 'missing __proto__'],
    ['numbers in a list', '{"1":{"A":[9007199254740993]}}', '{"1":{"A":[9007199254740992]}}', 'value A'],
    ['numbers of one double', '{"1":{"A":9007199254740993}}', '{"1":{"A":9007199254740992}}', 'value A'],
    ['one more field', '{"1":{"A":1}}', '{"1":{"A":1,"B":2}}', 'extra B'],
    ['one field less', '{"1":{"A":1,"B":2}}', '{"1":{"A":1}}', 'missing B'],
    ['one more entry', '{}', '{"1":null}', 'extra entry'],
    ['one entry less', '{"1":null}', '[]', 'missing entry'],
    ['a list of an unknown id, and nothing', '[null]', '{}', 'missing entry'],
    ['a list of an unknown id, and an entry', '[null]', '[{"Id":1}]', 'value entry'],
    ['a list, and an entry with a name', '[{"Id":1}]', '{"1":{"Id":1}}', 'missing entry, extra entry'],
    ['a list of texts', '["a"]', '{}', 'unreadable answer'],
    ['a list of true', '[true]', '[]', 'unreadable answer'],
    ['an empty list for null', '{"1":[]}', '{"1":null}', 'value entry'],
    ['an entry for null', '{"1":{"A":1}}', '{"1":null}', 'value entry'],
    ['the same difference twice', '{"1":{"A":1},"2":{"A":1}}', '{"1":{"A":2},"2":{"A":3}}', 'value A'],
    ['several differences', '{"1":{"A":1,"B":1}}', '{"1":{"A":"1","B":2}}', 'type A, value B'],
    ['a user with the name error', '{"error":{"Id":1}}', '{}', 'missing entry'],
    // Some services write an error as a sentence.
    ['a sentence', 'Unknown event', '{"Error":{}}', 'format answer'],
    ['text that is no sentence', 'Unknown event on line 12', '{"Error":{}}', 'unreadable answer'],
    ['two plain texts: only their words say what they are', 'No user 1', 'No user 2', 'value answer'],
    ['true and false', 'true', 'false', 'unreadable answer'],
    ["PHP's serialized arrays", 'a:1:{i:0;i:1;}', 'a:1:{i:0;i:2;}', 'value answer'],
    ['data beside an error of 0', '{"error":0,"Id":1}', '{"error":0,"Id":2}', 'value entry'],
    ['data beside an empty error', '{"error":"","Id":1}', '{"error":"","Id":2}', 'value entry'],
    ['data beside a message', '{"success":1,"message":"a"}', '{"success":1,"message":"b"}', 'value entry'],
    [
      'success and failure',
      '{"success":true,"message":"x"}',
      '{"success":false,"message":"x"}',
      'refused answer',
    ],
    ['data beside an empty error in XML', root('<Error/><A>1</A>'), root('<Error/><A>2</A>'), 'value entry'],
    [
      'elements beside an error in XML',
      ...[root('<Error>x</Error><A><B/></A>'), root('<Error>x</Error><A><C/></A>'), 'missing B, extra C'],
    ],
    ['a namespace that is used', '<S xmlns:x="a"><x:A/></S>', '<S xmlns:x="b"><x:A/></S>', 'value entry'],
    ['a no-break space', entry('\u00a0<A/>'), entry('<A/>'), 'missing  text'],
    [
      'a no-break space and a line break',
      root('<Data Value="1">\u00a0\n</Data>'),
      root(data('1')),
      'value entry',
    ],
    ['a carriage return that is escaped', entry('<A>a&#13;b</A>'), entry('<A>a\nb</A>'), 'value A'],
    ['halves of a character', '{"1":{"A":"\\ud800"}}', '{"1":{"A":"\\ufffd"}}', 'value A'],
    ['a byte order mark', '{"1":null}', '\ufeff{"1":null}', 'unreadable answer'],
    ['a blank line before the declaration', '<S/>', '\n<?xml version="1.0"?><S/>', 'unreadable answer'],
    ['a warning after the response', '{}', '{}<br />', 'unreadable answer'],
    ['an entity that no parser knows', entry('<A>&eacute;</A>'), entry('<A>\u00e9</A>'), 'unreadable answer'],
    ['two pages with status 200', '<html><p>a</p></html>', '<html><p>b</p></html>', 'unreadable answer'],
    ['an empty body', '', '{}', 'unreadable answer'],
    ['half of a response', '{"1":{"A":1', '{"1":{"A":1}}', 'unreadable answer'],
    ['JSON and XML', '{"1":{"A":1}}', entry('<A>1</A>'), 'format answer'],
    ['the name of the root', `<A>${data('1')}</A>`, `<B>${data('1')}</B>`, 'root answer'],
    ['the order in XML', root(data('1') + data('2')), root(data('2') + data('1')), 'order entry'],
    ['the order of fields in XML', entry('<A/><B/>'), entry('<B/><A/>'), 'order entry'],
    ['an entry twice', root(data('1') + data('1')), root(data('1')), 'missing entry'],
    ['text in XML', entry('<A>x </A>'), entry('<A>x</A>'), 'value A'],
    ['XML that is not well-formed', '<S><Data Value="1"></S>', '<S/>', 'unreadable answer'],
    ['null and the text null', '{"9":null}', '{"9":"null"}', 'value entry'],
    ['a list and a text', '{"9":[]}', '{"9":"[]"}', 'value entry'],
    ['an error beside an entry', '{"1":{"A":1},"error":"2?"}', '{"error":"no"}', 'refused answer'],
    ['entries beside no errors', '{"1":{"A":1},"errors":[]}', '{"errors":[],"1":{"A":2}}', 'value A'],
    ['a user with the name message', '{"Message":{"Id":1}}', '{"Error":"No"}', 'refused answer'],
    ['an unknown user error', '{"error":null}', '{"error":{"code":"X"}}', 'refused answer'],
    [
      'an error beside an entry in XML',
      ...[root(`${data('1')}<Error>2?</Error>`), root('<Error>2?</Error>'), 'refused answer'],
    ],
    [
      'a blank in an entry',
      root('<Data Value="1"> x</Data>'),
      root('<Data Value="1">x</Data>'),
      'value entry',
    ],
    ['an attribute of an entry', root('<Data Value="1" Error="x"/>'), root(data('1')), 'value entry'],
    ['an attribute of the root', '<S xmlns="urn:x"/>', '<S/>', 'missing entry'],
    ['text in the root', root('No such user'), '<S/>', 'missing entry'],
    ['text beside fields', entry('OOPS<A>1</A>'), entry('<A>1</A>'), 'missing  text'],
    ['an element named like an id', root(data('&lt;B&gt;')), root('<B/>'), 'missing entry, extra entry'],
    [
      'escaped and real elements',
      ...[entry('<A><Y>a&lt;/Y>&lt;Y>b</Y></A>'), entry('<A><Y>a</Y><Y>b</Y></A>'), 'value A'],
    ],
    [
      'a number in a name, and a name twice',
      ...[root(data('a') + data('a (2)')), root(data('a') + data('a')), 'missing entry, extra entry'],
    ],
  ])('%s', (_, old, fresh, expected) => {
    expect(kinds(reply(old), reply(fresh))).toBe(expected)
  })

  test('the same bytes in another encoding', () => {
    const in_ = (body: string, charset: string) => reply(body, 200, `application/json; charset=${charset}`)
    expect(kinds(in_('{"1":{"A":"é"}}', 'iso-8859-1'), in_('{"1":{"A":"é"}}', 'utf-8'))).toBe('value A')
    expect(compareResponses(in_('{}', 'iso-8859-1'), in_('{}', 'utf-8')).verdict).toBe('bytes')
    expect(kinds(in_('{}', 'utf-16'), in_('{}', 'utf-8'))).toBe('refused answer')
    // MySQL's name of UTF-8, which no client knows.
    expect(kinds(in_('{} ', 'utf8mb4'), in_('{}', 'utf-8'))).toBe('')
  })

  test.each<[string, OldServiceResponse, OldServiceResponse, string]>([
    ['of a response', reply('{}', 203), reply('{}'), 'status answer'],
    ['of an error', reply('{"error":"x"}', 404), reply('{"error":"x"}', 400), 'status answer'],
    ['200 of an error', reply('{"error":"x"}', 200), reply('{"Error":{}}', 400), 'status answer'],
    // Clients notice an error by its status, if it has one.
    ['the same of errors in two formats', reply('<S><Error/></S>', 400), reply('{"error":"x"}', 400), ''],
    ['the same of a page and an error', reply('<h1>no</h1>', 400), reply('{"Error":{}}', 400), ''],
    [
      '200 of errors in two formats',
      reply('<S><Error>x</Error></S>'),
      reply('{"error":"x"}'),
      'format answer',
    ],
    ['404 of two entries', reply(row(1), 404), reply(row(2), 404), 'value Id'],
    ['404 of an entry and an error', reply(row(1), 404), reply('{"Error":"x"}', 404), 'refused answer'],
    ['404 of entries in two formats', reply(row(1), 404), reply(entry(rowInXml), 404), 'format answer'],
    ['404 of errors with one field', reply('{"a":{"Id":1}}', 404), reply('{"a":{"Id":2}}', 404), ''],
    ['of broken UTF-8', reply(Buffer.from('{"\xff"', 'latin1')), reply('{}'), 'unreadable answer'],
  ])('a status: %s', (_, old, fresh, expected) => {
    expect(kinds(old, fresh)).toBe(expected)
  })
})

describe('the Content-Type', () => {
  const json = 'application/json'
  test.each([
    ['JSON as a page', '{}', 'text/html; charset=UTF-8', json, 'different'],
    ['JSON without a type', '{}', '', json, 'bytes'],
    ['XML as plain text', '<S/>', 'text/plain', 'text/xml', 'different'],
    ['JSON as XML', '{}', 'text/xml', json, 'different'],
    ['two names of JSON', '{}', 'application/json', 'text/x-json;charset=utf-8', 'bytes'],
    ['two names of XML', '<S/>', 'application/xml', 'Text/XML; charset=utf-8', 'bytes'],
    ['pages of both', '{}', 'text/html', 'text/html; charset=utf-8', 'bytes'],
  ])('%s', (_, body, old, fresh, verdict) => {
    expect(compareResponses(reply(body, 200, old), reply(body, 200, fresh)).verdict).toBe(verdict)
    // Beside the same meaning in other bytes.
    const other = compareResponses(reply(body, 200, old), reply(`${body}\n`, 200, fresh))
    expect(other.verdict).toBe(verdict === 'bytes' ? 'meaning' : verdict)
    // Clients of an error look at the status.
    const error = compareResponses(reply(body, 400, old), reply(body, 400, fresh))
    expect(error.verdict).toBe(verdict === 'bytes' ? 'bytes' : 'meaning')
  })

  test('is the difference, with both as an example', () => {
    const [old, fresh] = [reply('{"1":null}', 200, 'text/html'), reply('{"1":null}', 200, json)]
    expect(compareResponses(old, fresh).differences).toEqual([
      { scope: 'response', field: 'Content-Type', kind: 'header', old: 'text/html', new: json },
    ])
    expect(kinds(old, reply('<S/>', 200, json))).toBe('format answer')
  })
})

test.each([
  ['', 'no-store', true],
  ['', 'public, max-age=0', true],
  ['no-store, no-cache, must-revalidate', 'max-age=0, private', true],
  ['max-age=60', 'MAX-AGE=60, public', true],
  ['max-age=60', '', false],
  ['max-age=60', 'max-age=61', false],
  ['max-age=60', 'private, max-age=60', false],
  ['max-age=60', 'max-age=60, no-cache', false],
  ['max-age=0', 's-maxage=9, max-age=0', false],
])('Cache-Control: %s and %s mean the same: %s', (old, fresh, expected) => {
  const cached = (text: string): OldServiceResponse => ({
    ...reply('{}'),
    headers: { 'cache-control': text },
  })
  expect(isOtherHeader('Cache-Control', cached(old), cached(fresh))).toBe(!expected)
})

/** A response with entries and their fields, and the same response with one field changed. */
const changed = fc
  .tuple(
    fc.dictionary(fc.stringMatching(/^[a-z0-9 ]{1,6}$/), fc.constant(null), { minKeys: 1, maxKeys: 4 }),
    fc.dictionary(fc.stringMatching(/^[A-Z]\w{0,5}$/), fc.string({ unit: 'grapheme' }), {
      minKeys: 1,
      maxKeys: 4,
    }),
    fc.string({ minLength: 1, unit: 'grapheme' }),
  )
  .map(([names, fields, more]) => {
    const [first = ''] = Object.keys(fields)
    const other = { ...fields, [first]: `${fields[first]}${more}` }
    const response = (ofLast: object) =>
      Object.keys(names).map((name, at, all) => [name, at === all.length - 1 ? ofLast : fields] as const)
    return { old: response(fields), same: response({ ...fields }), fresh: response(other) }
  })

test('each changed value is a difference in JSON and XML, however it is written', () => {
  type Response = readonly (readonly [name: string, fields: object])[]
  const escaped = (text: string) => [...text].map((one) => `&#${one.codePointAt(0)};`).join('')
  const section = (text: string) => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
  const inXml = (response: Response, write: (text: string) => string) =>
    root(
      response
        .map(([name, fields]) => {
          const elements = Object.entries(fields).map(
            ([field, text]) => `<${field}>${write(text)}</${field}>`,
          )
          return `<Data Value="${name}">${elements.join('\n')}</Data>`
        })
        .join('\n'),
    )
  const inJson = (response: Response, space = '') => JSON.stringify(Object.fromEntries(response), null, space)
  const verdict = (old: string, fresh: string) => compareResponses(reply(old), reply(fresh)).verdict
  fc.assert(
    fc.property(changed, ({ old, same, fresh }) => {
      expect(verdict(inJson(old), inJson(same, ' '))).toBe('meaning')
      expect(verdict(inJson(old), inJson(fresh))).toBe('different')
      expect(verdict(inXml(old, escaped), inXml(same, section))).toBe('meaning')
      expect(verdict(inXml(old, escaped), inXml(fresh, section))).toBe('different')
    }),
    { numRuns: runs(200, 20_000), seed: seedOf('changed values') },
  )
})

describe('limits', () => {
  const many = (count: number, name: (at: number) => string, value: string) =>
    reply(
      JSON.stringify({ 1: Object.fromEntries(Array.from({ length: count }, (_, at) => [name(at), value])) }),
    )

  test('examples are cut between characters', () => {
    const [difference] = compareResponses(
      many(1, () => 'A', '🌸'.repeat(5000)),
      many(1, () => 'A', ''),
    ).differences
    expect([...(difference?.old ?? '')]).toHaveLength(201)
    expect(difference?.old.isWellFormed()).toBe(true)
  })

  test('deep nesting is unreadable', () => {
    const deep = (open: string, close: string) => `${open.repeat(20_000)}${close.repeat(20_000)}`
    expect(kinds(reply(deep('<a>', '</a>')), reply('<S/>'))).toBe('unreadable answer')
    expect(kinds(reply(`{"1":${deep('[', ']')}}`), reply('{}'))).toBe('unreadable answer')
  })

  test('XML of more than 100,000 elements is unreadable', () => {
    const kindOf = (elements: number) => meaningOf(reply(root('<Data/>'.repeat(elements)))).kind
    expect([kindOf(99_999), kindOf(100_000)]).toEqual(['entries', 'unreadable'])
  })

  test('a hundred differences are reported, each with a short name and example', () => {
    const { differences } = compareResponses(
      many(2_000, String, 'x'),
      many(1, () => 'a', 'x'),
    )
    expect(differences).toHaveLength(100)
    const long = (at: number) => `${'a'.repeat(300)}${at}`
    const cut = compareResponses(many(200, long, 'x'.repeat(300)), many(200, long, 'y')).differences
    // The names are the same after they are cut.
    expect(cut.map(({ field, old }) => [field.length, old.length])).toEqual([[65, 201]])
  })
})

test.each([
  ['ERROR: no users given', 'refusal'],
  ['{"error":true,"message":"No match"}', 'refusal'],
  ['{"detail":"No such user"}', 'refusal'],
  ['{"ErrorCode":3,"ErrorMessage":"No such user"}', 'refusal'],
  ['{"code":0,"message":"x"}', 'entries'],
  ['{"message":false}', 'entries'],
  [root('<Status>Error</Status><Message>Invalid</Message>'), 'refusal'],
  ['{"success":false,"message":"x"}', 'refusal'],
  ['{"success":true,"message":"x"}', 'entries'],
  ['{"message":{"Id":1}}', 'entries'],
  ['{"message":"","detail":null}', 'entries'],
  [root('<Data Value="1"><Id>1</Id></Data><Message>x</Message>'), 'entries'],
  ['\nWarning: x in y on line 3', 'unreadable'],
  ['x'.repeat(501), 'unreadable'],
])('with status 200, %j is of the kind %s', (body, kind) => {
  expect(meaningOf(reply(body)).kind).toBe(kind)
})
