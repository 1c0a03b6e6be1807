// The effect of a difference on clients with the default settings of their libraries (jQuery,
// PHP's json_decode with empty() and ===, Jackson, Newtonsoft.Json). `test/clients` runs the real ones.

export interface Judgement {
  readonly what: string
  /** Whether none of these clients notices. */
  readonly harmless: boolean
  readonly javascript: string
  readonly php: string
  readonly java: string
  readonly csharp: string
}

export const clients = { javascript: 'JavaScript', php: 'PHP', java: 'Java', csharp: 'C#' } as const
export const clientNames = ['javascript', 'php', 'java', 'csharp'] as const

const row =
  (harmless: boolean) =>
  (what: string, javascript: string, php = javascript, java = javascript, csharp = javascript): Judgement => {
    return { what, harmless, javascript, php, java, csharp }
  }
const noticed = row(false)
const harmless = row(true)

export const judgements = {
  numberAsText: noticed(
    'a string where the other has a number',
    '=== fails; + joins instead of adding',
    '=== and is_int() fail; == does not',
    'Jackson converts either way; a JsonNode has another type',
    'Newtonsoft converts either way; a JToken has another type',
  ),
  booleanAsText: noticed(
    'a string where the other has true or false',
    '"0" and "false" are true in an if; "" is false',
    '"0" and "" are false in an if, "false" is true; === fails',
    'Jackson fails on "1" and "0"',
    'Newtonsoft fails on "1", "0" and ""',
  ),
  booleanAsNumber: noticed(
    '1 or 0 where the other has true or false',
    '=== fails; an if does not',
    '=== fails; an if and empty() do not',
    'Jackson converts to boolean, not to a number',
    'Newtonsoft converts to bool, not to a number',
  ),
  nullValue: noticed(
    'null where the other has a value',
    'methods of null throw',
    '=== "" fails, and isset() is false',
    'a null reference; Jackson makes a primitive 0 or false',
    'a null reference; Newtonsoft fails where the type takes no null',
  ),
  otherValue: noticed(
    'a different value',
    'shows a different value',
    'shows a different value',
    'shows a different value; may fail to convert',
    'shows a different value; may fail to convert',
  ),
  missingField: noticed(
    'a field that only the old service sends',
    'undefined',
    'null and a warning',
    'null, or the default of a primitive',
    'null, or the default of the type',
  ),
  extraField: noticed(
    'a field that only the gateway sends',
    'nothing, unless it loops over fields',
    'nothing, unless it loops over fields',
    'Jackson fails on unknown properties',
    'Newtonsoft ignores it',
  ),
  memberOrder: harmless(
    'a different order of fields in JSON',
    'nothing, unless it loops over fields',
    'nothing, unless it loops over fields',
    'nothing, unless it loops over a Map or a JsonNode',
    'nothing, unless it loops over a JObject',
  ),
  entryOrder: noticed(
    'a different order of entries in JSON',
    'a loop sorts numbers anyway; usernames come in a different order',
    'foreach and reset() see a different order',
    'a loop over the Map sees a different order',
    'a loop over the Dictionary or a JObject sees a different order',
  ),
  elementOrder: noticed(
    'a different order in XML',
    'code that reads by position gets the wrong element',
    'children() by position gets the wrong element',
    'StAX readers that expect an order fail',
    'XmlSerializer loses elements of an ordered sequence',
  ),
  emptyList: noticed(
    '[] where the other has an empty object',
    'a loop over names does the same; .length is undefined for {}',
    'the same with json_decode(…, true); without it empty() is true for [] and false for {}',
    'Jackson fails on [] where it expects an object or a Map',
    'Newtonsoft fails on [] where it expects an object or a Dictionary',
  ),
  unknown: noticed(
    'a different way to say that nothing was found',
    'a test for a missing entry, null or false misses it',
    'isset(), empty() and === differ on null, false, [] and a missing entry',
    'a missing entry, null and an object are three cases; false or [] fails to convert',
    'a missing key, null and an object are three cases; false or [] fails to convert',
  ),
  reading: noticed('the same request is read differently', 'clients that send it get a different response'),
  refusal: noticed(
    'one service answers, the other refuses',
    '$.get calls fail instead of success, or the reverse',
    'file_get_contents() is false for a status of 400 or more',
    'HttpURLConnection throws for a status of 400 or more',
    'WebClient throws for a status of 400 or more',
  ),
  status: noticed(
    'a different error status',
    'a client that tests for one status misses it; from 200 to 299, $.get calls success',
    'file_get_contents() is false from 400 on, and a text below',
    'HttpURLConnection throws from 400 on, and not below',
    'WebClient throws, unless it is 200 to 299',
  ),
  format: noticed(
    'JSON where the other has XML, or neither format',
    'parsing fails',
    'json_decode() gives null; simplexml_load_string() false',
    'parsing fails',
    'parsing fails',
  ),
  errorShape: noticed(
    'a different structure of errors with status 200',
    'a test for the name of the error misses it',
    'isset() of the name of the error misses it',
    'Jackson takes it for an entry, and fails',
    'Newtonsoft takes it for an entry, and fails or finds empty fields',
  ),
  errorWords: harmless('a different error text', 'nothing, unless it shows or compares the text'),
  mediaType: noticed(
    'a different Content-Type',
    '$.get parses by it: of text/html or text/plain it makes a string, of JSON an object',
    'nothing',
    "Spring's RestTemplate finds no converter, or another one",
    'ReadAsAsync finds no formatter, or another one',
  ),
  mediaTypeDetail: harmless('parameters of the Content-Type, or another name of the same type', 'nothing'),
  letters: noticed(
    'non-ASCII letters as they are, where the other escapes them',
    'nothing',
    'nothing, unless it searches the text itself',
    'a Reader with a fixed charset garbles letters that are not escaped',
    'WebClient garbles letters that are not escaped, unless its Encoding is UTF-8',
  ),
  layout: harmless(
    'white space, escapes, the XML declaration, or how empty elements are written',
    'nothing, unless it counts childNodes of indented XML',
    'nothing, unless it searches the text itself',
    'nothing, unless it counts child nodes of indented XML',
    'nothing, unless it steps through an XmlReader',
  ),
  byteOrderMark: noticed(
    'a byte order mark',
    'nothing: browsers remove it',
    'json_decode() needs it removed; code that cuts three bytes off breaks without it',
    'nothing, if it reads bytes',
    'nothing, if it reads a stream',
  ),
} as const satisfies Readonly<Record<string, Judgement>>

export type JudgementName = keyof typeof judgements
