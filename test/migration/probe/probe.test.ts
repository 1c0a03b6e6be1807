// `lookup probe`: finds the dialect of an old service with any of the switches, and proves it by the gateway.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { startAnswering } from '../../kit/answering.ts'
import { sample } from '../../kit/gateway.ts'
import { type Switches, startOldService } from '../../kit/old-service.ts'
import { test } from '../../kit/test.ts'
import type { Workplace } from '../../kit/workplace.ts'

async function startOld(switches: Switches): Promise<string> {
  const old = await startOldService(switches)
  onTestFinished(old.close)
  return old.url
}

async function probe(place: Workplace, switches: Switches, ...args: string[]) {
  const url = await startOld(switches)
  const files = ['--json', 'probe.json', '--html', 'probe.html', ...args]
  const outcome = await place.run(['probe', url, '--rate', '1000', '--chats', 'chat-1001', ...files])
  const report = JSON.parse(readFileSync(join(place.path, 'probe.json'), 'utf8'))
  return { ...outcome, report, dialect: report.dialect }
}

test.for<[Switches, object]>([
  [{}, { read: { repeated: 'last', ids: 'exact', malformed: 'unknown' } }],
  [{ unknown: 'null' }, { missing: { users: { json: 'null', xml: '<Data Value="{value}"/>' } } }],
  [
    { unknown: 'list', pretty: true },
    { json: { indent: '    ' }, missing: { users: { json: '[]' } } },
  ],
  [{ unknown: 'error', errorStatus: '200' }, { read: { missing: 'refuse' } }],
  [{ escaped: 'both' }, { json: { html: 'escaped' }, xml: { html: 'escaped' } }],
  [
    { naming: 'stored', looseIds: true },
    { read: { ids: 'numeric' }, entries: { ids: 'username', usernames: 'stored' } },
  ],
  [{ naming: 'id' }, { entries: { usernames: 'id', chats: 'id' } }],
  [{ orderBy: 'username COLLATE NOCASE', appsOrderBy: 'id DESC' }, { entries: { apps: 'id desc' } }],
  [{ orderBy: 'ksort' }, { entries: { users: 'name as number' } }],
  [{ numericCheck: true }, { json: { numericTexts: 'number' } }],
  [
    { serviceName: 'Acme', chatMethod: 'talk' },
    { serviceName: 'Acme', chatMethod: 'talk' },
  ],
  [{ anyCase: ['parameters', 'events', 'methods', 'formats'] }, { read: { names: 'any case' } }],
  [{ repeated: 'first' }, { read: { repeated: 'first' } }],
  [{ otherEvent: 'empty', defaultEvent: 'AppLookup' }, { read: { noEvent: 'apps', emptyEvent: 'apps' } }],
  [{ otherFormat: 'xml' }, { read: { otherFormat: 'xml', json: 'exact', emptyFormat: 'xml' } }],
  [{ otherMethod: 'username' }, { read: { otherMethod: 'username' } }],
  [{ nothing: 'silent' }, { nothing: { users: { json: { body: '' } } } }],
  [{ noValues: 'refuse-empty' }, {}],
  [{ changing: ['Rank', 'JoinDate'] }, {}],
  [{ broken: 2 }, {}],
  [{ maxValues: 1, unknown: 'error' }, { errors: { replies: { tooMany: {} } } }],
])('%j', async ([switches, expected], { place }) => {
  const { status, report, dialect, stdout } = await probe(place, switches)
  expect(dialect).toMatchObject(expected)
  for (const { imported, over, query } of report.rows)
    expect([query, imported?.result, over?.result]).toEqual([query, 'same bytes', 'same bytes'])
  expect(stdout).toContain('With this dialect, the gateway responds like the old service.\n')
  expect(status).toBe(0)
})

test('the report has the limit of lists, what was not shown, and connections', async ({ place }) => {
  const { report, stdout } = await probe(place, { maxValues: 5 })
  expect(report).toMatchObject({
    limit: { seen: 5, beyond: 'refused' },
    settings: { LEGACY_MAX_VALUES: '5' },
    dialect: { errors: { replies: { tooMany: { json: { body: '{"error":"More than {value} values"}' } } } } },
  })
  const unseen = report.unseen.map(({ choice }: { choice: string }) => choice)
  expect(unseen).toEqual(expect.arrayContaining(['xml.quotesInValues', 'json.plusSigns']))
  expect(unseen).not.toContain('read.tooMany')
  expect(stdout).toContain('a user whose names have quotation marks')
  const [title, gateway] = ['a path that begins with //', expect.stringContaining('status 404')]
  expect(report.transport).toContainEqual({ title, old: 'the usual response', gateway })
  const page = readFileSync(join(place.path, 'probe.html'), 'utf8')
  for (const shown of ['HTTP/1.0 without Host', 'an unknown app']) expect(page).toContain(shown)
  expect(page).not.toContain('<script')
})

