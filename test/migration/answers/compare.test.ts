// What counts as the same: bytes, then meaning, as clients read JSON and XML.

import { describe, expect, test } from 'vitest'
import { compareReplies } from '../../../src/migration/answers/compare.ts'
import { canonical } from '../../../src/migration/answers/number.ts'
import type { Reply } from '../../../src/stores/old-service/call.ts'

const reply = (body: string | Buffer, status = 200, contentType = ''): Reply => ({
  status,
  headers: { 'content-type': contentType },
  body: Buffer.from(body),
})
const compare = (old: string, fresh: string) => compareReplies(reply(old), reply(fresh))
const kinds = (old: Reply, fresh: Reply) =>
  compareReplies(old, fresh).differences.map(({ field, kind }) => `${kind} ${field}`)

test('same bytes are the same, whatever they say', () => {
  for (const body of ['{"1":{"Id":1}}', 'no answer at all', '<a', ''])
    expect(compare(body, body)).toEqual({ bytes: 'same', differences: [], ignored: [] })
})

describe('the same meaning, different bytes', () => {
  test.each([
    [
      'spaces and the order of members',
      '{ "2": {"A":1, "B":2},\n "1": null }',
      '{"1":null,"2":{"B":2,"A":1}}',
    ],
    ['escapes', '{"1":{"A":"\\u00e9\\/"}}', '{"1":{"A":"é/"}}'],
    ['spellings of a number', '{"1":{"A":1.0,"B":-0,"C":12e2}}', '{"1":{"A":1,"B":0,"C":1200}}'],
    ['nothing, as PHP has it', '[]', '{}'],
    ['a list, named by places', '[null,{"Id":1}]', '{"0":null,"1":{"Id":1}}'],
    ['a list of what was not fetched', '[false,"",[],{}]', '{"0":false,"1":"","2":[],"3":{}}'],
    ['nothing, in a variable that nothing was put in', 'null\n', '{}'],
    ['what is deeper than answers go', '{"1":{"A":{"x":[1,2.0],"y":1}}}', '{"1":{"A":{"y":1,"x":[1,2]}}}'],
    ['a refusal with an id of its own', '{"error":"No","request":"a1"}', '{"Error":{"Code":"X"}}'],
    ['the words of a refusal', '{"error":"No such event"}', '{"Error":{"Code":"UnknownEvent"}}'],
    [
      'declaration, indentation, quotes and empty elements',
      `<?xml version="1.0"?>\n<S><Data Value="1"><A/><B>x</B></Data></S>`,
      `<S>\n  <Data Value='1'>\n    <A></A><B>x</B>\n  </Data>\n</S>\n`,
    ],
    [
      'references and CDATA',
      '<S><Data Value="&#233;"><A>&#xE9;&lt;</A></Data></S>',
      '<S><Data Value="é"><A>é<![CDATA[<]]></A></Data></S>',
    ],
    ['a refusal in two members', '{"Status":"Error","Message":"No"}', '{"Error":"No"}'],
    ['a refusal with a number', '{"ErrorCode":3,"ErrorMessage":"No"}', '{"Error":"No"}'],
    ['a refusal in a message', '<S><Message>No</Message></S>', '<S><Error>No</Error></S>'],
    [
      'prefixes of namespaces',
      '<S xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><Data Value="1"/></S>',
      '<S><Data Value="1"></Data></S>',
    ],
    ['a refusal in XML', '<S><error>no</error></S>', '<S><Error><Code>x</Code></Error></S>'],
  ])('%s', (_, old, fresh) => {
    expect(compare(old, fresh)).toEqual({ bytes: 'different', differences: [], ignored: [] })
  })

  test('an encoding that the header, or the XML itself, names', () => {
    const latin = (text: string) => Buffer.from(text, 'latin1')
    const old = reply(latin('{"1":{"A":"é"}}'), 200, 'application/json; charset=ISO-8859-1')
    expect(kinds(old, reply('{"1":{"A":"é"}}'))).toEqual([])
    const xml = reply(
      latin('<?xml version="1.0" encoding="ISO-8859-1"?><S><Data Value="1"><A>é</A></Data></S>'),
    )
    expect(kinds(xml, reply('<S><Data Value="1"><A>é</A></Data></S>'))).toEqual([])
  })

  test('refusals with a status', () => {
    expect(kinds(reply('<h1>no</h1>', 400), reply('{"Error":{}}', 400))).toEqual([])
  })
})

