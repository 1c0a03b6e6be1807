// jQuery in Chromium.

import type { Claims } from '../claim.ts'
import * as given from './answers.ts'

const notAsked = 'it says only that an answer is another one'

export const javascriptClaims: Claims = {
  numberAsText: {
    says: '=== fails; + joins instead of adding',
    cases: [
      ['$.parseJSON(answer).id === 1', ['{"id":1}', 'true'], ['{"id":"1"}', 'false']],
      ['$.parseJSON(answer).id + 1', ['{"id":1}', '2'], ['{"id":"1"}', '"11"']],
    ],
  },
  booleanAsText: {
    says: '"0" and "false" are true in an if; "" is false',
    cases: [
      ['!!$.parseJSON(answer).banned', ['{"banned":false}', 'false'], ['{"banned":"0"}', 'true']],
      ['!!$.parseJSON(answer).banned', ['{"banned":false}', 'false'], ['{"banned":"false"}', 'true']],
      ['!!$.parseJSON(answer).banned', ['{"banned":false}', 'false'], ['{"banned":""}', 'false']],
    ],
  },
  booleanAsNumber: {
    says: '=== fails; an if does not',
    cases: [
      ['$.parseJSON(answer).banned === true', ['{"banned":true}', 'true'], ['{"banned":1}', 'false']],
      ['!!$.parseJSON(answer).banned', ['{"banned":true}', 'true'], ['{"banned":1}', 'true']],
      ['!!$.parseJSON(answer).banned', ['{"banned":false}', 'false'], ['{"banned":0}', 'false']],
    ],
  },
  nullValue: {
    says: 'methods of null throw',
    cases: [['$.parseJSON(answer).name.length', ['{"name":""}', '0'], ['{"name":null}', 'throws TypeError']]],
  },
  otherValue: { says: 'shows a different value', unchecked: notAsked },
  missingField: {
    says: 'undefined',
    cases: [['$.parseJSON(answer).name', ['{"name":"a"}', '"a"'], ['{}', 'undefined']]],
  },
  extraField: {
    says: 'nothing, unless it loops over fields',
    cases: [
      ['$.parseJSON(answer).id', ['{"id":1}', '1'], ['{"id":1,"rank":2}', '1']],
      [
        '$.map($.parseJSON(answer), (_, name) => name)',
        ['{"id":1}', '["id"]'],
        ['{"id":1,"rank":2}', '["id","rank"]'],
      ],
    ],
  },
  memberOrder: {
    says: 'nothing, unless it loops over fields',
    cases: [
      ['$.parseJSON(answer).id', ['{"id":1,"name":"a"}', '1'], ['{"name":"a","id":1}', '1']],
      [
        'Object.keys($.parseJSON(answer))',
        ['{"id":1,"name":"a"}', '["id","name"]'],
        ['{"name":"a","id":1}', '["name","id"]'],
      ],
    ],
  },
  entryOrder: {
    says: 'a loop sorts numbers anyway; usernames come in a different order',
    cases: [
      [
        '$.map($.parseJSON(answer), (_, key) => key)',
        ['{"2":{},"1":{}}', '["1","2"]'],
        ['{"1":{},"2":{}}', '["1","2"]'],
      ],
      [
        '$.map($.parseJSON(answer), (_, key) => key)',
        [given.entries, '["b","a"]'],
        [given.turnedEntries, '["a","b"]'],
      ],
    ],
  },
  elementOrder: {
    says: 'code that reads by position gets the wrong element',
    cases: [
      [
        '$($.parseXML(answer)).find("user").children().first().text()',
        [given.inOrder, '"1"'],
        [given.turned, '"a"'],
      ],
      ['$($.parseXML(answer)).find("id").text()', [given.inOrder, '"1"'], [given.turned, '"1"']],
    ],
  },
  emptyList: {
    says: 'a loop over names does the same; .length is undefined for {}',
    cases: [
      ['$.map($.parseJSON(answer), (_, key) => key)', ['{}', '[]'], ['[]', '[]']],
      ['$.parseJSON(answer).length', ['[]', '0'], ['{}', 'undefined']],
    ],
  },
  unknown: {
    says: 'a test for a missing entry, null or false misses it',
    cases: [
      ['$.parseJSON(answer)[9] === undefined', ['{}', 'true'], ['{"9":null}', 'false']],
      ['$.parseJSON(answer)[9] === null', ['{"9":null}', 'true'], ['{"9":false}', 'false']],
      ['$.parseJSON(answer)[9] === false', ['{"9":false}', 'true'], ['{}', 'false']],
      ['!$.parseJSON(answer)[9]', ['{}', 'true'], ['{"9":[]}', 'false']],
    ],
  },
  reading: { says: 'clients that send it get a different response', unchecked: notAsked },
  refusal: {
    says: '$.get calls fail instead of success, or the reverse',
    cases: [['get(url)', [given.found, given.found], [given.refused, '"error: error 404"']]],
  },
  status: {
    says: 'a client that tests for one status misses it; from 200 to 299, $.get calls success',
    cases: [
      [
        'get(url)',
        [{ status: 400, body: '{}' }, '"error: error 400"'],
        [given.refused, '"error: error 404"'],
      ],
      ['get(url)', [given.redirected, '"error: error 300"'], [{ status: 299, body: '{}' }, '{}']],
    ],
  },
  format: {
    says: 'parsing fails',
    cases: [
      ['$.parseJSON(answer)', ['{}', '{}'], ['<users/>', 'throws SyntaxError']],
      ['$.parseXML(answer).documentElement.tagName', ['<users/>', '"users"'], ['{}', 'throws Error']],
    ],
  },
  errorShape: {
    says: 'a test for the name of the error misses it',
    cases: [['"Error" in $.parseJSON(answer)', ['{"Error":"a"}', 'true'], ['{"error":"a"}', 'false']]],
  },
  errorWords: {
    says: 'nothing, unless it shows or compares the text',
    cases: [
      ['"Error" in $.parseJSON(answer)', ['{"Error":"a"}', 'true'], ['{"Error":"b"}', 'true']],
      ['$.parseJSON(answer).Error === "a"', ['{"Error":"a"}', 'true'], ['{"Error":"b"}', 'false']],
    ],
  },
  mediaType: {
    says: '$.get parses by it: of text/html or text/plain it makes a string, of JSON an object',
    cases: [
      ['get(url)', ['{"id":1}', '{"id":1}'], [{ type: 'text/html', body: '{"id":1}' }, '"{\\"id\\":1}"']],
      ['get(url)', ['{"id":1}', '{"id":1}'], [{ type: 'text/plain', body: '{"id":1}' }, '"{\\"id\\":1}"']],
      ['get(url)', ['{"id":1}', '{"id":1}'], [{ type: '', body: '{"id":1}' }, '"{\\"id\\":1}"']],
    ],
  },
  mediaTypeDetail: {
    says: 'nothing',
    cases: [
      [
        'get(url)',
        ['{"id":1}', '{"id":1}'],
        [{ type: 'application/json; profile=a', body: '{"id":1}' }, '{"id":1}'],
      ],
      [
        'get(url)',
        [given.xml('<a>é</a>'), '"XML é"'],
        [given.xml('<a>é</a>', 'text/xml; charset=utf-8'), '"XML é"'],
      ],
      [
        'get(url)',
        [given.utf8('application/json; charset=utf-8'), '"é"'],
        [given.utf8('application/json'), '"é"'],
      ],
      ['get(url)', [given.xml('<a>é</a>'), '"XML é"'], [given.xml('<a>é</a>', 'text/xml'), '"XML é"']],
    ],
  },
  letters: {
    says: 'nothing',
    cases: [['get(url)', [given.escapedLetter, '"é"'], [given.rawLetter, '"é"']]],
  },
  layout: {
    says: 'nothing, unless it counts childNodes of indented XML',
    cases: [
      ['$.parseJSON(answer).name', [given.escaped, '"é/"'], [given.unescaped, '"é/"']],
      ['$($.parseXML(answer)).find("name").text()', [given.oneLine, '""'], [given.indented, '""']],
      ['$.parseXML(answer).documentElement.childNodes.length', [given.oneLine, '1'], [given.indented, '3']],
    ],
  },
  header: {
    says: 'nothing, unless a browser caches responses for max-age, or a page of another origin sends the request',
    cases: [
      [
        'timesAsked(url)',
        ['{}', '"2"'],
        [{ body: '{}', headers: { 'Cache-Control': 'public, max-age=60' } }, '"1"'],
      ],
      [
        'get(url.replace("127.0.0.1", "localhost"))',
        [{ body: '{}', headers: { 'Access-Control-Allow-Origin': '*' } }, '{}'],
        [{ body: '{}' }, '"error: error 0"'],
      ],
      [
        'get(url.replace("127.0.0.1", "localhost"), { xhrFields: { withCredentials: true } })',
        [
          {
            body: '{}',
            headers: { 'Access-Control-Allow-Origin': 'ORIGIN', 'Access-Control-Allow-Credentials': 'true' },
          },
          '{}',
        ],
        [{ body: '{}', headers: { 'Access-Control-Allow-Origin': '*' } }, '"error: error 0"'],
      ],
    ],
  },
  jsonp: {
    says: 'the function is never called; $.ajax with dataType jsonp fails',
    cases: [
      [
        'get(url, { dataType: "jsonp", jsonpCallback: "cb" })',
        [{ type: 'text/javascript', body: 'cb({"id":1})' }, '{"id":1}'],
        [{ type: 'text/javascript', body: '{"id":1}' }, '"error: parsererror 200"'],
      ],
    ],
  },
  post: {
    says: '$.post fails',
    cases: [
      [
        'get(url, { type: "POST", data: { Event: "a" } })',
        [given.posted, '{}'],
        ['{}', '"error: error 405"'],
      ],
    ],
  },
  byteOrderMark: {
    says: 'nothing: browsers remove it',
    cases: [['get(url)', [given.plain, '{"id":1}'], [given.marked, '{"id":1}']]],
  },
  charset: {
    says: 'nothing where the header names it; otherwise non-ASCII letters are garbled',
    cases: [
      [
        'get(url)',
        [given.utf8('application/json; charset=utf-8'), '"é"'],
        [given.latin('application/json; charset=iso-8859-1'), '"é"'],
      ],
      ['get(url)', [given.utf8('application/json'), '"é"'], [given.latin('application/json'), '"\ufffd"']],
    ],
  },
}
