// The files of a report: a report replaces only an empty file or another report.

import { lstatSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { test } from '../../kit/test.ts'

const line =
  '203.0.113.1 - - [22/Nov/2026:13:10:00 +0100] "GET /?Event=AppLookup&Apps=1 HTTP/1.1" 200 9 "-" "A/1"\n'
const sides = ['--old', 'http://127.0.0.1:1/', '--new', 'http://127.0.0.1:2/']

test.for<[what: string, content: string | Buffer]>([
  ['a database', Buffer.from('SQLite format 3\0\x10\0\x01\x01')],
  ['a log', line],
  ['a page of another program', '<!doctype html>\n<html><head><title>Ours</title></head></html>\n'],
  ['the JSON of another program', '{\n  "name": "lookup",\n  "report": "census"\n}\n'],
  ['a text that has the mark of a report', 'x <meta name="generator" content="Lookup Service report">\n'],
])('a report never replaces %s', async ([, content], { place }) => {
  place.write('access.log', line)
  place.write('other', content)
  const before = readFileSync(join(place.path, 'other'))
  for (const command of [
    ['census', 'access.log', '--html'],
    ['replay', 'access.log', ...sides, '--json'],
    ['probe', 'http://127.0.0.1:1/', '--html'],
  ]) {
    const outcome = await place.run([...command, 'other'])
    expect(outcome).toMatchObject({ status: 2, stdout: '' })
    expect(outcome.stderr).toContain('would overwrite other, which is not a report.')
    expect(readFileSync(join(place.path, 'other'))).toEqual(before)
  }
})

test('a report replaces an empty file, and a report of either kind', async ({ place }) => {
  place.write('access.log', line)
  place.write('a', '')
  const read = (file: string) => readFileSync(join(place.path, file), 'utf8')
  for (const [html, json] of [
    ['a', 'b'],
    ['b', 'a'],
    ['b', 'a'],
  ] as const) {
    const outcome = await place.run(['census', 'access.log', '--html', html, '--json', json])
    expect(outcome, outcome.stderr).toMatchObject({ status: 0 })
    expect(read(html)).toMatch(/^<!doctype html>/)
    expect(JSON.parse(read(json))).toMatchObject({ report: 'census', requests: 1 })
  }
  expect(await place.run(['census', 'access.log', '--json', '/dev/null'])).toMatchObject({ status: 0 })
})

test('a report never replaces another file of the same command, also through links', async ({ place }) => {
  place.write('access.log', line)
  for (const [file, ...args] of [
    ['./x', 'census', 'access.log', '--json', 'x', '--html', './x'],
    ['x', 'replay', 'access.log', ...sides, '--state', './x', '--html', 'x'],
    ['x', 'probe', 'http://127.0.0.1:1/', '--write', 'x', '--json', 'x'],
  ] as const) {
    const stderr = `The report would overwrite ${file}. Choose another file.\n`
    expect(await place.run(args)).toMatchObject({ status: 2, stdout: '', stderr })
  }
  const link = (target: string, name: string) => symlinkSync(target, join(place.path, name))
  const census = (...args: string[]) => place.run(['census', 'access.log', ...args])
  link('new', 'a')
  expect(await census('--json', 'a')).toMatchObject({ status: 0 })
  expect(lstatSync(join(place.path, 'a')).isSymbolicLink()).toBe(true)
  expect(readFileSync(join(place.path, 'new'), 'utf8')).toMatch(/^\{\n {2}"report"/)
  link('r.json', 's.json')
  place.write('r.json', '')
  expect((await census('--json', 'r.json', '--html', 's.json')).stderr).toContain('would overwrite s.json.')
})