test('a file holds the dialect and no row, and a second probe says what changed', async ({ place }) => {
  const { stdout, report } = await probe(place, { unknown: 'null' }, '--write', 'old.json')
  expect(report).toMatchObject({
    limit: { seen: 1_200, beyond: null },
    settings: { LEGACY_MAX_VALUES: '1200' },
  })
  const file = readFileSync(join(place.path, 'old.json'), 'utf8')
  expect(JSON.parse(file)).toMatchObject({ $schema: 'schema/dialect.schema.json', missing: {} })
  expect(file).not.toContain('Ada')
  expect(stdout).toContain('LEGACY_DIALECT=old.json')
  expect((await probe(place, { unknown: 'null' }, '--write', 'old.json')).report.since).toEqual([])
  const second = await probe(place, { repeated: 'first' }, '--against', 'old.json')
  expect(second.report.since).toContainEqual({ choice: 'read.repeated', was: 'last', is: 'first' })
  expect(second.stdout).toContain('missing.users.json: was: "null"; is: null\n')
  place.write('.env', 'PORT=4000\n')
  const { status, stderr } = await place.run(['probe', 'http://127.0.0.1:1/', '--write', '.env'])
  expect(status).toBe(1)
  expect(stderr).toMatch(/^Cannot read \.env as a dialect: /)
})

test('what a dialect cannot have is a difference, and the status is 1', async ({ place }) => {
  const { status, stdout } = await probe(place, { blocked: 'nosuch' })
  expect(status).toBe(1)
  expect(stdout).toContain('Differences in meaning, which clients notice\n')
  expect(stdout).toContain('Effect of these differences on clients\n')
})

test('keeps what it has at its limit of requests, and claims no more', async ({ place }) => {
  const { report, stdout, stderr } = await probe(place, { unknown: 'null' }, '--requests', '40')
  expect(stderr).toContain('at most 40 requests')
  expect(report.sent).toBe(40)
  expect(report.dialect.missing.users.json).toBe('null')
  expect(stdout).toMatch(/\d+ of \d+ requests were not sent/)
  const early = await probe(place, { maxValues: 300, unknown: 'null' }, '--requests', '5')
  expect(early.report.limit).toEqual({ seen: 1, beyond: 'refused' })
  expect(early.stdout).toContain('The method of the chat platform was not looked for.')
  expect((await probe(place, {}, '--requests', '3')).report.settings).not.toHaveProperty('LEGACY_MAX_VALUES')
})

test.for<[Switches, RegExp]>([
  [{ failing: true }, /^Cannot probe \S+\. It fails with status 500\. /m],
  [{ cutting: true }, /^Cannot probe \S+\. No response: it closed the connection in the middle of /m],
  [
    { movedTo: 'https://elsewhere.example/' },
    /redirects to https:\/\/elsewhere\.example\/: use that address\./,
  ],
])('one that is %j is left in peace, and nothing is written', async ([switches, reason], { place }) => {
  const outcome = await place.run([
    'probe',
    await startOld(switches),
    '--rate',
    '1000',
    '--write',
    'old.json',
  ])
  expect(outcome).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(reason) })
  expect(existsSync(join(place.path, 'old.json'))).toBe(false)
})

test('what to do next works as it stands: a path of its own, and a row that cannot be imported', async ({
  place,
}) => {
  const row = { id: 1, title: 'Kite', version: '1.0.0', category: 1, downloadLink: 'https://k.example/1/' }
  place.write('apps.jsonl', `${JSON.stringify({ ...row, changelogLink: '' })}\n`)
  const apps = join(place.path, 'apps.jsonl')
  const other = await startOldService({ paths: ['/lookup.php'] }, { data: { ...sample, apps } })
  onTestFinished(other.close)
  const url = `${other.url}lookup.php`
  const { stdout } = await place.run(['probe', url, '--rate', '1000', '--write', 'old.json'])
  expect(stdout).toContain('Can be copied ("lookup import"): no. App 1: changelogLink cannot be "": ')
  expect(stdout).toContain('LEGACY_PATHS=/lookup.php LEGACY_MAX_VALUES=1200 DATABASE_URL=sqlite:lookup.db')
  const replay = `lookup replay access.log --path /lookup.php --old ${url} --new http://localhost:4000/lookup.php\n`
  expect(stdout).toContain(replay)
})

test('asks again after a limit of the rate, as Retry-After says, and a lost connection', async ({
  place,
}) => {
  const old = await startOld({})
  let number = 0
  const { url, close } = await startAnswering(async (request, response) => {
    if (++number === 20) return void response.writeHead(429, { 'Retry-After': '1' }).end()
    if (number === 60) return void response.destroy()
    const reply = await fetch(`${old.slice(0, -1)}${request.url}`)
    response.writeHead(reply.status, { 'Content-Type': reply.headers.get('content-type') ?? '' })
    response.end(Buffer.from(await reply.arrayBuffer()))
  })
  onTestFinished(close)
  const { status, stdout } = await place.run(['probe', url, '--rate', '1000'])
  expect(status).toBe(0)
  expect(stdout).toMatch(/^same bytes +\d+ +100\.00 %$/m)
  expect(stdout).not.toContain('were not sent')
})
