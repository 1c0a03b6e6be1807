// What /explain says of each habit, and that it says nothing where the habit did nothing.

import { expect, onTestFinished, test } from 'vitest'
import type { Explained } from '../../../../src/gateway/explorer/gateway.ts'
import { startGateway } from '../../../kit/gateway.ts'

const P = 'Event=ProfileLookup&Users='

async function effectsOf(settings: Readonly<Record<string, string>>, query: string) {
  const gateway = await startGateway(settings)
  onTestFinished(gateway.close)
  const explained: Explained = await (await fetch(`${gateway.url}/explain?${query}`)).json()
  return new Map(explained.dialect.map(({ setting, effect }) => [setting, effect]))
}

test.for<[name: string, value: string, query: string, effect: string]>([
  ['LEGACY_UNKNOWN', 'nulls', `${P}99`, 'The value that matches nothing is fields of null.'],
  ['LEGACY_UNKNOWN', 'error', `${P}98:99`, 'The 2 values that match nothing are an error.'],
  [
    'LEGACY_UNKNOWN',
    'null',
    `${P}98:99&Format=XML`,
    'The 2 values that match nothing are an empty Data element.',
  ],
  [
    'LEGACY_UNKNOWN',
    '{"gone":true}',
    `${P}99`,
    'The value that matches nothing is an entry as the setting has it.',
  ],
  [
    'LEGACY_UNKNOWN_XML',
    'unconfirmed',
    `${P}99&Format=XML`,
    'In XML, values that match nothing become a Data element with empty fields but IsConfirmed, which is 0.',
  ],
  ['LEGACY_UNKNOWN', '[]', `${P}99`, 'The value that matches nothing is [].'],
  ['LEGACY_UNKNOWN', 'refuse', `${P}1:99`, 'The whole answer is an error: a value matches nothing.'],
  ['LEGACY_EMPTY', '[]', `${P}99`, 'An answer without any entry is [].'],
  ['LEGACY_EMPTY', '[]', `${P}99`, 'An answer without any entry is [].'],
  ['LEGACY_EMPTY', 'null', `${P}99`, 'An answer without any entry is null.'],
  ['LEGACY_EMPTY', 'none', `${P}99&Format=XML`, 'An answer in which nothing is found has no body.'],
  ['LEGACY_EMPTY', 'refuse', `${P}99`, 'An answer in which nothing is found is an error.'],
  ['LEGACY_NUMBERS', 'string', `${P}1`, 'Integers are strings.'],
  ['LEGACY_NUMBERS', 'string,Id=number', `${P}1`, 'Rank, JoinDate, Category are strings.'],
  ['LEGACY_BOOLEANS', 'strval', `${P}1`, 'Booleans are "1" or "".'],
  ['LEGACY_BOOLEANS', 'string,string', `${P}1`, 'Booleans are "1" or "0".'],
  ['LEGACY_BOOLEANS', 'string,strval', `${P}1`, 'IsConfirmed is "1" or "0", and Banned is "1" or "".'],
  ['LEGACY_TEXT_ESCAPES', 'compat', `${P}1&Format=XML`, 'Texts have gone through htmlspecialchars.'],
  ['LEGACY_XML_ROOT', 'a="1"', `${P}1&Format=XML`, 'The XML root has the attributes a="1".'],
  ['LEGACY_JSON_FLAGS', 'numeric-check', `${P}1`, 'Texts that look like numbers are numbers.'],
  ['LEGACY_JSON_FLAGS', 'newline,pretty', `${P}1`, 'The JSON is indented, a newline is at the end.'],
  [
    'LEGACY_JSON_FLAGS',
    'indent-2,sorted',
    `${P}1`,
    'The JSON is indented by two blanks, entries and fields are in the order of their names.',
  ],
  [
    'LEGACY_FIELDS',
    'Category,DownloadLink',
    'Event=AppLookup&Apps=1',
    'Fields are in the order Category, ServiceDownloadLink, Title, Version, ChangelogLink.',
  ],
  ['LEGACY_JSON_TYPE', 'text/html', 'Event=Nope', 'The Content-Type is text/html.'],
  ['LEGACY_ERROR_BODY', 'text', 'Event=Nope', 'An error is a text, named Error.'],
  ['LEGACY_ERROR_BODY', 'lower-case', 'Event=Nope', 'An error is a text, named error.'],
  ['LEGACY_ERROR_BODY', 'lower-case', 'Event=Nope&Format=XML', 'An error is a text, named Error.'],
  ['LEGACY_ERROR_STATUS', '422', 'Event=Nope', 'Errors are answered with status 422.'],
])('%s=%s on %s', async ([name, value, query, effect], { expect }) => {
  expect((await effectsOf({ [name]: value }, query)).get(name)).toBe(effect)
})

