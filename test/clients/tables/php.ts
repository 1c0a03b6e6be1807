// PHP's json_decode, simplexml_load_string and file_get_contents.

import type { Claims } from '../claim.ts'
import * as given from './answers.ts'

const notAsked = 'it says only that an answer is another one'

export const phpClaims: Claims = {
  numberAsText: {
    says: '=== and is_int() fail; == does not',
    cases: [
      ['json_decode($answer)->id === 1', ['{"id":1}', 'true'], ['{"id":"1"}', 'false']],
      ['is_int(json_decode($answer)->id)', ['{"id":1}', 'true'], ['{"id":"1"}', 'false']],
      ['json_decode($answer)->id == 1', ['{"id":1}', 'true'], ['{"id":"1"}', 'true']],
    ],
  },
  booleanAsText: {
    says: '"0" and "" are false in an if, "false" is true; === fails',
    cases: [
      ['(bool) json_decode($answer)->banned', ['{"banned":false}', 'false'], ['{"banned":"0"}', 'false']],
      ['(bool) json_decode($answer)->banned', ['{"banned":false}', 'false'], ['{"banned":""}', 'false']],
      ['(bool) json_decode($answer)->banned', ['{"banned":false}', 'false'], ['{"banned":"false"}', 'true']],
      ['json_decode($answer)->banned === false', ['{"banned":false}', 'true'], ['{"banned":"0"}', 'false']],
    ],
  },
  booleanAsNumber: {
    says: '=== fails; an if and empty() do not',
    cases: [
      ['json_decode($answer)->banned === true', ['{"banned":true}', 'true'], ['{"banned":1}', 'false']],
      ['(bool) json_decode($answer)->banned', ['{"banned":true}', 'true'], ['{"banned":1}', 'true']],
      ['empty(json_decode($answer)->banned)', ['{"banned":false}', 'true'], ['{"banned":0}', 'true']],
    ],
  },
  nullValue: {
    says: '=== "" fails, and isset() is false',
    cases: [
      ['json_decode($answer)->name === ""', ['{"name":""}', 'true'], ['{"name":null}', 'false']],
      ['isset(json_decode($answer)->name)', ['{"name":""}', 'true'], ['{"name":null}', 'false']],
    ],
  },
  otherValue: { says: 'shows a different value', unchecked: notAsked },
  missingField: {
    says: 'null and a warning',
    cases: [
      ['json_decode($answer)->name', ['{"name":"a"}', '"a"'], ['{}', 'null and a warning']],
      ['json_decode($answer, true)["name"]', ['{"name":"a"}', '"a"'], ['{}', 'null and a warning']],
    ],
  },
  extraField: {
    says: 'nothing, unless it loops over fields',
    cases: [
      ['json_decode($answer)->id', ['{"id":1}', '1'], ['{"id":1,"rank":2}', '1']],
      [
        'array_keys(json_decode($answer, true))',
        ['{"id":1}', '["id"]'],
        ['{"id":1,"rank":2}', '["id","rank"]'],
      ],
    ],
  },
  memberOrder: {
    says: 'nothing, unless it loops over fields',
    cases: [
      ['json_decode($answer)->id', ['{"id":1,"name":"a"}', '1'], ['{"name":"a","id":1}', '1']],
      [
        'json_decode($answer, true) == ["id" => 1, "name" => "a"]',
        ['{"id":1,"name":"a"}', 'true'],
        ['{"name":"a","id":1}', 'true'],
      ],
      [
        'array_keys(json_decode($answer, true))',
        ['{"id":1,"name":"a"}', '["id","name"]'],
        ['{"name":"a","id":1}', '["name","id"]'],
      ],
    ],
  },
  entryOrder: {
    says: 'foreach and reset() see a different order',
    cases: [
      ['array_keys(json_decode($answer, true))', ['{"2":{},"1":{}}', '[2,1]'], ['{"1":{},"2":{}}', '[1,2]']],
      ['current(json_decode($answer, true))["id"]', [given.entries, '2'], [given.turnedEntries, '1']],
    ],
  },
  elementOrder: {
    says: 'children() by position gets the wrong element',
    cases: [
      [
        '(string) simplexml_load_string($answer)->children()[0]',
        [given.inOrder, '"1"'],
        [given.turned, '"a"'],
      ],
      ['(string) simplexml_load_string($answer)->id', [given.inOrder, '"1"'], [given.turned, '"1"']],
    ],
  },
  emptyList: {
    says: 'the same with json_decode(…, true); without it empty() is true for [] and false for {}',
    cases: [
      ['json_decode($answer, true) === []', ['[]', 'true'], ['{}', 'true']],
      ['empty(json_decode($answer))', ['[]', 'true'], ['{}', 'false']],
    ],
  },
  unknown: {
    says: 'isset(), empty() and === differ on null, false, [] and a missing entry',
    cases: [
      ['isset(json_decode($answer, true)[9])', ['{"9":null}', 'false'], ['{"9":false}', 'true']],
      ['isset(json_decode($answer, true)[9])', ['{}', 'false'], ['{"9":[]}', 'true']],
      ['empty(json_decode($answer)->{"9"})', ['{"9":[]}', 'true'], ['{"9":{}}', 'false']],
      ['json_decode($answer, true)[9] === null', ['{"9":null}', 'true'], ['{}', 'true and a warning']],
      ['json_decode($answer, true)[9] === false', ['{"9":false}', 'true'], ['{"9":null}', 'false']],
    ],
  },
  reading: { says: 'clients that send it get a different response', unchecked: notAsked },
  refusal: {
    says: 'file_get_contents() is false for a status of 400 or more',
    cases: [['file_get_contents($url)', ['{}', '"{}"'], [given.refused, 'false and a warning']]],
  },
  status: {
    says: 'file_get_contents() is false from 400 on, and a text below',
    cases: [
      [
        'file_get_contents($url)',
        [{ status: 400, body: '{}' }, 'false and a warning'],
        [given.redirected, '"{}"'],
      ],
    ],
  },
  format: {
    says: 'json_decode() gives null; simplexml_load_string() false',
    cases: [
      ['json_decode($answer)', ['[]', '[]'], ['<users/>', 'null']],
      ['simplexml_load_string($answer) === false', ['<users/>', 'false'], ['{}', 'true and a warning']],
    ],
  },
  errorShape: {
    says: 'isset() of the name of the error misses it',
    cases: [['isset(json_decode($answer)->Error)', ['{"Error":"a"}', 'true'], ['{"error":"a"}', 'false']]],
  },
  errorWords: {
    says: 'nothing, unless it shows or compares the text',
    cases: [
      ['isset(json_decode($answer)->Error)', ['{"Error":"a"}', 'true'], ['{"Error":"b"}', 'true']],
      ['json_decode($answer)->Error === "a"', ['{"Error":"a"}', 'true'], ['{"Error":"b"}', 'false']],
    ],
  },
  mediaType: {
    says: 'nothing',
    cases: [['file_get_contents($url)', ['{}', '"{}"'], [{ type: 'text/html', body: '{}' }, '"{}"']]],
  },
  mediaTypeDetail: {
    says: 'nothing',
    cases: [
      [
        'file_get_contents($url)',
        ['{}', '"{}"'],
        [{ type: 'application/json; profile=a', body: '{}' }, '"{}"'],
      ],
      [
        '(string) simplexml_load_file($url)',
        [given.xml('<a>é</a>'), '"é"'],
        [given.xml('<a>é</a>', 'text/xml; charset=utf-8'), '"é"'],
      ],
      [
        'json_decode(file_get_contents($url))',
        [given.utf8('application/json; charset=utf-8'), '"é"'],
        [given.utf8('application/json'), '"é"'],
      ],
      [
        '(string) simplexml_load_file($url)',
        [given.xml('<a>é</a>'), '"é"'],
        [given.xml('<a>é</a>', 'text/xml'), '"é"'],
      ],
    ],
  },
  letters: {
    says: 'nothing, unless it searches the text itself',
    cases: [
      ['json_decode(file_get_contents($url))', [given.escapedLetter, '"é"'], [given.rawLetter, '"é"']],
      [
        'str_contains(file_get_contents($url), "\\u00e9")',
        [given.escapedLetter, 'true'],
        [given.rawLetter, 'false'],
      ],
    ],
  },
  layout: {
    says: 'nothing, unless it searches the text itself',
    cases: [
      ['json_decode($answer)->name', [given.escaped, '"é/"'], [given.unescaped, '"é/"']],
      ['(string) simplexml_load_string($answer)->user->name', [given.oneLine, '""'], [given.indented, '""']],
      ['count(simplexml_load_string($answer)->children())', [given.oneLine, '1'], [given.indented, '1']],
      ['str_contains($answer, "<id>1</id><name>")', [given.oneLine, 'true'], [given.indented, 'false']],
    ],
  },
  header: {
    says: 'nothing',
    cases: [
      [
        'file_get_contents($url)',
        ['{}', '"{}"'],
        [{ body: '{}', headers: { 'Cache-Control': 'public, max-age=60' } }, '"{}"'],
      ],
      [
        'file_get_contents($url) . file_get_contents($url) . $http_response_header[2]',
        ['{}', '"{}{}X-Times: 2"'],
        [{ body: '{}', headers: { 'Cache-Control': 'public, max-age=60' } }, '"{}{}X-Times: 2"'],
      ],
    ],
  },
  jsonp: {
    says: 'nothing',
    unchecked: 'a call of a function is for pages',
  },
  post: {
    says: 'file_get_contents() is false',
    cases: [['post($url)', [given.posted, '"{}"'], ['{}', 'false and a warning']]],
  },
  byteOrderMark: {
    says: 'json_decode() needs it removed; code that cuts three bytes off breaks without it',
    cases: [
      ['json_decode($answer)', [given.plain, '{"id":1}'], [given.marked, 'null']],
      ['json_decode(substr($answer, 3))', [given.marked, '{"id":1}'], [given.plain, 'null']],
    ],
  },
  charset: {
    says: 'json_decode() is null unless it is UTF-8; code that converts to UTF-8 garbles UTF-8',
    cases: [
      [
        'json_decode(file_get_contents($url))',
        [given.utf8('application/json'), '"é"'],
        [given.latin('application/json'), 'null'],
      ],
      [
        'json_decode(utf8_encode(file_get_contents($url)))',
        [given.latin('application/json'), '"é"'],
        [given.utf8('application/json'), '"Ã©"'],
      ],
      [
        'json_decode(iconv("ISO-8859-1", "UTF-8", file_get_contents($url)))',
        [given.latin('application/json'), '"é"'],
        [given.utf8('application/json'), '"Ã©"'],
      ],
    ],
  },
}
