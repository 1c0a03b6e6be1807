// `lookup probe`: finds the dialect of an old service with any of the switches, and proves it by the gateway.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startAnswering } from '../../kit/answering.ts'
import { sample } from '../../kit/gateway.ts'
import { type OldService, type Switches, startOldService } from '../../kit/old-service.ts'
import { makeWorkplace, type Workplace } from '../../kit/workplace.ts'

describe('lookup probe', () => {
  let place: Workplace
  beforeEach(() => {
    place = makeWorkplace()
  })
  afterEach(() => place.remove())

  describe('an old service', () => {
    let old: OldService
    beforeAll(async () => {
      old = await startOldService()
    })
    afterAll(() => old.close())

    async function probe(switches: Switches, ...args: string[]) {
      old.switchTo(switches)
      const files = ['--json', 'probe.json', '--html', 'probe.html']
      const outcome = await place.run([
        ...['probe', old.url, '--rate', '1000', '--chats', 'chat-1001'],
        ...[...files, ...args],
      ])
      const report = JSON.parse(readFileSync(join(place.path, 'probe.json'), 'utf8'))
      return { ...outcome, report, dialect: report.dialect }
    }

    test.each<[Switches, object]>([
      [{}, { read: { repeated: 'last', ids: 'exact', malformed: 'unknown' } }],
      [{ unknown: 'null' }, { missing: { users: { json: 'null', xml: '<Data Value="{value}"/>' } } }],
      [
        { unknown: 'list', pretty: true },
        { json: { indent: '    ' }, missing: { users: { json: '[]' } } },
      ],
      [{ unknown: 'error', errorStatus: '200' }, { read: { missing: 'refuse' } }],
      [{ escaped: 'both' }, { json: { html: 'escaped' }, xml: { html: 'escaped' } }],
      [{ escaped: 'json' }, { json: { html: 'escaped' } }],
      [{ looseIds: true }, { read: { ids: 'numeric' } }],
      [{ caseSensitive: true }, { read: { usernames: 'exact' } }],
      [{ naming: 'stored', looseIds: true }, { entries: { ids: 'username', usernames: 'stored' } }],
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
      [{ nothing: 'null' }, { nothing: { users: { json: { body: 'null' } } } }],
      [{ noValues: 'refuse-empty' }, {}],
      [{ changing: ['Rank', 'JoinDate'] }, {}],
      [{ broken: 2 }, {}],
      [{ maxValues: 1, unknown: 'error' }, { errors: { replies: { tooMany: {} } } }],
    ])('%j', async (switches, expected) => {
      const { status, report, dialect, stdout } = await probe(switches)
      expect(dialect).toMatchObject(expected)
      for (const { imported, over, query } of report.rows)
        expect([query, imported?.result, over?.result]).toEqual([query, 'same bytes', 'same bytes'])
      expect(stdout).toContain('With this dialect, the gateway responds like the old service.\n')
      expect(status).toBe(0)
    })

    test('the limit of lists is claimed as far as it was seen', async () => {
      expect((await probe({})).report).toMatchObject({
        limit: { seen: 1_200, beyond: null },
        settings: { LEGACY_MAX_VALUES: '1200' },
      })
      const { report, dialect } = await probe({ maxValues: 5 })
      expect(report.unseen.map(({ choice }: { choice: string }) => choice)).not.toContain('read.tooMany')
      expect(report).toMatchObject({
        limit: { seen: 5, beyond: 'refused' },
        settings: { LEGACY_MAX_VALUES: '5' },
      })
      expect(dialect.errors.replies.tooMany.json.body).toBe('{"error":"More than {value} values"}')
    })

    test('a file holds the dialect and no row, and a second probe says what changed', async () => {
      const { stdout } = await probe({ unknown: 'null' }, '--write', 'old.json')
      const file = readFileSync(join(place.path, 'old.json'), 'utf8')
      expect(JSON.parse(file)).toMatchObject({ $schema: 'schema/dialect.schema.json', missing: {} })
      expect(file).not.toContain('Ada')
      expect(stdout).toContain('LEGACY_DIALECT=old.json')
      expect((await probe({ unknown: 'null' }, '--write', 'old.json')).report.since).toEqual([])
      const { report } = await probe({ unknown: 'null', repeated: 'first' }, '--against', 'old.json')
      expect(report.since).toEqual([{ choice: 'read.repeated', was: 'last', is: 'first' }])
      const missing = await probe({}, '--against', 'old.json')
      expect(missing.stdout).toContain('missing.users.json: was: "null"; is: null\n')
      place.write('.env', 'PORT=4000\n')
      const { status, stderr } = await place.run(['probe', old.url, '--write', '.env'])
      expect(status).toBe(1)
      expect(stderr).toMatch(/^Cannot read \.env as a dialect: /)
    })

    test('says what the service did not show, and which request shows it', async () => {
      const { report, stdout } = await probe({})
      const shown = report.unseen.map(({ choice }: { choice: string }) => choice)
      expect(shown).toContain('xml.quotesInValues')
      expect(shown).toContain('json.plusSigns')
      expect(stdout).toContain('a user whose names have quotation marks')
    })

    test('what a dialect cannot have is a difference, and the status is 1', async () => {
      const { status, stdout } = await probe({ blocked: 'nosuch' })
      expect(status).toBe(1)
      expect(stdout).toContain('Differences in meaning, which clients notice\n')
      expect(stdout).toContain('Effect of these differences on clients\n')
    })

    test('keeps what it has at its limit of requests', async () => {
      const { report, stdout, stderr } = await probe({ unknown: 'null' }, '--requests', '40')
      expect(stderr).toContain('at most 40 requests')
      expect(report.sent).toBe(40)
      expect(report.dialect.missing.users.json).toBe('null')
      expect(stdout).toMatch(/\d+ of \d+ requests were not sent/)
    })

    test('claims no limit of lists that it did not see before its limit of requests', async () => {
      const { report, stdout } = await probe({ maxValues: 300, unknown: 'null' }, '--requests', '5')
      expect(report.limit).toEqual({ seen: 1, beyond: 'refused' })
      expect(stdout).toContain('The method of the chat platform was not looked for.')
      const early = (await probe({}, '--requests', '3')).report
      expect(early.limit).toEqual({ seen: 1, beyond: null })
      expect(early.settings).not.toHaveProperty('LEGACY_MAX_VALUES')
    })

    test('connections are compared, and the page has all of it', async () => {
      const { report } = await probe({})
      expect(report.transport).toContainEqual({
        title: 'a path that begins with //',
        old: 'the usual response',
        gateway: expect.stringContaining('status 404'),
      })
      const page = readFileSync(join(place.path, 'probe.html'), 'utf8')
      expect(page).toContain('HTTP/1.0 without Host')
      expect(page).toContain('an unknown app')
      expect(page).not.toContain('<script')
    })

    test.each<[Switches, RegExp]>([
      [{ failing: true }, /^Cannot probe \S+\. It fails with status 500\. /m],
      [
        { cutting: true },
        /^Cannot probe \S+\. No response: it closed the connection in the middle of its response\. /m,
      ],
      [{ wants: 'X-Key: 1' }, /status 403\. Add a login/],
      [
        { movedTo: 'https://elsewhere.example/' },
        /redirects to https:\/\/elsewhere\.example\/: use that address\./,
      ],
    ])('one that is %j is left in peace, and nothing is written', async (switches, reason) => {
      old.switchTo(switches)
      const args = ['probe', old.url, '--rate', '1000', '--write', 'old.json']
      const { status, stdout, stderr } = await place.run(args)
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
      expect(stderr).toMatch(reason)
      expect(existsSync(join(place.path, 'old.json'))).toBe(false)
    })
  })

  test('what to do next works as it stands: a path of its own, and a row that cannot be imported', async () => {
    const row = { id: 1, title: 'Kite', version: '1.0.0', category: 1, downloadLink: 'https://k.example/1/' }
    place.write('apps.jsonl', `${JSON.stringify({ ...row, changelogLink: '' })}\n`)
    const apps = join(place.path, 'apps.jsonl')
    const old = await startOldService({ paths: ['/lookup.php'] }, { data: { ...sample, apps } })
    onTestFinished(old.close)
    const url = `${old.url}lookup.php`
    const { stdout } = await place.run(['probe', url, '--rate', '1000', '--write', 'old.json'])
    expect(stdout).toContain('Can be copied ("lookup import"): no. App 1: changelogLink cannot be "": ')
    expect(stdout).toContain('LEGACY_PATHS=/lookup.php LEGACY_MAX_VALUES=1200 DATABASE_URL=sqlite:lookup.db')
    const replay = `lookup replay access.log --path /lookup.php --old ${url} --new http://localhost:4000/lookup.php\n`
    expect(stdout).toContain(replay)
  })

  test('asks again after a limit of the rate, as long as Retry-After says, and a lost connection', async () => {
    const old = await startOldService()
    onTestFinished(old.close)
    let number = 0
    const { url, close } = await startAnswering(async (request, response) => {
      if (++number === 20) return void response.writeHead(429, { 'Retry-After': '1' }).end()
      if (number === 60) return void response.destroy()
      const reply = await fetch(`${old.url.slice(0, -1)}${request.url}`)
      response.writeHead(reply.status, { 'Content-Type': reply.headers.get('content-type') ?? '' })
      response.end(Buffer.from(await reply.arrayBuffer()))
    })
    onTestFinished(close)
    const { status, stdout } = await place.run(['probe', url, '--rate', '1000'])
    expect(status).toBe(0)
    expect(stdout).toMatch(/^same bytes +\d+ +100\.00 %$/m)
    expect(stdout).not.toContain('were not sent')
  })
})
