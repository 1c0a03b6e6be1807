// What a difference means to those who read answers: the judges of what is "only a matter of form". Each row
// says what usual clients do where an answer is not what they were written for, in their libraries' default
// settings: jQuery, PHP's json_decode with empty() and ===, Jackson, Newtonsoft.Json. `test/clients` asks the
// real ones.

export interface Judgement {
  readonly what: string
  /** Whether none of these clients notices. */
  readonly harmless: boolean
  readonly javascript: string
  readonly php: string
  readonly java: string
  readonly csharp: string
}

const nothing = { javascript: 'nothing', php: 'nothing', java: 'nothing', csharp: 'nothing' }

export const judgements = {
  numberAsText: {
    what: 'a string where the other has a number',
    harmless: false,
    javascript: '=== fails; + joins instead of adding',
    php: '=== and is_int() fail; == does not',
    java: 'Jackson converts either way; a JsonNode has another type',
    csharp: 'Newtonsoft converts either way; a JToken has another type',
  },
  booleanAsText: {
    what: 'a string where the other has true or false',
    harmless: false,
    javascript: '"0" and "false" are true in an if; "" is false',
    php: '"0" and "" are false in an if, "false" is true; === fails',
    java: 'Jackson fails on "1" and "0"',
    csharp: 'Newtonsoft fails on "1", "0" and ""',
  },
  booleanAsNumber: {
    what: '1 or 0 where the other has true or false',
    harmless: false,
    javascript: '=== fails; an if does not',
    php: '=== fails; an if and empty() do not',
    java: 'Jackson converts to boolean, not to a number',
    csharp: 'Newtonsoft converts to bool, not to a number',
  },
  nullValue: {
    what: 'null where the other has a value',
    harmless: false,
    javascript: 'methods of null throw',
    php: '=== "" fails, and isset() is false',
    java: 'a null reference; Jackson makes a primitive 0 or false',
    csharp: 'a null reference; Newtonsoft fails where the type takes no null',
  },
  otherValue: {
    what: 'a different value',
    harmless: false,
    javascript: 'shows a different value',
    php: 'shows a different value',
    java: 'shows a different value; may fail to convert',
    csharp: 'shows a different value; may fail to convert',
  },
  missingField: {
    what: 'a field that only the old service sends',
    harmless: false,
    javascript: 'undefined',
    php: 'null and a warning',
    java: 'null, or the default of a primitive',
    csharp: 'null, or the default of the type',
  },
  extraField: {
    what: 'a field that only the gateway sends',
    harmless: false,
    javascript: 'nothing, unless it loops over fields',
    php: 'nothing, unless it loops over fields',
    java: 'Jackson fails on unknown properties',
    csharp: 'Newtonsoft ignores it',
  },
  memberOrder: {
    what: 'a different order of fields in JSON',
    harmless: true,
    javascript: 'nothing, unless it loops over fields',
    php: 'nothing, unless it loops over fields',
    java: 'nothing, unless it loops over a Map or a JsonNode',
    csharp: 'nothing, unless it loops over a JObject',
  },
  entryOrder: {
    what: 'a different order of entries in JSON',
    harmless: false,
    javascript: 'a loop sorts numbers anyway; usernames come in a different order',
    php: 'foreach and reset() see a different order',
    java: 'a loop over the Map sees a different order',
    csharp: 'a loop over the Dictionary or a JObject sees a different order',
  },
  elementOrder: {
    what: 'a different order in XML',
    harmless: false,
    javascript: 'code that reads by position gets the wrong element',
    php: 'children() by position gets the wrong element',
    java: 'StAX readers that expect an order fail',
    csharp: 'XmlSerializer loses elements of an ordered sequence',
  },
  emptyList: {
    what: '[] where the other has an empty object',
    harmless: false,
    javascript: 'a loop over names does the same; .length is undefined for {}',
    php: 'the same with json_decode(…, true); without it empty() is true for [] and false for {}',
    java: 'Jackson fails on [] where it expects an object or a Map',
    csharp: 'Newtonsoft fails on [] where it expects an object or a Dictionary',
  },
  unknown: {
    what: 'a different way to say that nothing was found',
    harmless: false,
    javascript: 'a test for a missing entry, null or false misses it',
    php: 'isset(), empty() and === differ on null, false, [] and a missing entry',
    java: 'a missing entry, null and an object are three cases; false or [] fails to convert',
    csharp: 'a missing key, null and an object are three cases; false or [] fails to convert',
  },
  reading: {
    what: 'the same request is read differently',
    harmless: false,
    javascript: 'clients that send it get a different response',
    php: 'clients that send it get a different response',
    java: 'clients that send it get a different response',
    csharp: 'clients that send it get a different response',
  },
  refusal: {
    what: 'one service answers, the other refuses',
    harmless: false,
    javascript: '$.get calls fail instead of success, or the reverse',
    php: 'file_get_contents() is false for a status of 400 or more',
    java: 'HttpURLConnection throws for a status of 400 or more',
    csharp: 'WebClient throws for a status of 400 or more',
  },
  status: {
    what: 'a different error status',
    harmless: false,
    javascript: 'a client that tests for one status misses it; from 200 to 299, $.get calls success',
    php: 'file_get_contents() is false from 400 on, and a text below',
    java: 'HttpURLConnection throws from 400 on, and not below',
    csharp: 'WebClient throws, unless it is 200 to 299',
  },
  format: {
    what: 'JSON where the other has XML, or neither format',
    harmless: false,
    javascript: 'parsing fails',
    php: 'json_decode() gives null; simplexml_load_string() false',
    java: 'parsing fails',
    csharp: 'parsing fails',
  },
  errorShape: {
    what: 'a different structure of errors with status 200',
    harmless: false,
    javascript: 'a test for the name of the error misses it',
    php: 'isset() of the name of the error misses it',
    java: 'Jackson takes it for an entry, and fails',
    csharp: 'Newtonsoft takes it for an entry, and fails or finds empty fields',
  },
  errorWords: {
    what: 'a different error text',
    harmless: true,
    javascript: 'nothing, unless it shows or compares the text',
    php: 'nothing, unless it shows or compares the text',
    java: 'nothing, unless it shows or compares the text',
    csharp: 'nothing, unless it shows or compares the text',
  },
  mediaType: {
    what: 'a different Content-Type',
    harmless: false,
    javascript: '$.get parses by it: of text/html or text/plain it makes a string, of JSON an object',
    php: 'nothing',
    java: "Spring's RestTemplate finds no converter, or another one",
    csharp: 'ReadAsAsync finds no formatter, or another one',
  },
  mediaTypeDetail: {
    what: 'parameters of the Content-Type, or another name of the same type',
    harmless: true,
    ...nothing,
  },
  letters: {
    what: 'non-ASCII letters as they are, where the other escapes them',
    harmless: false,
    javascript: 'nothing',
    php: 'nothing, unless it searches the text itself',
    java: 'a Reader with a fixed charset garbles letters that are not escaped',
    csharp: 'WebClient garbles letters that are not escaped, unless its Encoding is UTF-8',
  },
  layout: {
    what: 'white space, escapes, the XML declaration, or how empty elements are written',
    harmless: true,
    javascript: 'nothing, unless it counts childNodes of indented XML',
    php: 'nothing, unless it searches the text itself',
    java: 'nothing, unless it counts child nodes of indented XML',
    csharp: 'nothing, unless it steps through an XmlReader',
  },
  header: {
    what: 'headers for caches and for cross-origin requests',
    harmless: true,
    ...nothing,
    javascript:
      'nothing, unless a browser caches responses for max-age, or a page of another origin sends the request',
  },
  jsonp: {
    what: 'JSONP: a function call around the JSON',
    harmless: false,
    javascript: 'the function is never called; $.ajax with dataType jsonp fails',
    ...{ php: 'nothing', java: 'nothing', csharp: 'nothing' },
  },
  post: {
    what: 'POST requests',
    harmless: false,
    javascript: '$.post fails',
    php: 'file_get_contents() is false',
    java: 'clients that POST fail',
    csharp: 'WebClient.UploadString throws',
  },
  byteOrderMark: {
    what: 'a byte order mark',
    harmless: false,
    javascript: 'nothing: browsers remove it',
    php: 'json_decode() needs it removed; code that cuts three bytes off breaks without it',
    java: 'nothing, if it reads bytes',
    csharp: 'nothing, if it reads a stream',
  },
  charset: {
    what: 'a different character encoding',
    harmless: false,
    javascript: 'nothing where the header names it; otherwise non-ASCII letters are garbled',
    php: 'json_decode() is null unless it is UTF-8; code that converts to UTF-8 garbles UTF-8',
    java: 'a Reader with a fixed charset garbles letters',
    csharp: 'WebClient garbles letters: it decodes by its own Encoding, whatever the header says',
  },
} as const satisfies Readonly<Record<string, Judgement>>

export type JudgementName = keyof typeof judgements

export function isHarmless(name: JudgementName): boolean {
  return judgements[name].harmless
}
