// Answers of an old service that wants to cost its reader as much as it can, each of about as many bytes as
// are asked for.

import fc from 'fast-check'

type Make = (size: number) => string

const fill = (unit: string, size: number) => unit.repeat(Math.max(1, Math.floor(size / unit.length)))

/** Units with a number in them, so that no two are the same. */
export function numbered(unit: (at: number) => string, size: number): string {
  const most = Math.floor(size / unit(0).length)
  let text = ''
  for (let at = 0; at < most && text.length < size; at++) text += unit(at)
  return text
}

const inField = (value: string) => `{"1":{"A":${value}}}`
const inData = (content: string) => `<S><Data Value="1">${content}</Data></S>`
const levels = (open: string, inner: string, close: string, depth: number) =>
  open.repeat(depth) + inner + close.repeat(depth)

export const hostileJson: Readonly<Record<string, Make>> = {
  'zeros within a number': (size) => inField(`1${'0'.repeat(size)}1`),
  'zeros before a number': (size) => inField(`0.${'0'.repeat(size)}1`),
  'zeros after a number': (size) => inField(`1.${'0'.repeat(size)}`),
  'digits of a number': (size) => inField('9'.repeat(size)),
  'digits of an exponent': (size) => inField(`1e${'9'.repeat(size)}`),
  'many numbers': (size) => inField(`[${fill('0,', size)}0]`),
  'many fractions': (size) => inField(`[${fill('0.10e+1,', size)}0]`),
  'many strings': (size) => inField(`[${fill('"",', size)}0]`),
  'many objects': (size) => inField(`[${fill('{},', size)}0]`),
  'many objects with a member': (size) => inField(`[${fill('{"":0},', size)}0]`),
  'many entries': (size) => `{${numbered((at) => `"${at}":0,`, size)}"x":0}`,
  'many entries in a list': (size) => `[${fill('null,{},', size)}false]`,
  'many entries with fields in a list': (size) => `[${numbered((at) => `{"${at}":0},`, size)}{}]`,
  'many fields': (size) => `{"1":{${numbered((at) => `"${at}":0,`, size)}"x":0}}`,
  'many fields of many entries': (size) => `{${numbered((at) => `"${at}":{"A":0},`, size)}"x":0}`,
  'numbers as names, far apart': (size) => `{${numbered((at) => `"${at * 16_384}":0,`, size)}"x":0}`,
  'one name again and again': (size) => `{${fill('"a":{},', size)}"x":0}`,
  'long names that begin alike': (size) =>
    inField(`{${numbered((at) => `"${'a'.repeat(200)}${at}":0,`, size)}"x":0}`),
  'escapes in a string': (size) => inField(`"${fill('\\u0000', size)}"`),
  'escapes in a nested string': (size) => inField(levels('[', `"${fill('\\"', size)}"`, ']', 29)),
  'many nested lists': (size) => inField(`[${fill(`${levels('[', '""', ']', 28)},`, size)}0]`),
  'white space': (size) => `{${fill(' \n', size)}"1":null}`,
  'nothing but depth': (size) => levels('[', '', ']', size / 2),
  'depth in a field': (size) => inField(levels('{"a":', '0', '}', size / 6)),
  'a string without an end': (size) => `{"${fill('\\"', size)}`,
}

