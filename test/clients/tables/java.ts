// Jackson, the parsers of the JDK and HttpURLConnection, in Java.

import type { Claims } from '../claim.ts'
import * as given from './answers.ts'

const notAsked = 'it says only that an answer is another one'

export const javaClaims: Claims = {
  numberAsText: {
    says: 'Jackson converts either way; a JsonNode has another type',
    cases: [
      ['user(answer).id', ['{"id":1}', '1'], ['{"id":"1"}', '1']],
      ['user(answer).name', ['{"name":"1"}', '"1"'], ['{"name":1}', '"1"']],
      ['tree(answer).get("id").getNodeType()', ['{"id":1}', '"NUMBER"'], ['{"id":"1"}', '"STRING"']],
    ],
  },
  booleanAsText: {
    says: 'Jackson fails on "1" and "0"',
    cases: [
      [
        'user(answer).banned',
        ['{"banned":true}', 'true'],
        ['{"banned":"1"}', 'throws InvalidFormatException'],
      ],
      [
        'user(answer).banned',
        ['{"banned":false}', 'false'],
        ['{"banned":"0"}', 'throws InvalidFormatException'],
      ],
      ['user(answer).banned', ['{"banned":false}', 'false'], ['{"banned":""}', 'false']],
      ['user(answer).banned', ['{"banned":true}', 'true'], ['{"banned":"true"}', 'true']],
      ['user(answer).name', ['{"name":"true"}', '"true"'], ['{"name":true}', '"true"']],
    ],
  },
  booleanAsNumber: {
    says: 'Jackson converts to boolean, not to a number',
    cases: [
      ['user(answer).banned', ['{"banned":true}', 'true'], ['{"banned":1}', 'true']],
      ['user(answer).banned', ['{"banned":false}', 'false'], ['{"banned":0}', 'false']],
      ['user(answer).id', ['{"id":1}', '1'], ['{"id":true}', 'throws MismatchedInputException']],
      ['user(answer).rank', ['{"rank":1}', '1'], ['{"rank":true}', 'throws MismatchedInputException']],
    ],
  },
  nullValue: {
    says: 'a null reference; Jackson makes a primitive 0 or false',
    cases: [
      ['user(answer).name', ['{"name":""}', '""'], ['{"name":null}', 'null']],
      ['user(answer).id', ['{"id":1}', '1'], ['{"id":null}', '0']],
      ['user(answer).banned', ['{"banned":true}', 'true'], ['{"banned":null}', 'false']],
    ],
  },
  otherValue: {
    says: 'shows a different value; may fail to convert',
    cases: [
      ['user(answer).name', ['{"name":"a"}', '"a"'], ['{"name":"b"}', '"b"']],
      ['user(answer).id', ['{"id":1}', '1'], ['{"id":3000000000}', 'throws JsonMappingException']],
    ],
  },
  missingField: {
    says: 'null, or the default of a primitive',
    cases: [
      ['user(answer).name', ['{"name":"a"}', '"a"'], ['{}', 'null']],
      ['user(answer).id', ['{"id":1}', '1'], ['{}', '0']],
    ],
  },
  extraField: {
    says: 'Jackson fails on unknown properties',
    cases: [
      ['user(answer).id', ['{"id":1}', '1'], ['{"id":1,"email":2}', 'throws UnrecognizedPropertyException']],
    ],
  },
  memberOrder: {
    says: 'nothing, unless it loops over a Map or a JsonNode',
    cases: [
      ['user(answer).id', ['{"id":1,"name":"a"}', '1'], ['{"name":"a","id":1}', '1']],
      [
        'mapper.readValue(answer, Map.class).keySet()',
        ['{"id":1,"name":"a"}', '["id","name"]'],
        ['{"name":"a","id":1}', '["name","id"]'],
      ],
      [
        'tree(answer).fieldNames()',
        ['{"id":1,"name":"a"}', '["id","name"]'],
        ['{"name":"a","id":1}', '["name","id"]'],
      ],
    ],
  },
  entryOrder: {
    says: 'a loop over the Map sees a different order',
    cases: [['users(answer).keySet()', [given.entries, '["b","a"]'], [given.turnedEntries, '["a","b"]']]],
  },
  elementOrder: {
    says: 'StAX readers that expect an order fail',
    cases: [['nameAfterId(answer)', [given.inOrder, '"a"'], [given.turned, 'throws XMLStreamException']]],
  },
  emptyList: {
    says: 'Jackson fails on [] where it expects an object or a Map',
    cases: [
      ['users(answer)', ['{}', '{}'], ['[]', 'throws MismatchedInputException']],
      ['user(answer).id', ['{}', '0'], ['[]', 'throws MismatchedInputException']],
    ],
  },
  unknown: {
    says: 'a missing entry, null and an object are three cases; false or [] fails to convert',
    cases: [
      ['users(answer).get("9")', ['{}', 'null'], ['{"9":null}', 'null']],
      ['users(answer).containsKey("9")', ['{}', 'false'], ['{"9":null}', 'true']],
      ['users(answer).get("9") == null', ['{}', 'true'], ['{"9":{}}', 'false']],
      ['users(answer).get("9")', ['{}', 'null'], ['{"9":false}', 'throws MismatchedInputException']],
      ['users(answer).get("9")', ['{}', 'null'], ['{"9":[]}', 'throws MismatchedInputException']],
    ],
  },
  reading: { says: 'clients that send it get a different response', unchecked: notAsked },
  refusal: {
    says: 'HttpURLConnection throws for a status of 400 or more',
    cases: [['text(url)', ['{}', '"{}"'], [given.refused, 'throws FileNotFoundException']]],
  },
  status: {
    says: 'HttpURLConnection throws from 400 on, and not below',
    cases: [
      ['text(url)', [{ status: 400, body: '{}' }, 'throws IOException'], [given.redirected, '"{}"']],
      [
        'text(url)',
        [{ status: 400, body: '{}' }, 'throws IOException'],
        [given.refused, 'throws FileNotFoundException'],
      ],
    ],
  },
  format: {
    says: 'parsing fails',
    cases: [
      ['tree(answer)', ['{}', '{}'], ['<users/>', 'throws JsonParseException']],
      [
        'document(answer).getDocumentElement().getTagName()',
        ['<users/>', '"users"'],
        ['{}', 'throws SAXParseException'],
      ],
    ],
  },
  errorShape: {
    says: 'Jackson takes it for an entry, and fails',
    cases: [
      [
        'tree(answer).has("Error") ? null : users(answer)',
        ['{"Error":"a"}', 'null'],
        ['{"error":"a"}', 'throws MismatchedInputException'],
      ],
      [
        'tree(answer).has("Error") ? null : users(answer)',
        ['{"Error":"a"}', 'null'],
        ['{"error":{"message":"a"}}', 'throws UnrecognizedPropertyException'],
      ],
    ],
  },
  errorWords: {
    says: 'nothing, unless it shows or compares the text',
    cases: [
      ['tree(answer).has("Error")', ['{"Error":"a"}', 'true'], ['{"Error":"b"}', 'true']],
      [
        'tree(answer).get("Error").textValue().equals("a")',
        ['{"Error":"a"}', 'true'],
        ['{"Error":"b"}', 'false'],
      ],
    ],
  },
  mediaType: {
    says: "Spring's RestTemplate finds no converter, or another one",
    unchecked: 'Spring is not installed',
  },
  mediaTypeDetail: {
    says: 'nothing',
    cases: [
      ['text(url)', ['{}', '"{}"'], [{ type: 'application/json; profile=a', body: '{}' }, '"{}"']],
      [
        'mapper.readTree(new URL(url)).textValue()',
        [given.utf8('application/json; charset=utf-8'), '"é"'],
        [given.utf8('application/json'), '"é"'],
      ],
      [
        'DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(url).getDocumentElement().getTextContent()',
        [given.xml('<a>é</a>'), '"é"'],
        [given.xml('<a>é</a>', 'text/xml'), '"é"'],
      ],
    ],
  },
  letters: {
    says: 'a Reader with a fixed charset garbles letters that are not escaped',
    cases: [
      ['tree(readerText(url, "ISO-8859-1"))', [given.escapedLetter, '"é"'], [given.rawLetter, '"Ã©"']],
      ['mapper.readTree(new URL(url))', [given.escapedLetter, '"é"'], [given.rawLetter, '"é"']],
    ],
  },
  layout: {
    says: 'nothing, unless it counts child nodes of indented XML',
    cases: [
      ['user(answer).name', [given.escaped, '"é/"'], [given.unescaped, '"é/"']],
      [
        'document(answer).getElementsByTagName("name").item(0).getTextContent()',
        [given.oneLine, '""'],
        [given.indented, '""'],
      ],
      [
        'document(answer).getDocumentElement().getChildNodes().getLength()',
        [given.oneLine, '1'],
        [given.indented, '3'],
      ],
    ],
  },
  header: {
    says: 'nothing',
    cases: [
      [
        'text(url) + new URL(url).openConnection().getHeaderField("X-Times")',
        ['{}', '"{}2"'],
        [{ body: '{}', headers: { 'Cache-Control': 'public, max-age=60' } }, '"{}2"'],
      ],
    ],
  },
  jsonp: { says: 'nothing', unchecked: 'a call of a function is for pages' },
  post: {
    says: 'clients that POST fail',
    cases: [['post(url)', [given.posted, '"{}"'], ['{}', 'throws IOException']]],
  },
  byteOrderMark: {
    says: 'nothing, if it reads bytes',
    cases: [
      ['mapper.readValue(bytes(url), User.class).id', [given.plain, '1'], [given.marked, '1']],
      ['user(text(url)).id', [given.plain, '1'], [given.marked, 'throws JsonParseException']],
    ],
  },
  charset: {
    says: 'a Reader with a fixed charset garbles letters',
    cases: [
      [
        'readerText(url, "ISO-8859-1")',
        [given.latin('application/json; charset=iso-8859-1'), '"\\"é\\""'],
        [given.utf8('application/json; charset=utf-8'), '"\\"Ã©\\""'],
      ],
    ],
  },
}
