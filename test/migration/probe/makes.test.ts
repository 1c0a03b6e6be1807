// `lookup probe` of services in other languages than PHP: what their libraries do by themselves. Each service
// responds by a dialect over rows of its own, and the probe has to find one that does the same.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { type Dialect, defaultDialect } from '../../../src/legacy/dialect.ts'
import { withValue } from '../../../src/legacy/dialect-places.ts'
import { createFacade } from '../../../src/legacy/facade.ts'
import { legacyResponseTo, rowFinder } from '../../../src/legacy/known-rows.ts'
import { startAnswering } from '../../kit/answering.ts'
import { test } from '../../kit/test.ts'
import type { Workplace } from '../../kit/workplace.ts'

const user = { rank: 3, joinDate: 1199145600, isConfirmed: true, banned: false }
const find = rowFinder({
  users: [
    { ...user, id: '1', username: 'Ada', displayName: 'a=b+c <x>', chatId: 'chat-1' },
    { ...user, id: '2', username: 'Zoë', displayName: 'one\r\ntwo\tthree', chatId: 'chat-2' },
    { ...user, id: '5', username: 'łukasz', displayName: '😀 "it\'s"', banned: true },
  ],
  apps: [
    {
      ...{ id: 1, title: 'Ledger', version: '1.0.0', category: 1 },
      ...{ changelogLink: 'https://a.example/?a=1&b=2', downloadLink: 'https://a.example/1/' },
    },
  ],
})

const reply = (status: number, type: string, body: string) => ({ status, type, body })
/** The texts of the contract say more than other services do. */
const base = withValue(defaultDialect, ['errors', 'other'], {
  json: reply(400, 'application/json', '{"error":"{code}"}'),
  xml: reply(400, 'application/xml', '<error>{code}</error>'),
})
const plain = { 'json.letters': 'plain', 'xml.lettersInTexts': 'plain', 'xml.lettersInValues': 'plain' }
const refusal = reply(400, 'application/json', '{"message":"{value}"}')
const malformed = {
  'errors.replies.malformedUser.json': refusal,
  'errors.replies.malformedApp.json': refusal,
}
const shown = {
  'missing.users.json': 'null',
  'missing.users.xml': '<Data Value="{value}"/>',
  'missing.apps.json': 'null',
  'missing.apps.xml': '<Data Value="{value}"/>',
}

async function probe(place: Workplace, dialect: Dialect, maxValues: number, ...args: string[]) {
  const facade = createFacade(dialect, maxValues)
  const { url, close } = await startAnswering((request, response) => {
    const query = (request.url ?? '').replace(/^[^?]*\??/, '')
    const { status, type, body } = legacyResponseTo(facade, find, query)
    response.writeHead(status, { 'Content-Type': type }).end(body, 'latin1')
  })
  onTestFinished(close)
  const report = ['--json', 'probe.json', ...args]
  const { status } = await place.run(['probe', url, '--users', '1,2', '--rate', '1000', ...report])
  return { status, report: JSON.parse(readFileSync(join(place.path, 'probe.json'), 'utf8')) }
}

test.for<[make: string, choices: Readonly<Record<string, unknown>>]>([
  [
    'Java, with Gson and Xalan',
    {
      ...plain,
      ...malformed,
      'read.ids': 'signed',
      'read.emptyValues': 'drop at the end',
      'json.equalsSigns': 'escaped',
      'xml.lettersInTexts': 'decimal beyond U+FFFF',
    },
  ],
  [
    'C#, with System.Text.Json and an XmlWriter',
    {
      ...malformed,
      'read.ids': 'signed, with blanks',
      'json.letters': 'ESCAPED',
      'json.plusSigns': 'escaped',
      'xml.before': '\ufeff',
      'xml.line': '\r\n',
      'xml.indent': '  ',
    },
  ],
  ['Go, with encoding/xml', { ...plain, 'read.usernames': 'exact', 'xml.controls': 'hexadecimal' }],
  [
    'Python, with int()',
    { ...malformed, 'json.comma': ', ', 'json.colon': ': ', 'read.ids': 'signed, with blanks' },
  ],
  [
    'PHP, with empty(), strcasecmp() and names of rows',
    {
      'read.zero': 'empty list',
      'read.usernames': 'A to Z folded',
      'read.repeatedValues': 'once by entry',
      'entries.ids': 'read',
      'entries.usernames': 'stored',
      'read.ids': 'cast',
      'read.malformed': 'unknown',
    },
  ],
  [
    'any make, whose missing entries are shown',
    { ...shown, 'entries.usernames': 'id', 'entries.chats': 'id' },
  ],
  [
    'any make, which drops what is no id and shows what is missing',
    {
      ...shown,
      'read.malformed': 'drop',
      'errors.replies.malformedUser.json': reply(200, 'application/json', '{}'),
      'errors.replies.malformedApp.json': reply(200, 'application/json', '{}'),
    },
  ],
])('of %s', async ([_, choices], { place }) => {
  const dialect = Object.entries(choices).reduce<Dialect>(
    (one, [path, value]) => withValue(one, path.split('.'), value),
    base,
  )
  const { status, report } = await probe(place, dialect, 2_000)
  for (const { imported, query } of report.rows)
    expect.soft([query, imported?.result], JSON.stringify(imported)).toEqual([query, 'same bytes'])
  expect(status).toBe(0)
  for (const path of Object.keys(choices).filter((path) => /^(?:read|entries|json|xml)\./.test(path))) {
    const found = path.split('.').reduce((node, name) => node?.[name], report.dialect)
    expect.soft([path, found]).toEqual([path, choices[path]])
  }
})

test('of one that refused long lists before, and cuts them now', async ({ place }) => {
  const write = ['--apps', '', '--write', 'old.json']
  await probe(place, defaultDialect, 50, ...write)
  const cutting = withValue(defaultDialect, ['read', 'tooMany'], 'cut')
  const { limit, dialect } = (await probe(place, cutting, 50, ...write)).report
  expect([limit, dialect.read.tooMany]).toEqual([{ seen: 50, beyond: 'cut short' }, 'cut'])
  expect((await probe(place, defaultDialect, 50, ...write)).report.dialect.read?.tooMany).toBeUndefined()
})
