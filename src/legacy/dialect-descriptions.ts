// One sentence for each key of the dialect. Editors (JSON Schema) and docs/dialect.md show the sentences.

import type { ChoiceGroup, Choices } from './dialect.ts'

type Descriptions = {
  readonly [G in ChoiceGroup]: { readonly [K in keyof Choices[G]]: string }
}

const section = 'Whether this field is in a CDATA section.'

/** One sentence for each choice. The compiler asks for it. */
export const descriptions: Descriptions = {
  read: {
    names: 'How names of parameters are compared.',
    events: 'How values of Event are compared.',
    methods: 'How values of MethodOfAccessingUserInformation are compared.',
    formats: 'How values of Format are compared.',
    repeated: 'Which value of a parameter counts that comes twice.',
    noEvent: 'What a request without Event asks for.',
    emptyEvent: 'What a request with an empty Event asks for.',
    otherEvent: 'What a request with another Event asks for.',
    json: 'How Format=JSON is compared; "other" treats it as any other format.',
    emptyFormat: 'The format of a request with an empty Format.',
    otherFormat: 'The format of a request with another Format.',
    emptyMethod: 'What an empty method means; "unknown" finds nothing.',
    otherMethod: 'What another method means; "unknown" finds nothing.',
    commas: 'Whether commas separate values, too.',
    trim: 'Whether blanks around values are removed.',
    emptyValues:
      'Whether empty values are dropped or looked up; the split of Java, Perl and Ruby drops those at the end.',
    repeatedValues: 'Which of repeated values have entries; "once by entry" compares the names of entries.',
    malformed: 'What a value does that is no id.',
    ids: 'Which texts are ids: 007 is 7, nothing or malformed; 7.0 is 7 (numeric); 7abc is 7 (cast); +7 is 7 (signed).',
    zero: 'Whether a list that is 0 counts as empty, as with empty() of PHP.',
    usernames:
      'How usernames are compared; "folded" ignores the case, "A to Z folded" that of ASCII letters.',
    missing: 'Whether a value that matches nothing makes the whole response an error.',
    tooMany: 'What more values than LEGACY_MAX_VALUES do.',
  },
  entries: {
    ids: 'The names of entries that were looked up by id.',
    usernames: 'The names of entries that were looked up by username.',
    chats: 'The names of entries that were looked up by chat identifier.',
    users: 'The order of users; "name as number" is that of PHP\'s ksort().',
    apps: 'The order of apps.',
  },
  json: {
    entries: 'Whether entries are sorted by the bytes of their names.',
    lists: 'Whether entries with the names 0, 1, 2 … are an array, as PHP has it without JSON_FORCE_OBJECT.',
    indent: 'The indentation of a level; null writes one line.',
    comma: 'The separator of members.',
    colon: 'The separator of a name and its value.',
    end: 'The text after the JSON.',
    letters: 'How characters beyond ASCII are written.',
    slashes: 'How / is written.',
    tags: 'How < and > are written.',
    ampersands: 'How & is written.',
    apostrophes: "How ' is written.",
    quotes: 'How " is written: as \\" or as \\u0022.',
    equalsSigns: 'How = is written; Gson escapes it.',
    plusSigns: 'How + and ` are written; System.Text.Json escapes them.',
    delete: 'How DEL (U+007F) is written; Python escapes it.',
    lineSeparators: 'How U+2028 and U+2029 are written if other letters are plain.',
    ids: 'How Id is written.',
    numbers: 'How other integers are written.',
    confirmed: 'How IsConfirmed is written.',
    banned: 'How Banned is written.',
    emptyTexts: 'How empty texts are written.',
    numericTexts: 'How texts are written that are numbers, as with JSON_NUMERIC_CHECK.',
    html: 'Whether texts went through htmlspecialchars().',
    charset: 'The charset of the body.',
  },
  xml: {
    afterDeclaration: 'The text between the declaration and the root.',
    line: 'The line end between elements; null writes one line.',
    indent: 'The indentation of a level.',
    fieldLines: 'Whether each field has a line of its own.',
    end: 'The text after the root.',
    emptyRoot: 'The form of a root without entries.',
    emptyFields: 'The form of an empty field.',
    quotes: 'The quotation marks of attributes.',
    lettersInTexts: 'How characters beyond ASCII are written in fields.',
    lettersInValues: 'How characters beyond ASCII are written in the attribute Value.',
    quotesInTexts: 'How " is written in fields.',
    quotesInValues: 'How " is written in the attribute Value.',
    apostrophes: "How ' is written.",
    markup: 'How &, < and > are written in fields.',
    controls:
      'How tabs and line ends are written that parsers would change; Go writes all of them in hexadecimal.',
    html: 'Whether texts went through htmlspecialchars() before they were written.',
    confirmed: 'How IsConfirmed is written.',
    banned: 'How Banned is written.',
    charset: 'The charset of the body.',
  },
  errors: {
    valuesInJson: 'How a recorded error in JSON repeats a value of the request.',
    valuesInXml: 'How a recorded error in XML repeats a value of the request.',
    charset: 'The charset of recorded replies.',
  },
  cdata: {
    Username: section,
    DisplayName: section,
    Title: section,
    Version: section,
    ChangelogLink: section,
    DownloadLink: section,
  },
}

/** The keys that are no choices. */
export const textDescriptions: Readonly<Record<string, string>> = {
  serviceName: 'The name of the service: "Acme" makes the root <AcmeAPI> and the field AcmeDownloadLink.',
  chatMethod: 'The value of MethodOfAccessingUserInformation that means the chat platform.',
  fields:
    'The fields of an entry in their order. ServiceDownloadLink stands for the field with the name of the service.',
  missing: 'The entry of a value that matches nothing, with {value}; null leaves it out.',
  nothing: 'The response if nothing matches; null writes it as any other response.',
  'json.type': 'The Content-Type of JSON.',
  'json.before': 'A text before the JSON.',
  'json.callback': 'The form of JSONP, such as {callback}({json}); null ignores the parameter callback.',
  'xml.type': 'The Content-Type of XML.',
  'xml.before': 'A text before the XML, such as a byte order mark.',
  'xml.declaration': 'The XML declaration.',
  'xml.root': 'The root element and its attributes; null is the name of the service and API.',
  'errors.status': 'The status of all errors without a recorded reply; null is the status of each error.',
  'errors.replies':
    'Recorded responses to kinds of wrong requests, with {value} for the value of the request.',
  'errors.other':
    'The form of all other errors, with {message} and {code}; null is the form of the contract.',
}
