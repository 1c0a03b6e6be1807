import { expect, test } from 'vitest'
import { entryTemplateOf, messageIn, parseEntryTemplate, writeEntryTemplate } from '../src/entry-template.ts'

const nested = '{"Error":{"Code":404,"Message":"{message}"},"ok":false}'

test.each(['{"error":"{message}"}', '{"found":false}', nested])(
  '%s is a template, and is written so',
  (text) => {
    expect(writeEntryTemplate(parseEntryTemplate(text) ?? [])).toBe(text)
  },
)

test.each([
  ...['{}', '[]', 'null', '{"a":[1]}', '{"1":2}', '{"a b":1}', '{"a":"\\n"}', '{"a":{}}', '{"a":"\ud800"}'],
  ...['{"a":"{message}","b":{"c":"{message}"}}', '{"a":{"b":{"c":{"d":1}}}}', `{"a":"${'x'.repeat(500)}"}`],
])('%s is none', (text) => {
  expect(parseEntryTemplate(text)).toBeNull()
})

test.each([
  [{ ok: false, Error: { Message: 'Gone', Code: 404 } }, 'Gone'],
  [{ ok: false, Error: { Message: 'Gone', Code: 500 } }, null],
  [{ ok: false, Error: { Message: 7, Code: 404 } }, null],
  [{ ok: false, Error: 'Gone' }, null],
  [{ ok: false, Error: { Message: 'Gone', Code: 404 }, Id: 1 }, null],
  [{ ok: false, toString: {} }, null],
  [null, null],
])('of %j, the message is %j', (entry, message) => {
  expect(messageIn(parseEntryTemplate(nested) ?? [], entry)).toBe(message)
})

test('a template without a message has an empty one', () => {
  expect(entryTemplateOf({ a: { b: null } })).toEqual([['a', [['b', null]]]])
  expect(messageIn([['found', false]], { found: false })).toBe('')
})