export const hostileXml: Readonly<Record<string, Make>> = {
  'quotes within nested elements': (size) => inData(levels('<a>', fill('"', size), '</a>', 29)),
  'many nested elements': (size) => inData(fill(levels('<a>', '"', '</a>', 28), size)),
  'many elements': (size) => `<S>${fill('<a/>', size)}</S>`,
  'many elements in an entry': (size) => inData(fill('<a/>', size)),
  'many elements in a field': (size) => inData(`<A>${fill('<a/>', size)}</A>`),
  'many entries': (size) => `<S>${numbered((at) => `<Data Value="${at}"/>`, size)}</S>`,
  'many entries without a value': (size) => `<S>${fill('<Data/>', size)}</S>`,
  'many entries with a field': (size) =>
    `<S>${numbered((at) => `<Data Value="${at}"><A/></Data>`, size)}</S>`,
  'many attributes': (size) => `<S ${numbered((at) => `a${at}="" `, size)}/>`,
  'many attributes of a field': (size) => inData(`<A ${numbered((at) => `a${at}="" `, size)}/>`),
  'a long attribute': (size) => `<S a="${fill('&quot;', size)}"/>`,
  'a long name': (size) => `<${'a'.repeat(size)}/>`,
  'a long name that is not closed': (size) => `<S><${'a'.repeat(size)}></S>`,
  'a long name of an entity': (size) => `<S>&${'a'.repeat(size)};</S>`,
  'a long character reference': (size) => `<S>&#${'0'.repeat(size)}65;</S>`,
  'character references': (size) => `<S>${fill('&#65;', size)}</S>`,
  entities: (size) => `<S>${fill('&lt;', size)}</S>`,
  'declared entities': (size) =>
    `<!DOCTYPE S [${numbered((at) => `<!ENTITY e${at} "${`&e${at - 1};`.repeat(9)}">`, size)}]><S>&e9;</S>`,
  'empty CDATA': (size) => `<S>${fill('<![CDATA[]]>', size)}</S>`,
  CDATA: (size) => `<S>${fill('<![CDATA[x]]>', size)}</S>`,
  'brackets in CDATA': (size) => `<S><![CDATA[${fill('] ', size)}]]></S>`,
  'brackets in a text': (size) => `<S>${fill(']', size)}</S>`,
  comments: (size) => `<S>${fill('<!---->', size)}</S>`,
  'a comment of hyphens': (size) => `<S><!--${fill('- ', size)}--></S>`,
  'processing instructions': (size) => `<S>${fill('<?a?>', size)}</S>`,
  'spaces within a text': (size) => `<S>x${' '.repeat(size)}x</S>`,
  'carriage returns': (size) => `<S>${'\r'.repeat(size)}</S>`,
  'spaces in the declaration': (size) => `<?xml ${' '.repeat(size)}version="1.0"?><S/>`,
  'nothing but depth': (size) => '<a>'.repeat(size / 3),
}

/** What is neither, and refusals. */
export const hostileOthers: Readonly<Record<string, Make>> = {
  spaces: (size) => ' '.repeat(size),
  'spaces before and after a letter': (size) => `${' '.repeat(size / 2)}x${' '.repeat(size / 2)}`,
  'a refusal of spaces': (size) => `{"error":"${' '.repeat(size)}"}`,
  'many errors': (size) => `{${numbered((at) => `"${at}":"x",`, size)}"error":"x"}`,
}

const jsonPieces = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  '\\',
  '0',
  '1',
  '-',
  '.',
  'e',
  ' ',
  'null',
  '"":',
  '{"a":',
  '[0,',
]
const xmlPieces = [
  '<',
  '>',
  '/',
  '<a>',
  '</a>',
  '<a/>',
  '<Data ',
  ' a="',
  '"',
  '&',
  ';',
  '&#',
  '<!--',
  '-->',
  ']]>',
  '<![CDATA[',
  '?',
  '\r',
  ' ',
]

/** A few pieces of JSON or XML again and again, alone or where a value is. */
export const repeated: fc.Arbitrary<Make> = fc
  .tuple(
    fc.oneof(
      fc.tuple(fc.constantFrom(['', ''], ['{"1":{"A":', '}}'], ['{"1":[', '0]}']), unitOf(jsonPieces)),
      fc.tuple(
        fc.constantFrom(['', ''], ['<S>', '</S>'], ['<S><Data><A>', '</A></Data></S>']),
        unitOf(xmlPieces),
      ),
    ),
  )
  .map(
    ([[[start = '', end = ''], unit]]) =>
      (size) =>
        start + fill(unit, size) + end,
  )

function unitOf(pieces: readonly string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }).map((some) => some.join(''))
}
