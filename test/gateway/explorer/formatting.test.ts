// What came back is laid out without losing, moving or rounding anything.

import { describe, expect, test } from 'vitest'
import { formatJson } from '../../../src/gateway/explorer/format-json.ts'
import { formatXml } from '../../../src/gateway/explorer/format-xml.ts'
import { notesOn } from '../../../src/gateway/explorer/notes.ts'
import { type Token, visible } from '../../../src/gateway/explorer/token.ts'
import { cases } from '../legacy/support/cases.ts'

const textOf = (tokens: readonly Token[]) => tokens.map(({ text }) => text).join('')
const none = notesOn('JSON', '', [])
const json = (body: string) => textOf(formatJson(body, none))
const xml = (body: string) => textOf(formatXml(body, none))

describe('JSON', () => {
  test('over lines, in the order that came', () => {
    expect(json('{"2":{"a":1,"b":[true,null]},"1":{}}')).toBe(
      '{\n  "2": {\n    "a": 1,\n    "b": [\n      true,\n      null\n    ]\n  },\n  "1": {}\n}',
    )
  })

  test.each([
    ['{"__proto__":9007199254740993}', '{\n  "__proto__": 9007199254740993\n}'],
    ['"\\u00e9 \\/ \\ud83c\\udf38"', '"\u00e9 / \u{1f338}"'],
    ['"\\u202e \\u0000 \\ufeff \\n"', '"\\u202e \\u0000 \\ufeff \\n"'],
    ['"{\\"a\\":[1,2]}"', '"{\\"a\\":[1,2]}"'],
    ['{}', '{}'],
  ])('%s', (body, shown) => {
    expect(json(body)).toBe(shown)
  })

  test('names, texts, numbers and words are told apart', () => {
    const kinds = formatJson('{"a":"b","c":-1,"d":false}', none).filter(({ kind }) => kind !== 'plain')
    expect(kinds.map(({ text, kind }) => `${kind} ${text}`)).toEqual([
      'name "a"',
      'string "b"',
      'name "c"',
      'number -1',
      'name "d"',
      'word false',
    ])
  })
})

describe('XML', () => {
  test('over lines', () => {
    expect(xml('<?xml version="1.0"?>\n<A><Data Value="1"><B>x</B><C/></Data></A>\n')).toBe(
      '<?xml version="1.0"?>\n<A>\n  <Data Value="1">\n    <B>x</B>\n    <C/>\n  </Data>\n</A>',
    )
  })

  test.each([
    ['<A/>', '<A/>'],
    ['<A>&lt;b&gt; &amp;amp; &#xE9; &#x1F338; &#233;</A>', '<A><b> &amp; \u00e9 \u{1f338} \u00e9</A>'],
    ['<A v="&quot;a&#9;"/>', '<A v="&quot;a\\u0009"/>'],
    ['<A>\n</A>', '<A>\\u000a</A>'],
    ['<A>&#x202E;</A>', '<A>\\u202e</A>'],
    ['<A>\r\n  <B>\n</B>\r\n  <C />\r\n</A>\r\n', '<A>\n  <B>\\u000a</B>\n  <C />\n</A>'],
    ['<A><B></B><C>é"\u{1f338}</C></A>', '<A>\n  <B></B>\n  <C>é"\u{1f338}</C>\n</A>'],
    ['<A><![CDATA[<b>&amp;]]]]><![CDATA[>]]></A>', '<A><b>&amp;]]></A>'],
  ])('%s', (body, shown) => {
    expect(xml(body)).toBe(shown)
  })
})

test('every golden answer keeps its texts, in their order', () => {
  const words = (text: string) => text.match(/[A-Za-z0-9]{3,}/g)
  const plain = cases.filter(({ response }) => !/[&\\]/.test(response))
  for (const { name, response } of plain)
    expect(words(response.startsWith('<') ? xml(response) : json(response)), name).toEqual(words(response))
  for (const { response } of cases)
    expect(response.startsWith('<') ? xml(response) : json(response)).not.toBe('')
  expect(plain.length).toBeGreaterThan(20)
})

describe('notes', () => {
  const fields = [{ name: 'Id' }, { name: 'Banned', inXml: 'Empty or 1.' }]

  test('are about what is there', () => {
    expect(notesOn('XML', '<A><Id>1</Id><Banned/></A>', fields).texts).toEqual(['Banned: Empty or 1.'])
    expect(notesOn('XML', '<A><Id>1</Id></A>', fields).texts).toEqual([])
    expect(notesOn('JSON', '{"Banned":true}', fields).texts).toEqual([])
    expect(notesOn('JSON', '{"a":"\\/\\u00e9"}', fields).texts).toHaveLength(2)
    expect(notesOn('XML', '<A>&#xE9;&#xFFFD;</A>', fields).texts).toHaveLength(2)
  })

  test('are marked where they show', () => {
    const marked = (format: 'JSON' | 'XML', body: string) => {
      const notes = notesOn(format, body, fields)
      const tokens = format === 'JSON' ? formatJson(body, notes) : formatXml(body, notes)
      return tokens.flatMap(({ text, note }) => (note === undefined ? [] : [`${note} ${text}`]))
    }
    expect(marked('XML', '<A><Banned>1</Banned><Banned/><Id/></A>')).toEqual(['1 1', '1 <Banned'])
    expect(marked('XML', '<A><Data Value="&#xE9;"><Id>1</Id></Data><Data Value="2"/></A>')).toEqual([
      '2  Value="\u00e9"',
      '1 <Data',
    ])
    expect(marked('XML', '<A><Data Value="2"></Data><Banned></Banned></A>')).toEqual(['2 <Data', '1 <Banned'])
    expect(marked('JSON', '{"a":"\\/","b":"C:\\\\users","c":"\\u00e9"}')).toEqual(['2 "/"', '1 "\u00e9"'])
  })
})

test.each(['}}', '{"a":', '<html>', 'Bad "gate\tway"', ''])('%s is no JSON', (body) => {
  expect(() => formatJson(body, none)).toThrow(SyntaxError)
})

test.each(['</a></b>', '<a><b></a></b>', '<a>', '<p title="a>b">', '<>'])('%s is no XML', (body) => {
  expect(() => formatXml(body, none)).toThrow(SyntaxError)
})

test.each([
  ['a\u200bb', 'a\\u200bb'],
  ['\u202e\u2066\u2060\u00ad\ufeff', '\\u202e\\u2066\\u2060\\u00ad\\ufeff'],
  ['\u{e0067}', '\\u{e0067}'],
  ['\u{1f468}\u200d\u{1f469} \u0627\u200c\u0628', '\u{1f468}\u200d\u{1f469} \u0627\u200c\u0628'],
])('what is hidden in a text is shown: %#', (text, shown) => {
  expect(visible(text)).toBe(shown)
})
