import { expect, test } from 'vitest'
import { parseTemplate, partReader } from '../src/error-template.ts'

const read = (template: string, body: string, place: '{message}' | '{code}' = '{message}') => {
  const parsed = parseTemplate(template)
  if (parsed === null) throw new Error('no template')
  return partReader(parsed, place)(body)
}

test.each([
  ['{"a":"{message}"}', 'json'],
  ['{"a":{status}}', 'json'],
  ['{message}', 'text'],
  ['{code}: {message}', 'text'],
  ['<!DOCTYPE html><p>{message}</p>', 'html'],
  ['<Error>{message}</Error>', 'xml'],
])('%s is of kind %s', (text, kind) => {
  expect(parseTemplate(text)?.kind).toBe(kind)
})

test('line ends are written as such, but in texts of JSON', () => {
  expect(parseTemplate('{\\n"a\\nb":\\t"{message}"}\\r\\n')?.parts).toEqual([
    '{\n"a\\nb":\t"',
    '{message}',
    '"}\r\n',
  ])
})

test('a message is read from its place', () => {
  const both = '{"status":{status},"code":"{code}","message":"{message}"}'
  const body = '{"status":404,"code":"no_user","message":"No \\"x\\" \\u00e9"}'
  expect(read(both, body)).toBe('No "x" é')
  expect(read(both, body, '{code}')).toBe('no_user')
  expect(read('<E>{message}</E>', '<E>a &lt; b &#xE9;&#233;</E>')).toBe('a < b éé')
  expect(read('ERROR: {message}\\n', 'ERROR: a: b\n')).toBe('a: b')
})

test('another body has no message', () => {
  expect(read('{"a":"{message}"}', '{"b":"x"}')).toBeNull()
  expect(read('{"a":"{message}"}', '{"a":"x","b":"y"}')).toBeNull()
  expect(read('<E>{message}</E>', '<E><b>x</b></E>')).toBeNull()
  expect(read('{"a":"{message}","b":"{message}"}', '{"a":"x","b":"x"}')).toBeNull()
})

test('a hostile body has no message, and is read to its end', () => {
  expect(read('{"m":"{message}","c":"{code}"}', `{"m":"${'","c":"'.repeat(1500)}`)).toBeNull()
})
