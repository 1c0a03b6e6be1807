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
    what: 'text where the other has a number',
    harmless: false,
    javascript: '=== fails; + joins instead of adding',
    php: '=== and is_int() fail; == does not',
    java: 'Jackson converts either way; a JsonNode has another type',
    csharp: 'Newtonsoft converts either way; a JToken has another type',
  },
  booleanAsText: {
    what: 'text where the other has true or false',
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
    what: 'another value',
    harmless: false,
    javascript: 'shows another value',
    php: 'shows another value',
    java: 'shows another value; may fail to convert',
    csharp: 'shows another value; may fail to convert',
  },
  missingField: {
    what: 'a field that the old service has and the gateway has not',
    harmless: false,
    javascript: 'undefined',
    php: 'null and a warning',
    java: 'null, or the default of a primitive',
    csharp: 'null, or the default of the type',
  },
  extraField: {
    what: 'a field that the gateway has and the old service has not',
    harmless: false,
    javascript: 'nothing, unless it loops over fields',
    php: 'nothing, unless it loops over fields',
    java: 'Jackson fails on unknown properties',
    csharp: 'Newtonsoft ignores it',
  },
  memberOrder: {
    what: 'another order of fields in JSON',
    harmless: true,
    javascript: 'nothing, unless it loops over fields',
    php: 'nothing, unless it loops over fields',
    java: 'nothing, unless it loops over a Map or a JsonNode',
    csharp: 'nothing, unless it loops over a JObject',
  },
  entryOrder: {
    what: 'another order of entries in JSON',
    harmless: false,
    javascript: 'a loop sorts numbers anyway; usernames come in another order',
    php: 'foreach and reset() go in another order',
    java: 'a loop over the Map goes in another order',
    csharp: 'a loop over the Dictionary or a JObject goes in another order',
  },
  elementOrder: {
    what: 'another order in XML',
    harmless: false,
    javascript: 'what goes by position reads another element',
    php: 'children() by position reads another element',
    java: 'StAX readers that go in order fail',
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
    what: 'another way to say that nothing was found',
    harmless: false,
    javascript: 'a test for a missing entry, null or false misses it',
    php: 'isset(), empty() and === differ on null, false, [] and a missing entry',
    java: 'a missing entry, null and an object are three cases; false or [] fails to convert',
    csharp: 'a missing key, null and an object are three cases; false or [] fails to convert',
  },
  reading: {
    what: 'the same request is understood in another way',
    harmless: false,
    javascript: 'clients that send it get another answer',
    php: 'clients that send it get another answer',
    java: 'clients that send it get another answer',
    csharp: 'clients that send it get another answer',
  },
  refusal: {
    what: 'one answers what the other refuses',
    harmless: false,
    javascript: '$.get calls fail instead of success, or the reverse',
    php: 'file_get_contents() is false for a status of 400 or more',
    java: 'HttpURLConnection throws for a status of 400 or more',
    csharp: 'WebClient throws for a status of 400 or more',
  },
  status: {
    what: 'another status of an error',
    harmless: false,
    javascript: 'a client that tests for one status misses it; from 200 to 299, $.get calls success',
    php: 'file_get_contents() is false from 400 on, and a text below',
    java: 'HttpURLConnection throws from 400 on, and not below',
    csharp: 'WebClient throws, unless it is 200 to 299',
  },
  format: {
    what: 'JSON where the other has XML, or no format at all',
    harmless: false,
    javascript: 'parsing fails',
    php: 'json_decode() gives null; simplexml_load_string() false',
    java: 'parsing fails',
    csharp: 'parsing fails',
  },
  errorShape: {
    what: 'another shape of errors that have status 200',
    harmless: false,
    javascript: 'a test for the name of the error misses it',
    php: 'isset() of the name of the error misses it',
    java: 'Jackson takes it for an entry, and fails',
    csharp: 'Newtonsoft takes it for an entry, and fails, or for an entry with nothing in it',
  },
  errorWords: {
    what: 'other words of errors',
    harmless: true,
    javascript: 'nothing, unless it shows or compares the text',
    php: 'nothing, unless it shows or compares the text',
    java: 'nothing, unless it shows or compares the text',
    csharp: 'nothing, unless it shows or compares the text',
  },
  mediaType: {
    what: 'a Content-Type of another kind',
    harmless: false,
    javascript: '$.get parses by it: of text/html or text/plain it makes a string, of JSON an object',
    php: 'nothing',
    java: "Spring's RestTemplate finds no converter, or another one",
    csharp: 'ReadAsAsync finds no formatter, or another one',
  },
  mediaTypeDetail: {
    what: 'parameters of the Content-Type, or another name of the same kind',
    harmless: true,
    ...nothing,
  },
  letters: {
    what: 'letters beyond ASCII as they are, where the other has escapes',
    harmless: false,
    javascript: 'nothing',
    php: 'nothing, unless it searches the text itself',
    java: 'a Reader with a fixed charset makes wrong letters of what is not escaped',
    csharp: 'WebClient makes wrong letters of what is not escaped, unless its Encoding is UTF-8',
  },
  layout: {
    what: 'blanks, other escapes, the declaration, or how something empty is written',
    harmless: true,
    javascript: 'nothing, unless it counts childNodes of indented XML',
    php: 'nothing, unless it searches the text itself',
    java: 'nothing, unless it counts child nodes of indented XML',
    csharp: 'nothing, unless it steps through an XmlReader',
  },
  header: {
    what: 'headers for caches and browsers',
    harmless: true,
    ...nothing,
    javascript: 'nothing, unless a browser keeps answers for their max-age, or a page of another origin asks',
  },
  jsonp: {
    what: 'JSONP: a call of a function around the JSON',
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
    what: 'another character encoding',
    harmless: false,
    javascript: 'nothing where the header names it; otherwise letters beyond ASCII are wrong',
    php: 'json_decode() is null unless it is UTF-8; code that converts to UTF-8 makes wrong letters of UTF-8',
    java: 'a Reader with a fixed charset makes wrong letters',
    csharp: 'WebClient makes wrong letters: it reads by its own Encoding, whatever the header names',
  },
} as const satisfies Readonly<Record<string, Judgement>>

export type JudgementName = keyof typeof judgements

export function isHarmless(name: JudgementName): boolean {
  return judgements[name].harmless
}