describe('different meaning', () => {
  test.each<[string, string, string, string[]]>([
    ['a value', '{"1":{"A":"x"}}', '{"1":{"A":"y"}}', ['value A']],
    ['a type', '{"1":{"A":1}}', '{"1":{"A":"1"}}', ['type A']],
    ['true and a number', '{"1":{"A":true}}', '{"1":{"A":1}}', ['type A']],
    ['false and true', '{"1":{"A":false}}', '{"1":{"A":true}}', ['value A']],
    ['null and an empty text', '{"1":{"A":null}}', '{"1":{"A":""}}', ['type A']],
    [
      'numbers that a double cannot tell apart',
      '{"1":{"A":9007199254740993}}',
      '{"1":{"A":9007199254740992}}',
      ['value A'],
    ],
    ['a field more', '{"1":{"A":1}}', '{"1":{"A":1,"B":2}}', ['extra B']],
    ['a field less', '{"1":{"A":1,"B":2}}', '{"1":{"A":1}}', ['missing B']],
    ['an entry more', '{}', '{"1":null}', ['extra entry']],
    ['an entry less', '{"1":null}', '[]', ['missing entry']],
    ['a list of an unknown one, and nothing', '[null]', '{}', ['missing entry']],
    ['a list of an unknown one, and one', '[null]', '[{"Id":1}]', ['value entry']],
    ['a list, and an entry with a name', '[{"Id":1}]', '{"1":{"Id":1}}', ['missing entry', 'extra entry']],
    ['a list of texts', '["a"]', '{}', ['unreadable answer']],
    ['a list of numbers', '[0]', '{"0":0}', ['unreadable answer']],
    ['a list of lists', '[[1]]', '[[2]]', ['unreadable answer']],
    ['a list of what is true', '[true]', '[]', ['unreadable answer']],
    ['an empty list for null', '{"1":[]}', '{"1":null}', ['value entry']],
    ['an entry and nothing', '{"1":{"A":1}}', '{"1":null}', ['value entry']],
    ['many of one kind', '{"1":{"A":1},"2":{"A":1}}', '{"1":{"A":2},"2":{"A":3}}', ['value A']],
    ['several kinds', '{"1":{"A":1,"B":1}}', '{"1":{"A":"1","B":2}}', ['type A', 'value B']],
    ['an answer and a refusal', '{"1":{"A":1}}', '{"Error":{}}', ['refused answer']],
    ['a user who is called error', '{"error":{"Id":1}}', '{}', ['missing entry']],
    // A sentence is how some services refuse.
    ['a sentence', 'Unknown event', '{"Error":{}}', ['format answer']],
    ['text that is neither', 'Unknown event on line 12', '{"Error":{}}', ['unreadable answer']],
    ['half of it', '{"1":{"A":1', '{"1":{"A":1}}', ['unreadable answer']],
    ['JSON and XML', '{"1":{"A":1}}', '<S><Data Value="1"><A>1</A></Data></S>', ['format answer']],
    ['the name of the root', '<A><Data Value="1"/></A>', '<B><Data Value="1"/></B>', ['root answer']],
    [
      'the order in XML',
      '<S><Data Value="1"/><Data Value="2"/></S>',
      '<S><Data Value="2"/><Data Value="1"/></S>',
      ['order entry'],
    ],
    [
      'the order of fields in XML',
      '<S><Data Value="1"><A/><B/></Data></S>',
      '<S><Data Value="1"><B/><A/></Data></S>',
      ['order entry'],
    ],
    [
      'an entry that comes twice',
      '<S><Data Value="1"/><Data Value="1"/></S>',
      '<S><Data Value="1"/></S>',
      ['missing entry'],
    ],
    [
      'text in XML',
      '<S><Data Value="1"><A>x </A></Data></S>',
      '<S><Data Value="1"><A>x</A></Data></S>',
      ['value A'],
    ],
    ['XML that is not well-formed', '<S><Data Value="1"></S>', '<S/>', ['unreadable answer']],
    ['what PHP has to say before it', '<br />\n<b>Warning</b>: x\n<S/>', '<S/>', ['unreadable answer']],
    ['null and a text that says so', '{"9":null}', '{"9":"null"}', ['value entry']],
    ['a list and a text', '{"9":[]}', '{"9":"[]"}', ['value entry']],
    ['an empty text and an empty object', '{"9":""}', '{"9":{}}', ['value entry']],
    ['a list and an object', '{"9":[]}', '{"9":{}}', ['value entry']],
    ['an error beside an entry', '{"1":{"A":1},"error":"2?"}', '{"error":"no"}', ['refused answer']],
    ['entries beside no errors', '{"1":{"A":1},"errors":[]}', '{"errors":[],"1":{"A":2}}', ['value A']],
    ['a user called message', '{"Message":{"Id":1}}', '{"Error":"No"}', ['refused answer']],
    ['an unknown user called message', '{"Message":false}', '{"Error":"No"}', ['refused answer']],
    ['an unknown user called error', '{"error":null}', '{"error":{"code":"X"}}', ['refused answer']],
    [
      'an error beside an entry in XML',
      '<S><Data Value="1"/><Error>2?</Error></S>',
      '<S><Error>2?</Error></S>',
      ['refused answer'],
    ],
    [
      'an attribute of an entry',
      '<S><Data Value="1" Error="gone"/></S>',
      '<S><Data Value="1"/></S>',
      ['value entry'],
    ],
    [
      'an attribute of a field',
      '<S><Data Value="1"><A unit="x">1</A></Data></S>',
      '<S><Data Value="1"><A>1</A></Data></S>',
      ['value A'],
    ],
    ['an attribute of the root', '<S xmlns="urn:x"/>', '<S/>', ['missing entry']],
    ['text in the root', '<S>No such user</S>', '<S/>', ['missing entry']],
    [
      'text beside fields',
      '<S><Data Value="1">OOPS<A>1</A></Data></S>',
      '<S><Data Value="1"><A>1</A></Data></S>',
      ['missing  text'],
    ],
    [
      'no Value and an empty one',
      '<S><Data/></S>',
      '<S><Data Value=""/></S>',
      ['missing entry', 'extra entry'],
    ],
    [
      'an element that is named like an identifier',
      '<S><Data Value="&lt;B&gt;"/></S>',
      '<S><B/></S>',
      ['missing entry', 'extra entry'],
    ],
    [
      'what is escaped and what is not',
      '<S><Data Value="1"><A><Y>a&lt;/Y>&lt;Y>b</Y></A></Data></S>',
      '<S><Data Value="1"><A><Y>a</Y><Y>b</Y></A></Data></S>',
      ['value A'],
    ],
    [
      'a number in a name and a name that comes twice',
      '<S><Data Value="a"/><Data Value="a (2)"/></S>',
      '<S><Data Value="a"/><Data Value="a"/></S>',
      ['missing entry', 'extra entry'],
    ],
  ])('%s', (_, old, fresh, expected) => {
    expect(kinds(reply(old), reply(fresh))).toEqual(expected)
  })

  test('the same bytes in another encoding', () => {
    const in_ = (charset: string) => reply('{"1":{"A":"é"}}', 200, `application/json; charset=${charset}`)
    expect(kinds(in_('iso-8859-1'), in_('utf-8'))).toEqual(['value A'])
    const ascii = (charset: string) => reply('{}', 200, `application/json; charset=${charset}`)
    expect(compareReplies(ascii('iso-8859-1'), ascii('utf-8')).bytes).toBe('same')
  })

  test('a refusal in another format, where no status tells it', () => {
    expect(kinds(reply('<S><Error/></S>'), reply('{"error":"x"}'))).toEqual(['format answer'])
    expect(kinds(reply('<S><Error/></S>', 400), reply('{"error":"x"}', 400))).toEqual([])
  })

  test('another status, of answers and of refusals', () => {
    expect(kinds(reply('{}', 203), reply('{}'))).toEqual(['status answer'])
    expect(kinds(reply('{"error":"x"}', 404), reply('{"error":"x"}', 400))).toEqual(['status answer'])
    expect(kinds(reply('{"error":"x"}', 200), reply('{"Error":{}}', 400))).toEqual(['status answer'])
  })

  test('broken UTF-8 cannot be read', () => {
    expect(kinds(reply(Buffer.from([0x7b, 0x22, 0xff, 0x22])), reply('{}'))).toEqual(['unreadable answer'])
  })
})