test('entries named 0, 1, 2 are a list', async () => {
  const settings = { LEGACY_EMPTY: '[]', LEGACY_UNKNOWN: 'null' }
  expect((await effectsOf(settings, `${P}0:1`)).get('LEGACY_EMPTY')).toBe(
    'Entries named 0, 1, 2 and so on are a list.',
  )
  expect((await effectsOf(settings, `${P}1:0`)).get('LEGACY_EMPTY')).toBeUndefined()
})

test('an error for what is not found has a text and a status', async () => {
  const settings = {
    LEGACY_UNKNOWN: 'refuse',
    LEGACY_UNKNOWN_TEXT: 'No {value}',
    LEGACY_UNKNOWN_STATUS: '410',
  }
  const effects = await effectsOf(settings, `${P}99`)
  expect(effects.get('LEGACY_UNKNOWN_TEXT')).toBe('The text of the error is "No {value}".')
  expect(effects.get('LEGACY_UNKNOWN_STATUS')).toBe('Errors for what is not found have status 410.')
})

test.for<[settings: Readonly<Record<string, string>>, query: string]>([
  [{ LEGACY_UNKNOWN: 'refuse' }, `${P}1`],
  [{ LEGACY_UNKNOWN: 'omit', LEGACY_UNKNOWN_XML: 'empty' }, `${P}99&Format=XML`],
  [{ LEGACY_UNKNOWN: 'null', LEGACY_UNKNOWN_XML: 'omit' }, `${P}99&Format=XML`],
  [{ LEGACY_EMPTY: '[]' }, `${P}1:99`],
  [{ LEGACY_EMPTY: '[]', LEGACY_UNKNOWN: 'null' }, `${P}99`],
  [{ LEGACY_EMPTY: 'refuse' }, `${P}1:99`],
  [{ LEGACY_EMPTY: 'null' }, `${P}99&Format=XML`],
  [{ LEGACY_EMPTY: 'none' }, `${P}1:99`],
  [{ LEGACY_NUMBERS: 'string' }, `${P}1&Format=XML`],
  [{ LEGACY_BOOLEANS: 'integer' }, 'Event=Nope'],
  [{ LEGACY_TEXT_ESCAPES: 'html-json' }, `${P}1&Format=XML`],
  [{ LEGACY_TEXT_ESCAPES: 'html' }, `${P}99`],
  [{ LEGACY_XML_ROOT: 'a="1"' }, `${P}1`],
  [{ LEGACY_JSON_FLAGS: 'pretty' }, `${P}1&Format=XML`],
  [{ LEGACY_FIELDS: 'Title' }, `${P}1`],
  [{ LEGACY_FIELDS: 'Username' }, `${P}99`],
  [{ LEGACY_JSON_TYPE: 'text/html' }, `${P}1&Format=XML`],
  [{ LEGACY_ERROR_BODY: 'text' }, `${P}1`],
  [{ LEGACY_ERROR_TEXTS: 'UnknownEvent=No' }, 'Event=ProfileLookup'],
  [{ LEGACY_UNKNOWN_STATUS: '410' }, 'Event=Nope'],
])('%j does nothing to %s', async ([settings, query], { expect }) => {
  const [name = ''] = Object.keys(settings)
  expect((await effectsOf(settings, query)).get(name)).toBeUndefined()
})
