import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { curlFor, queryWithin } from '../../../src/pages/explorer/query.ts'

describe('the query string within', () => {
  const log = '192.0.2.7 - - [21/Nov/2026:10:00:00 +0000] "GET /?Event=AppLookup HTTP/1.1" 200 99 "-" "old/1"'
  test.each([
    ['a URL', 'https://old.example/?Event=AppLookup&Apps=1', 'Event=AppLookup&Apps=1'],
    ['a URL with a path and a fragment', ' http://old.example/a.php?Event=AppLookup#x?y ', 'Event=AppLookup'],
    ['a target', '/?Event=AppLookup', 'Event=AppLookup'],
    ['a query string with its mark', '?Event=AppLookup', 'Event=AppLookup'],
    ['a query string with a question', 'Event=AppLookup&Apps=who?:x', 'Event=AppLookup&Apps=who?:x'],
    ['a line of a program', `curl 'http://old.example/?Event=AppLookup&Apps=1'`, 'Event=AppLookup&Apps=1'],
    ['the first line of a request', 'PUT /?Event=AppLookup HTTP/1.1', 'Event=AppLookup'],
    ['a line of a log', log, 'Event=AppLookup'],
    ['an address without one', 'https://old.example/', ''],
    ['nothing', '  ', ''],
    ['broken encoding, which stays', '/?Users=%&x=%zz', 'Users=%&x=%zz'],
    ['half a character', 'a=\ud800', 'a=%EF%BF%BD'],
    ['characters that no URL has', `a=b "c'<>\u00e9`, 'a=b%20%22c%27%3C%3E%C3%A9'],
    ['characters that curl expands', 'a=[1-3]&b={x}', 'a=%5B1-3%5D&b=%7Bx%7D'],
  ])('%s', (_, text, query) => {
    expect(queryWithin(text)).toBe(query)
  })
})

test('a POSIX shell gives curl each URL as it is', () => {
  const urls = [
    'http://old.example/?Event=AppLookup&Apps=1:2',
    "http://old.example/it's.php?a='",
    'http://old.example/?a=$(reboot)`reboot`"$HOME"!!\\;*',
  ]
  const script = ['curl() { printf \'%s|\' "$@"; }', ...urls.map(curlFor)].join('\n')
  expect(spawnSync('sh', ['-c', script], { encoding: 'utf8' }).stdout).toBe(`${urls.join('|')}|`)
})