test('examples are cut to a length, and never in the middle of a character', () => {
  const [difference] = compare(`{"1":{"A":"${'🌸'.repeat(5000)}"}}`, '{"1":{"A":""}}').differences
  expect(difference?.old.length).toBeLessThan(250)
  expect(difference?.old.isWellFormed()).toBe(true)
})

test.each([
  ['0', '0'],
  ['-0.0', '0'],
  ['0e5', '0'],
  ['10', '10'],
  ['1e1', '10'],
  ['-12.50', '-12.5'],
  ['0.001e3', '1'],
  ['123456789012345678901', '123456789012345678901'],
  ['1e400', '1e400'],
])('%s is the number %s', (source, expected) => {
  expect(canonical(source)).toBe(expected)
})

test('what is nested too deeply is unreadable, and no crash', () => {
  const deep = (open: string, close: string) => `${open.repeat(20_000)}${close.repeat(20_000)}`
  expect(kinds(reply(deep('<a>', '</a>')), reply('<S/>'))).toEqual(['unreadable answer'])
  expect(kinds(reply(`{"1":${deep('[', ']')}}`), reply('{}'))).toHaveLength(1)
})

test('XML with more elements than any answer has is unreadable', () => {
  const many = (elements: number) => reply(`<S>${'<Data/>'.repeat(elements)}</S>`)
  expect(kinds(many(199_999), many(199_998))).toEqual(['missing entry'])
  expect(kinds(many(200_000), many(1))).toEqual(['unreadable answer'])
})

test('at most a hundred differences are reported, each with a short name and example', () => {
  const of = (fields: number, name: (at: number) => string, value: string) =>
    reply(
      JSON.stringify({ 1: Object.fromEntries(Array.from({ length: fields }, (_, at) => [name(at), value])) }),
    )
  expect(
    compareReplies(
      of(10_000, String, 'x'),
      of(1, () => 'a', 'x'),
    ).differences,
  ).toHaveLength(100)
  const long = (at: number) => `${'a'.repeat(300)}${at}`
  const { differences } = compareReplies(of(1_000, long, 'x'.repeat(300)), of(1_000, long, 'y'))
  // The names are the same after they are cut.
  expect(differences.map(({ field, old }) => [field.length, old.length])).toEqual([[65, 201]])
})
