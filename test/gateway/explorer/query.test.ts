import { describe, expect, test } from 'vitest'
import { inFormat, queryWithin, readQuery, writeQuery } from '../../../src/gateway/explorer/query.ts'

describe('the query string within', () => {
  test.each([
    ['a URL', 'https://old.example/?Event=AppLookup&Apps=1', 'Event=AppLookup&Apps=1'],
    ['a URL with a path and a fragment', ' http://old.example/a.php?Event=AppLookup#x?y ', 'Event=AppLookup'],
    ['a target', '/?Event=AppLookup', 'Event=AppLookup'],
    ['a query string with its mark', '?Event=AppLookup', 'Event=AppLookup'],
    ['a query string', 'Event=AppLookup&Apps=1', 'Event=AppLookup&Apps=1'],
    ['a query string with a question', 'Event=AppLookup&Apps=who?:x', 'Event=AppLookup&Apps=who?:x'],
    ['a line of a program', `curl 'http://old.example/?Event=AppLookup&Apps=1'`, 'Event=AppLookup&Apps=1'],
    ['another', 'var url = "/?Event=AppLookup&Apps=1";', 'Event=AppLookup&Apps=1'],
    ['a log of another method', '"PUT /?Event=AppLookup&Apps=1 HTTP/1.1" 405', 'Event=AppLookup&Apps=1'],
    ['the first line of a request', 'GET /?Event=AppLookup HTTP/1.1', 'Event=AppLookup'],
    ['a log', '- "HEAD /?Event=AppLookup HTTP/1.0" 200 "-" "GET /?no"', 'Event=AppLookup'],
    ['an address without one', 'https://old.example/', ''],
    ['a path', '/', ''],
    ['nothing', '  ', ''],
    ['a word', 'hello', 'hello'],
    ['broken encoding, which stays', '/?Users=%&x=%zz', 'Users=%&x=%zz'],
    [
      'what no URL holds',
      `/?a=b "c'd\\e\`$<>{}|^\u00e9\u{1f338}`,
      `a=b%20%22c%27d%5Ce%60%24%3C%3E%7B%7D%7C%5E%C3%A9%F0%9F%8C%B8`,
    ],
    ['half a character', 'a=\ud800', 'a=%EF%BF%BD'],
    ['what stays as it is', 'a=-._~:%41&b=+*!(),;/@', 'a=-._~:%41&b=+*!(),;/@'],
    ['what a shell or curl would read', 'a=[1-3]&b={x}', 'a=%5B1-3%5D&b=%7Bx%7D'],
  ])('%s', (_, pasted, query) => {
    expect(queryWithin(pasted)).toBe(query)
  })
})

test('what is written is read again', () => {
  const parameters = new Map([
    ['Event', 'ProfileLookup'],
    ['Users', `1:2 3+4&5=6#7%8'9"\u00e9\n`],
  ])
  const query = writeQuery(parameters)
  expect(query).toMatch(/^Event=ProfileLookup&Users=1:2/)
  expect(query).not.toMatch(/['"#\s]/)
  expect(readQuery(query)).toEqual(parameters)
})

test('of a parameter that comes twice, the first is read', () => {
  expect(readQuery('a=1&a=2&b')).toEqual(
    new Map([
      ['a', '1'],
      ['b', ''],
    ]),
  )
})

test.each([
  ['Event=A&Format=JSON&x=1', 'XML', 'Event=A&x=1&Format=XML'],
  ['Event=A&Format=XML', 'JSON', 'Event=A'],
  ['Form%61t=XML&Event=A', 'JSON', 'Event=A'],
  ['Event=A&Format=CSV', 'XML', null],
  ['Event=A&Format=XML&Format=XML', 'JSON', null],
  ['', 'XML', 'Format=XML'],
  ['Format&Event=A&Formats=1', 'JSON', 'Event=A&Formats=1'],
] as const)('%s in %s', (query, format, expected) => {
  expect(inFormat(query, format)).toBe(expected)
})
