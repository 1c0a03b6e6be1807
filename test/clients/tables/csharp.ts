// Newtonsoft.Json, the parsers of .NET and WebClient, in C#.

import type { Claims } from '../claim.ts'
import * as given from './answers.ts'

const notAsked = 'it says only that an answer is another one'

export const csharpClaims: Claims = {
  numberAsText: {
    says: 'Newtonsoft converts either way; a JToken has another type',
    cases: [
      ['User(answer).id', ['{"id":1}', '1'], ['{"id":"1"}', '1']],
      ['User(answer).name', ['{"name":"1"}', '"1"'], ['{"name":1}', '"1"']],
      ['JToken.Parse(answer)["id"].Type.ToString()', ['{"id":1}', '"Integer"'], ['{"id":"1"}', '"String"']],
    ],
  },
  booleanAsText: {
    says: 'Newtonsoft fails on "1", "0" and ""',
    cases: [
      [
        'User(answer).banned',
        ['{"banned":true}', 'true'],
        ['{"banned":"1"}', 'throws JsonSerializationException'],
      ],
      [
        'User(answer).banned',
        ['{"banned":false}', 'false'],
        ['{"banned":"0"}', 'throws JsonSerializationException'],
      ],
      [
        'User(answer).banned',
        ['{"banned":false}', 'false'],
        ['{"banned":""}', 'throws JsonSerializationException'],
      ],
      ['User(answer).banned', ['{"banned":true}', 'true'], ['{"banned":"true"}', 'true']],
    ],
  },
  booleanAsNumber: {
    says: 'Newtonsoft converts to bool, not to a number',
    cases: [
      ['User(answer).banned', ['{"banned":true}', 'true'], ['{"banned":1}', 'true']],
      ['User(answer).banned', ['{"banned":false}', 'false'], ['{"banned":0}', 'false']],
      ['User(answer).id', ['{"id":1}', '1'], ['{"id":true}', 'throws JsonReaderException']],
      ['(int) JToken.Parse(answer)["id"]', ['{"id":1}', '1'], ['{"id":true}', '1']],
    ],
  },
  nullValue: {
    says: 'a null reference; Newtonsoft fails where the type takes no null',
    cases: [
      ['User(answer).name', ['{"name":""}', '""'], ['{"name":null}', 'null']],
      ['User(answer).rank', ['{"rank":1}', '1'], ['{"rank":null}', 'null']],
      ['User(answer).id', ['{"id":1}', '1'], ['{"id":null}', 'throws JsonSerializationException']],
    ],
  },
  otherValue: {
    says: 'shows a different value; may fail to convert',
    cases: [
      ['User(answer).name', ['{"name":"a"}', '"a"'], ['{"name":"b"}', '"b"']],
      ['User(answer).id', ['{"id":1}', '1'], ['{"id":3000000000}', 'throws JsonReaderException']],
    ],
  },
  missingField: {
    says: 'null, or the default of the type',
    cases: [
      ['User(answer).name', ['{"name":"a"}', '"a"'], ['{}', 'null']],
      ['User(answer).id', ['{"id":1}', '1'], ['{}', '0']],
    ],
  },
  extraField: {
    says: 'Newtonsoft ignores it',
    cases: [['User(answer).id', ['{"id":1}', '1'], ['{"id":1,"email":2}', '1']]],
  },
  memberOrder: {
    says: 'nothing, unless it loops over a JObject',
    cases: [
      ['User(answer).id', ['{"id":1,"name":"a"}', '1'], ['{"name":"a","id":1}', '1']],
      [
        'JObject.Parse(answer).Properties().Select(one => one.Name)',
        ['{"id":1,"name":"a"}', '["id","name"]'],
        ['{"name":"a","id":1}', '["name","id"]'],
      ],
    ],
  },
  entryOrder: {
    says: 'a loop over the Dictionary or a JObject sees a different order',
    cases: [
      ['Users(answer).Keys', [given.entries, '["b","a"]'], [given.turnedEntries, '["a","b"]']],
      [
        'JObject.Parse(answer).Properties().Select(one => one.Name)',
        [given.entries, '["b","a"]'],
        [given.turnedEntries, '["a","b"]'],
      ],
    ],
  },
  elementOrder: {
    says: 'XmlSerializer loses elements of an ordered sequence',
    cases: [
      [
        'Xml<OrderedUser>(answer).id + Xml<OrderedUser>(answer).name',
        [given.inOrder, '"1a"'],
        [given.turned, '"0a"'],
      ],
      [
        'Xml<UnorderedUser>(answer).id + Xml<UnorderedUser>(answer).name',
        [given.inOrder, '"1a"'],
        [given.turned, '"1a"'],
      ],
    ],
  },
  emptyList: {
    says: 'Newtonsoft fails on [] where it expects an object or a Dictionary',
    cases: [
      ['Users(answer)', ['{}', '{}'], ['[]', 'throws JsonSerializationException']],
      ['User(answer).id', ['{}', '0'], ['[]', 'throws JsonSerializationException']],
    ],
  },
  unknown: {
    says: 'a missing key, null and an object are three cases; false or [] fails to convert',
    cases: [
      ['Users(answer)["9"]', ['{"9":null}', 'null'], ['{}', 'throws KeyNotFoundException']],
      ['Users(answer)["9"] == null', ['{"9":null}', 'true'], ['{"9":{}}', 'false']],
      ['Users(answer)["9"]', ['{"9":null}', 'null'], ['{"9":false}', 'throws JsonSerializationException']],
      ['Users(answer)["9"]', ['{"9":null}', 'null'], ['{"9":[]}', 'throws JsonSerializationException']],
    ],
  },
  reading: { says: 'clients that send it get a different response', unchecked: notAsked },
  refusal: {
    says: 'WebClient throws for a status of 400 or more',
    cases: [['Text(url)', ['{}', '"{}"'], [given.refused, 'throws WebException']]],
  },
  status: {
    says: 'WebClient throws, unless it is 200 to 299',
    cases: [
      ['Text(url)', [{ status: 299, body: '{}' }, '"{}"'], [given.redirected, 'throws WebException']],
      ['Text(url)', [{ status: 400, body: '{}' }, 'throws WebException'], ['{}', '"{}"']],
    ],
  },
  format: {
    says: 'parsing fails',
    cases: [
      ['JToken.Parse(answer)', ['{}', '{}'], ['<users/>', 'throws JsonReaderException']],
      ['Document(answer).DocumentElement.Name', ['<users/>', '"users"'], ['{}', 'throws XmlException']],
    ],
  },
  errorShape: {
    says: 'Newtonsoft takes it for an entry, and fails or finds empty fields',
    cases: [
      [
        'JObject.Parse(answer)["Error"] != null ? null : Users(answer)',
        ['{"Error":"a"}', 'null'],
        ['{"error":"a"}', 'throws JsonSerializationException'],
      ],
      [
        'JObject.Parse(answer)["Error"] != null ? null : Users(answer)["error"].name ?? "nothing"',
        ['{"Error":"a"}', 'null'],
        ['{"error":{"message":"a"}}', '"nothing"'],
      ],
    ],
  },
  errorWords: {
    says: 'nothing, unless it shows or compares the text',
    cases: [
      ['JObject.Parse(answer)["Error"] != null', ['{"Error":"a"}', 'true'], ['{"Error":"b"}', 'true']],
      [
        '(string) JObject.Parse(answer)["Error"] == "a"',
        ['{"Error":"a"}', 'true'],
        ['{"Error":"b"}', 'false'],
      ],
    ],
  },
  mediaType: {
    says: 'ReadAsAsync finds no formatter, or another one',
    unchecked: 'Debian has no package of it',
  },
  mediaTypeDetail: {
    says: 'nothing',
    cases: [
      ['Text(url)', ['{}', '"{}"'], [{ type: 'application/json; profile=a', body: '{}' }, '"{}"']],
      [
        'Document(Text(url)).InnerText',
        [given.xml('<a>b</a>'), '"b"'],
        [given.xml('<a>b</a>', 'text/xml; charset=utf-8'), '"b"'],
      ],
      // Wrong letters either way: it reads by its own Encoding, which is ASCII here.
      [
        'JToken.Parse(Text(url))',
        [given.utf8('application/json; charset=utf-8'), '"??"'],
        [given.utf8('application/json'), '"??"'],
      ],
    ],
  },
  letters: {
    says: 'WebClient garbles letters that are not escaped, unless its Encoding is UTF-8',
    cases: [
      // Its Encoding is that of the machine, which is ASCII here.
      ['JToken.Parse(Text(url))', [given.escapedLetter, '"é"'], [given.rawLetter, '"??"']],
      [
        'JToken.Parse(new WebClient { Encoding = Encoding.UTF8 }.DownloadString(url))',
        [given.escapedLetter, '"é"'],
        [given.rawLetter, '"é"'],
      ],
      ['Document(Text(url)).InnerText', [given.xml('<a>&#233;</a>'), '"é"'], [given.xml('<a>é</a>'), '"??"']],
    ],
  },
  layout: {
    says: 'nothing, unless it steps through an XmlReader',
    cases: [
      ['User(answer).name', [given.escaped, '"é/"'], [given.unescaped, '"é/"']],
      [
        'Document(answer).GetElementsByTagName("name")[0].InnerText',
        [given.oneLine, '""'],
        [given.indented, '""'],
      ],
      ['Document(answer).DocumentElement.ChildNodes.Count', [given.oneLine, '1'], [given.indented, '1']],
      ['XDocument.Parse(answer).Root.Nodes().Count()', [given.oneLine, '1'], [given.indented, '1']],
      [
        'Steps(answer)',
        ['<a><b></b></a>', '"Element Element EndElement EndElement"'],
        ['<a>\n<b/></a>', '"Element Whitespace Element EndElement"'],
      ],
    ],
  },
  header: {
    says: 'nothing',
    cases: [
      [
        'Text(url) + Times(url)',
        ['{}', '"{}2"'],
        [{ body: '{}', headers: { 'Cache-Control': 'public, max-age=60' } }, '"{}2"'],
      ],
    ],
  },
  jsonp: { says: 'nothing', unchecked: 'a call of a function is for pages' },
  post: {
    says: 'WebClient.UploadString throws',
    cases: [['Post(url)', [given.posted, '"{}"'], ['{}', 'throws WebException']]],
  },
  byteOrderMark: {
    says: 'nothing, if it reads a stream',
    cases: [
      ['User(StreamText(url)).id', [given.plain, '1'], [given.marked, '1']],
      ['User(Text(url)).id', [given.plain, '1'], [given.marked, '1']],
      [
        'User(Encoding.UTF8.GetString(Bytes(url))).id',
        [given.plain, '1'],
        [given.marked, 'throws JsonReaderException'],
      ],
    ],
  },
  charset: {
    says: 'WebClient garbles letters: it decodes by its own Encoding, whatever the header says',
    cases: [
      [
        'new WebClient { Encoding = Encoding.GetEncoding("iso-8859-1") }.DownloadString(url)',
        [given.latin('application/json; charset=iso-8859-1'), '"\\"é\\""'],
        [given.utf8('application/json; charset=utf-8'), '"\\"Ã©\\""'],
      ],
    ],
  },
}
