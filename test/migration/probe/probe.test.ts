// `lookup probe` against the real old service in PHP: it finds each habit by itself, and what it writes makes
// a gateway answer alike, which `lookup replay` proves.

import { existsSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { advisedIn } from '../../kit/advised.ts'
import { type Answering, startAnswering, userOf } from '../../kit/answering.ts'
import { startGateway } from '../../kit/gateway.ts'
import { hasProgram } from '../../kit/programs.ts'
import { makeWorkplace, type Workplace } from '../../kit/workplace.ts'
import { type OldService, type Switches, startOldService } from '../../old-service/start.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

describe.skipIf(!hasProgram('php'))('an old service in PHP', () => {
  let old: OldService
  beforeAll(async () => {
    old = await startOldService()
  })
  afterAll(() => old.close())

  async function probe(switches: Switches, args: readonly string[] = [], env = {}) {
    old.switchTo(switches)
    const outcome = await place.run(['probe', old.url, '--rate', '1000', ...args], { env })
    expect(outcome).toMatchObject({ status: 0 })
    const row = (name: string) =>
      new RegExp(`^# ${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')} {2,}(.*)$`, 'm').exec(
        outcome.stdout,
      )?.[1] ?? ''
    const left = outcome.stdout.slice(
      outcome.stdout.indexOf('# No setting can reproduce'),
      outcome.stdout.indexOf('# Nor these'),
    )
    const advised = parseEnv(outcome.stdout)
    return { ...outcome, row, left, advised, settings: advisedIn(outcome.stdout) }
  }

  test('the settings of one without a habit', async () => {
    const { advised, stdout } = await probe({}, ['--chats', 'chat-1001'])
    expect(advised).toEqual({
      LEGACY_LOOSE_IDS: 'exact',
      LEGACY_XML_TYPE: 'text/xml;charset=UTF-8',
      LEGACY_MALFORMED: 'unknown',
      LEGACY_MAX_VALUES: '10000',
      LEGACY_JSON_TYPE: 'application/json',
      LEGACY_ERROR_BODY: 'lower-case',
      LEGACY_ERROR_TEXTS:
        'MissingParameter=Nothing to look up;MissingEvent=Unknown event;UnknownEvent=Unknown event;UnknownMethod=Unknown method',
      // PHP's own server has one script for all paths.
      LEGACY_PATHS: '/,/index.php',
      LEGACY_REPEATED: 'last',
      LEGACY_OTHER_FORMAT: 'json',
      LEGACY_OTHER_METHOD: 'refuse-empty',
    })
    expect(stdout).toMatch(/^# method chat, chat-1001 +found +same$/m)
  })

  test.each<[Switches, object]>([
    [{ unknown: 'null' }, { LEGACY_UNKNOWN: 'null' }],
    [
      { unknown: 'list', pretty: true },
      { LEGACY_UNKNOWN: '[]', LEGACY_JSON_FLAGS: 'pretty' },
    ],
    [
      { unknown: 'error' },
      {
        LEGACY_UNKNOWN: 'refuse',
        LEGACY_UNKNOWN_TEXT: 'Nothing found for {value}',
        LEGACY_UNKNOWN_STATUS: '400',
      },
    ],
    [{ escaped: 'both' }, { LEGACY_TEXT_ESCAPES: 'html' }],
    [{ escaped: 'json' }, { LEGACY_TEXT_ESCAPES: 'html-json' }],
    [{ nothing: 'null' }, { LEGACY_EMPTY: 'null' }],
    [{ nothing: 'silent' }, { LEGACY_EMPTY: 'none' }],
    [
      { nothing: 'silent', unknown: 'null', maxValues: 20 },
      { LEGACY_EMPTY: 'none', LEGACY_UNKNOWN: 'null', LEGACY_MAX_VALUES: '20' },
    ],
    [
      { nothing: 'error', unknown: 'null' },
      {
        LEGACY_EMPTY: 'refuse',
        LEGACY_UNKNOWN: 'null',
        LEGACY_UNKNOWN_TEXT: 'Nobody at all',
        LEGACY_UNKNOWN_STATUS: '400',
      },
    ],
    [{ errorStatus: '200' }, { LEGACY_ERROR_STATUS: '200' }],
    [
      { pretty: true, xmlDeclaration: false },
      { LEGACY_XML_STYLE: 'dom-node', LEGACY_XML_FLAGS: 'newline', LEGACY_XML_INDENT: '2' },
    ],
    [{ serviceName: 'Acme' }, { LEGACY_SERVICE_NAME: 'Acme' }],
    [{ chatMethod: 'talk' }, { LEGACY_CHAT_METHOD: 'talk' }],
    [{ looseIds: true }, { LEGACY_LOOSE_IDS: 'numeric' }],
    [{ caseSensitive: true }, { LEGACY_USERNAMES: 'exact' }],
    [{ naming: 'id' }, { LEGACY_KEYS: 'id' }],
    [{ naming: 'stored' }, { LEGACY_KEYS: 'username' }],
    ...[
      ['id', 'id'],
      ['id DESC', 'id desc'],
      ['username', 'Username'],
      ['username COLLATE NOCASE DESC', 'Username nocase desc'],
      ['display_name', 'DisplayName'],
      ['join_date', 'JoinDate'],
      ['join_date DESC', 'JoinDate desc'],
      ['rank', 'Rank'],
      ['ksort', 'ksort'],
    ].map(([orderBy = '', told]): [Switches, object] => [
      { orderBy, appsOrderBy: 'category DESC' },
      { LEGACY_ORDER: told, LEGACY_APPS_ORDER: 'Category desc' },
    ]),
    [{ appsOrderBy: 'title' }, { LEGACY_APPS_ORDER: 'Title' }],
    [{ orderBy: 'rank', unknown: 'error', maxValues: 7 }, { LEGACY_ORDER: 'Rank' }],
    [
      { naming: 'id', looseIds: true, caseSensitive: true },
      { LEGACY_KEYS: 'id', LEGACY_LOOSE_IDS: 'numeric' },
    ],
    [{ maxValues: 1 }, { LEGACY_MAX_VALUES: '1', DATABASE_MAX_VALUES: '1' }],
    [{ maxValues: 2 }, { LEGACY_MAX_VALUES: '2', DATABASE_MAX_VALUES: '2' }],
    [{ maxValues: 537 }, { LEGACY_MAX_VALUES: '537', DATABASE_MAX_VALUES: '100' }],
    [
      { unknown: 'error', maxValues: 37 },
      { LEGACY_MAX_VALUES: '37', LEGACY_MALFORMED: 'reject' },
    ],
    [
      {
        unknown: 'null',
        errorStatus: '200',
        serviceName: 'Old_1',
        chatMethod: 'im',
        pretty: true,
        xmlDeclaration: false,
        maxValues: 50,
      },
      {
        LEGACY_UNKNOWN: 'null',
        LEGACY_ERROR_STATUS: '200',
        LEGACY_SERVICE_NAME: 'Old_1',
        LEGACY_CHAT_METHOD: 'im',
        LEGACY_MAX_VALUES: '50',
      },
    ],
  ])('%j has a setting', async (switches, expected) => {
    expect((await probe(switches)).settings).toMatchObject(expected)
  })

  test.each<[Switches, string, string | RegExp]>([])(
    '%j has none, and it says so',
    async (switches, name, finding) => {
      const { row, left, stdout } = await probe(switches)
      expect(row(name)).toMatch(finding)
      expect(row(name)).toContain('differs')
      expect(left).toContain(`${name}: `)
      expect(stdout).toContain('# These settings come closest.')
      expect(stdout).not.toContain('responds like')
    },
  )

  test.each<[Switches, lookups: string, copying: string]>([
    [{}, 'yes.', 'yes.'],
    [{ unknown: 'null', serviceName: 'Acme', chatMethod: 'talk', maxValues: 1 }, 'yes.', 'yes.'],
    [{ unknown: 'list', pretty: true }, 'yes.', 'yes.'],
    [{ unknown: 'error' }, 'yes.', 'yes.'],
    [{ escaped: 'both' }, 'yes.', 'yes.'],
    [{ nothing: 'null' }, 'yes.', 'yes.'],
    [{ nothing: 'silent' }, 'yes.', 'yes.'],
    [{ nothing: 'error', unknown: 'null' }, 'yes.', 'yes.'],
  ])('%j as the store, and copied', async (switches, lookups, copying) => {
    const { stdout } = await probe(switches, ['--chats', 'chat-1001'])
    expect(stdout).toContain(`\n# Works as the store (DATABASE_URL): ${lookups}\n`)
    expect(stdout).toContain(`\n# Can be copied ("lookup import"): ${copying}\n`)
  })

  test.each<[Switches, string, RegExp]>([
    [{ pretty: true }, 'form of JSON', /indented/],
    [{ pretty: true }, 'form of XML', /indented/],
    [{ xmlDeclaration: false }, 'form of XML', /no declaration/],
  ])('%j is a matter of form', async (switches, name, finding) => {
    const { row, left } = await probe(switches)
    expect(row(name)).toMatch(finding)
    expect(left).not.toContain(name)
  })

  test.each([1, 2])('the chat platform is found where lists may have %d', async (maxValues) => {
    const { settings, stdout } = await probe({ maxValues, chatMethod: 'talk' }, [
      '--chats',
      'chat-1001,chat-1002',
    ])
    expect(settings).toMatchObject({ LEGACY_CHAT_METHOD: 'talk', LEGACY_MAX_VALUES: String(maxValues) })
    expect(stdout).toMatch(/^# method talk, chat-1002 +found /m)
  })

  test('compares with the gateway as it is set', async () => {
    const unset = await probe({ unknown: 'null' })
    expect(unset.row('only an unknown id')).toMatch(/as null +empty response +fixed by LEGACY_UNKNOWN$/)
    const set = await probe({ unknown: 'null' }, [], { LEGACY_UNKNOWN: 'null' })
    expect(set.row('only an unknown id')).toMatch(/as null +same$/)
  })

  test.each<[Switches, RegExp]>([
    [{ nothing: 'null' }, /^empty response, as null +empty response +fixed by LEGACY_EMPTY$/],
    [{ nothing: 'silent' }, /^status 200, no body +empty response +fixed by LEGACY_EMPTY$/],
  ])('an answer in which nothing is found, with %j', async (switches, finding) => {
    expect((await probe(switches)).row('only an unknown id')).toMatch(finding)
  })

  test.each(['both', 'json'] as const)(
    'texts for HTML in %s are the same bytes with its advice',
    async (escaped) => {
      const usual = await probe({}, ['--users', '5,6', '--apps', '2'])
      const { stdout } = await probe({ escaped }, ['--users', '5,6', '--apps', '2'])
      const same = (text: string) => /(\d+ of \d+) responses are identical byte for byte/m.exec(text)?.[1]
      expect(same(stdout)).toBe(same(usual.stdout))
      expect(same(stdout)).toBeDefined()
    },
  )

  test('says which settings make a behaviour the same', async () => {
    const { row } = await probe({ unknown: 'null', serviceName: 'Acme' })
    expect(row('only a word')).toMatch(/fixed by LEGACY_MALFORMED, LEGACY_UNKNOWN$/)
    expect(row('fields of an app')).toMatch(
      /^AcmeDownloadLink, no ServiceDownloadLink .* fixed by LEGACY_SERVICE_NAME$/,
    )
    const set = await probe({ unknown: 'null', serviceName: 'Acme' }, [], { LEGACY_SERVICE_NAME: 'Acme' })
    expect(set.row('fields of an app')).toMatch(/same$/)
  })

  test('tries the advice with the old service as the store, too', async () => {
    const refusing = await probe({ unknown: 'error' })
    expect(refusing.stdout).toContain('# Works as the store (DATABASE_URL): yes.\n')
    expect(refusing.stdout).not.toContain('fails, status 503')
    const strict = await probe({ caseSensitive: true })
    // It asks hardly more for that than the behaviours have asked already.
    expect(Number(/(\d+) requests sent/.exec(strict.stdout)?.[1])).toBeLessThan(100)
  })

  test('users that are named as they are stored are found', async () => {
    const { row, stdout } = await probe({ naming: 'stored' })
    expect(row('an id twice')).toMatch(/^1 found as Ada .* fixed by LEGACY_KEYS$/)
    expect(stdout).toContain('# Works as the store (DATABASE_URL): yes.\n')
  })

  test('a report as JSON and as a page has the same', async () => {
    const args = ['--json', 'probe.json', '--html', 'probe.html']
    const { stdout, advised } = await probe({ unknown: 'null', pretty: true }, args)
    const report = JSON.parse(readFileSync(join(place.path, 'probe.json'), 'utf8'))
    expect(report).toMatchObject({ url: old.url, promise: 'closest', advice: advised })
    expect(report.rows.length).toBe(stdout.match(/ (?:same|differs|fixed by .*)$/gm)?.length)
    expect(report.bytes.compared).toBeGreaterThan(report.bytes.same)
    expect(stdout).toContain(
      `${report.bytes.same} of ${report.bytes.compared} responses are identical byte for byte.`,
    )
    const page = readFileSync(join(place.path, 'probe.html'), 'utf8')
    expect(page).toContain('LEGACY_UNKNOWN=null')
    expect(page).toContain('fixed by LEGACY_UNKNOWN')
    expect(page).toContain('an unknown app')
    expect(page).not.toContain('<script')
  })

  test('a slow one is given time, and its time is shown', async () => {
    const { stdout } = await probe({ delay: 60 })
    expect(Number(/slowest response took (\d+) ms/.exec(stdout)?.[1])).toBeGreaterThanOrEqual(60)
    const slow = await probe({ delay: 400 })
    expect(Number(slow.settings.DATABASE_TIMEOUT)).toBeGreaterThanOrEqual(1500)
  })

  test.each<[Switches, RegExp]>([
    [{ failing: true }, /^Cannot probe \S+\. It fails with status 500\. /m],
    [
      { cutting: true },
      /^Cannot probe \S+\. No response: it closed the connection in the middle of its answer\. /m,
    ],
  ])('one that is %j is left in peace', async (switches, reason) => {
    old.switchTo(switches)
    const { status, stdout, stderr } = await place.run(['probe', old.url])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(reason)
  })

  test('--write keeps the other lines of the file', async () => {
    place.write('.env', 'PORT=4100\nLEGACY_UNKNOWN=omit # old\nLEGACY_UNKNOWN=omit\n# a comment')
    old.switchTo({ unknown: 'null' })
    const { status } = await place.run(['probe', old.url, '--rate', '1000', '--write', '.env'])
    expect(status).toBe(0)
    const written = readFileSync(join(place.path, '.env'), 'utf8')
    expect(written).toMatch(/^PORT=4100\nLEGACY_UNKNOWN=null\n# a comment\n/)
    expect(written).toMatch(/\nLEGACY_MALFORMED=unknown\n/)
    expect(parseEnv(written)).toMatchObject({
      PORT: '4100',
      LEGACY_UNKNOWN: 'null',
      LEGACY_MAX_VALUES: '10000',
    })
  })

  test('users and apps that are not there', async () => {
    old.switchTo({})
    const { status, stderr } = await place.run(['probe', old.url, '--users', '77', '--rate', '1000'])
    expect({ status, reason: stderr.split('\n')[1] }).toEqual({
      status: 1,
      reason: `Cannot probe ${old.url}. It has none of the users 77. Pass existing ids with --users.`,
    })
    expect((await probe({}, ['--apps', ''])).stdout).not.toContain('fields of an app')
  })

  describe('the settings that it finds leave no difference in meaning', () => {
    const by = (method: string) => `/?Event=ProfileLookup&MethodOfAccessingUserInformation=${method}&Users`
    test.each<Switches>([
      {},
      { unknown: 'null' },
      { errorStatus: '200' },
      { serviceName: 'Acme' },
      { chatMethod: 'talk' },
      { maxValues: 3 },
      { pretty: true, xmlDeclaration: false },
      { orderBy: 'username COLLATE NOCASE', appsOrderBy: 'id DESC' },
      { orderBy: 'ksort' },
      {
        unknown: 'null',
        errorStatus: '200',
        serviceName: 'Acme',
        chatMethod: 'messenger',
        pretty: true,
        maxValues: 5,
      },
    ])('%j', async (switches) => {
      const { settings } = await probe(switches)
      const gateway = await startGateway(
        Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value ?? ''])),
      )
      onTestFinished(gateway.close)
      const lookups = [
        ...[
          '1',
          '1:2:99',
          '99',
          '9007199254740991',
          '1:1:2',
          '::3:',
          '1:abc',
          'abc',
          '',
          ':',
          '1:2:3:4',
          '1:2:3:4:5:6',
        ].map((users) => `/?Event=ProfileLookup&Users=${users}`),
        ...[
          'Ada',
          'ada:s%C3%B8ren',
          'nobody',
          'two words',
          'two+words',
          'salt%26pepper',
          '%E8%8A%B1%E5%AD%90',
        ].map((users) => `${by('username')}=${users}`),
        ...['chat-1001', 'chat-1001:x', 'x'].map((users) => `${by(switches.chatMethod ?? 'chat')}=${users}`),
        `${by('nothing')}=1`,
        ...['1', '2:3:4', '99', '70000', ''].map((apps) => `/?Event=AppLookup&Apps=${apps}`),
        '/?Event=GroupLookup&Groups=1',
        '/?Event=',
      ]
      place.write('access.log', lookups.flatMap((target) => [target, `${target}&Format=XML`]).join('\n'))
      const { status, stdout } = await place.run([
        'replay',
        'access.log',
        '--old',
        old.url,
        '--new',
        `${gateway.url}/`,
        '--rate',
        '1000',
      ])
      expect(stdout).toMatch(/The responses to all \d+ distinct requests mean the same\.\n$/)
      expect(status).toBe(0)
    })
  })
})

test('one that answers just as the gateway does is promised to', async () => {
  const gateway = await startGateway({ LEGACY_UNKNOWN: 'null', LEGACY_SERVICE_NAME: 'Acme' })
  onTestFinished(gateway.close)
  const args = ['--chats', 'chat-1001', '--rate', '1000', '--json', 'probe.json']
  const { stdout } = await place.run(['probe', `${gateway.url}/`, ...args])
  expect(stdout).toContain('# With these settings, no tested behaviour differs.\n')
  expect(stdout).toContain('# With these settings, the gateway responds like the old service:\n')
  const { bytes, promise } = JSON.parse(readFileSync(join(place.path, 'probe.json'), 'utf8'))
  expect(promise).toBe('alike')
  expect(bytes.same).toBe(bytes.compared)
  expect(parseEnv(stdout)).toMatchObject({ LEGACY_UNKNOWN: 'null', LEGACY_SERVICE_NAME: 'Acme' })
})

test('sends no more than it says, whatever it is told', async () => {
  // It answers another thing to each question, so that nothing can be told of it, and everything is tried.
  const questions: string[] = []
  const user = (id: string) => ({ Id: Number(id), Username: `u${id}` })
  const { url, asked, close } = await startAnswering(({ url = '' }, response) => {
    if (!questions.includes(url)) questions.push(url)
    const values = new URL(url, 'http://x').searchParams.get(url.includes('Apps') ? 'Apps' : 'Users') ?? ''
    const found = values
      .split(':')
      .filter((value) => /^\d+$/.test(value))
      .slice(0, 700)
    response.end(
      JSON.stringify({
        ...Object.fromEntries(found.map((id) => [id, user(id)])),
        [`n${questions.indexOf(url)}`]: null,
      }),
    )
  })
  onTestFinished(close)
  const many = Array.from({ length: 500 }, (_, at) => String(at + 1)).join()
  const args = ['--users', many, '--apps', many, '--chats', many, '--chat-methods', many, '--rate', '1000']
  const { status, stderr } = await place.run(['probe', url, ...args])
  expect(asked.length).toBeLessThanOrEqual(150)
  expect(asked.length).toBeGreaterThan(40)
  expect({ status, stderr }).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('at most 150 requests'),
  })
})

test('what cannot be asked is one line', async () => {
  const { url, close } = await startAnswering((_, response) => {
    response.writeHead(301, { Location: 'https://elsewhere.example/' }).end()
  })
  onTestFinished(close)
  for (const [address, exit, reason] of [
    ['http://127.0.0.1:1/', 1, /^Cannot probe \S+\. No response: it cannot be reached: .*ECONNREFUSED/m],
    [url, 1, /^Cannot probe \S+\. It redirects to https:\/\/elsewhere\.example\/: use that address\.\n$/m],
    [
      'http://127.0.0.1/?Event=',
      2,
      /is invalid for argument 'url'\. It must be an http\(s\):\/\/… address, without a query\./,
    ],
    ['old.example', 2, /is invalid for argument 'url'\./],
  ] as const) {
    const { status, stdout, stderr } = await place.run(['probe', address])
    expect({ status, stdout }).toEqual({ status: exit, stdout: '' })
    expect(stderr).toMatch(reason)
  }
})

describe('an old service that', () => {
  interface Habits {
    /** Takes over from the real answer. */
    readonly before?: (
      asked: { values: string[]; url: URL; number: number },
      response: ServerResponse,
    ) => boolean
    readonly headers?: Readonly<Record<string, string>>
    readonly cutAt?: number
  }

  /** One in a few lines: users 1 to 9, an app, and a chat identifier. */
  async function withHabits({ before, headers = {}, cutAt }: Habits): Promise<Answering> {
    let number = 0
    const old = await startAnswering((request, response) => {
      const url = new URL(request.url ?? '', 'http://x')
      const list =
        url.searchParams.get(url.searchParams.get('Event') === 'AppLookup' ? 'Apps' : 'Users') ?? ''
      const values = list.split(':').filter((value) => value !== '')
      if (before?.({ values, url, number: ++number }, response)) return
      const found = values.slice(0, cutAt).filter((value) => /^[1-9]$/.test(value))
      const entry = (id: string) =>
        url.searchParams.get('Event') === 'AppLookup'
          ? { Title: 'A', Version: '1.0.0', Category: 1, ChangelogLink: '', ServiceDownloadLink: '' }
          : userOf(id)
      response
        .writeHead(200, headers)
        .end(JSON.stringify(Object.fromEntries(found.map((id) => [id, entry(id)]))))
    })
    onTestFinished(old.close)
    return old
  }
  const run = (url: string, ...args: string[]) => place.run(['probe', url, '--rate', '1000', ...args])

  test.each<[string, Habits['before'], RegExp]>([
    [
      'limits its requests',
      ({ number }, response) => number > 25 && Boolean(response.writeHead(429).end()),
      /It limits the request rate \(status 429\)\. Lower --rate\./,
    ],
    [
      'gets into trouble',
      ({ number }, response) => number > 25 && Boolean(response.writeHead(503).end()),
      /It fails with status 503\./,
    ],
    ['goes away', ({ number }, response) => number > 25 && Boolean(response.destroy()), /No response: /],
  ])('%s half-way is left in peace, and nothing is made of it', async (_, before, reason) => {
    const { url, asked } = await withHabits({ before: before ?? (() => false) })
    const { status, stdout, stderr } = await run(url, '--write', 'settings.env')
    expect({ status, stdout, written: existsSync(join(place.path, 'settings.env')) }).toEqual({
      status: 1,
      stdout: '',
      written: false,
    })
    expect(stderr).toMatch(reason)
    expect(stderr).toContain('Stopped after 27 requests.')
    expect(asked).toHaveLength(27)
  })

  const nothing = { Id: null, Username: null, DisplayName: null, Rank: null, JoinDate: null }
  test.each<[string, (unknown: readonly string[]) => object, beside: string | null, alone: string]>([
    ['an empty list', () => [], null, 'empty response, as []'],
    [
      'all fields, with null in them',
      (unknown) => Object.fromEntries(unknown.map((id) => [id, nothing])),
      '1 found, 987654321 with empty fields',
      '987654321 with empty fields',
    ],
    [
      'a text about an error',
      (unknown) => Object.fromEntries(unknown.map((id) => [id, { Error: 'no such user' }])),
      '1 found, 987654321 as {Error}',
      '987654321 as {Error}',
    ],
  ])('has %s for an unknown user is not said to find one', async (_, answer, beside, alone) => {
    const { url } = await withHabits({
      before: ({ values, url }, response) => {
        const unknown = values.filter((value) => !/^[1-9]$/.test(value))
        if (unknown.length === 0 || url.searchParams.get('Event') !== 'ProfileLookup') return false
        const found = values
          .filter((value) => !unknown.includes(value))
          .map((id) => [id, userOf(id)] as const)
        const said = answer(unknown)
        response.end(
          JSON.stringify(
            found.length === 0
              ? said
              : { ...Object.fromEntries(found), ...(Array.isArray(said) ? {} : said) },
          ),
        )
        return true
      },
    })
    const { status, stdout } = await run(url)
    expect(status).toBe(0)
    const line = (name: string, finding: string) =>
      new RegExp(`^# ${name} +${finding.replace(/[[\]{}]/g, '\\$&')} .* fixed by LEGACY_\\w+`, 'm')
    if (beside !== null) expect(stdout).toMatch(line('an unknown id next to a known one', beside))
    // It has no usernames: those that are imported are found, though it finds none.
    expect(stdout).toMatch(/^# {3}a username: .* \(only with imported data\)$/m)
    expect(stdout).toMatch(line('only an unknown id', alone))
  })

  test.each<[string, Habits['before']]>([
    ['hangs up on long lists', ({ values }, response) => values.length > 50 && Boolean(response.destroy())],
    [
      'answers long lists with nothing at all',
      ({ values }, response) => values.length > 50 && Boolean(response.end()),
    ],
  ])(
    '%s limits them',
    async (_, before) => {
      const { url } = await withHabits({ before: before ?? (() => false) })
      const { status, stdout } = await run(url)
      expect(status).toBe(0)
      expect(parseEnv(stdout)).toMatchObject({ LEGACY_MAX_VALUES: '50', DATABASE_MAX_VALUES: '50' })
    },
    60_000,
  )

  test('cuts long lists short is asked for no more, and so does the gateway', async () => {
    const { url } = await withHabits({ cutAt: 40 })
    const { stdout } = await run(url)
    expect(stdout).toMatch(/^# ids in one list +at most 40, longer lists cut short/m)
    expect(stdout).not.toMatch(/^# {3}ids in one list/m)
    expect(parseEnv(stdout)).toMatchObject({
      LEGACY_MAX_VALUES: '40',
      LEGACY_TOO_MANY: 'cut',
      DATABASE_MAX_VALUES: '40',
    })
  })

  test('has another number in each error does not make any word a method', async () => {
    const { url } = await withHabits({
      before: ({ url, values }, response) => {
        const method = url.searchParams.get('MethodOfAccessingUserInformation') ?? 'id'
        if (method === 'id') return false
        const chat = method === 'talk' && values.includes('c-1')
        const body = chat
          ? { 'c-1': { Id: 1, Username: 'u1' } }
          : { error: 'Unknown method', request: Math.random() }
        response.end(JSON.stringify(body))
        return true
      },
    })
    const { stdout } = await run(url, '--chat-methods', 'bogus', '--chats', 'c-1')
    expect(parseEnv(stdout)).toMatchObject({ LEGACY_CHAT_METHOD: 'talk' })
    const unsaid = await run(url, '--chat-methods', 'bogus')
    expect(parseEnv(unsaid.stdout)).not.toHaveProperty('LEGACY_CHAT_METHOD')
    expect(unsaid.stdout).toContain('words is the method of the chat platform.')
  })

  test('has strings for all values, and errors with tags, is told so', async () => {
    const texts = (id: string) =>
      Object.fromEntries(
        Object.entries(userOf(id)).map(([name, value]) => [name, value === false ? '' : String(value)]),
      )
    const { url } = await withHabits({
      headers: { 'Content-Type': 'text/html' },
      before: ({ url, values }, response) => {
        const event = url.searchParams.get('Event')
        if (event === 'AppLookup') return false
        const callback = url.searchParams.get('callback')
        const found = values.filter((value) => /^[1-9]$/.test(value))
        const json = JSON.stringify(Object.fromEntries(found.map((id) => [id, texts(id)])))
        const answer = found.length === 0 ? '[]' : callback === null ? json : `${callback}(${json})`
        response
          .writeHead(event === 'ProfileLookup' ? 200 : 400, { 'Content-Type': 'text/html' })
          .end(event === 'ProfileLookup' ? `\ufeff${answer}` : '<img src=x onerror="alert(1)">\n# X=1')
        return true
      },
    })
    const { stdout } = await run(url, '--html', 'probe.html')
    const lines = stdout.split('\n')
    const line = (name: string) => lines.find((one) => one.startsWith(`#   ${name}: `))
    expect(line('fields of a user')).toContain(': IsConfirmed the string "true" instead of ')
    expect(line('callback= (JSONP)')).toContain('JSONP: cb(…)')
    expect(line('byte order mark')).toContain('at the beginning of answers')
    const notOnlyForm = stdout.slice(0, stdout.indexOf('# Differences in form only'))
    expect(notOnlyForm).toContain('#   byte order mark: ')
    expect(stdout).toContain('#     C#: ')
    expect(parseEnv(stdout)).not.toHaveProperty('X')
    const page = readFileSync(join(place.path, 'probe.html'), 'utf8')
    expect(page).not.toContain('<img')
    expect(page).toContain('&lt;img src=x')
  })

  test('takes the fields of a form is said to, since the gateway does not', async () => {
    const { url, asked, close } = await startAnswering(async (request, response) => {
      const sent = (await Array.fromAsync(request)).join('')
      const query = new URLSearchParams(request.method === 'POST' ? sent : request.url?.slice(2))
      const values = (query.get('Users') ?? '').split(':').filter((value) => /^[1-9]$/.test(value))
      response.end(JSON.stringify(Object.fromEntries(values.map((id) => [id, userOf(id)]))))
    })
    onTestFinished(close)
    const { stdout } = await run(url, '--apps', '')
    expect(stdout).toMatch(/^# {3}POST: old service: answered; gateway: not answered$/m)
    expect(asked.filter((target) => target === '/')).toHaveLength(1)
  })

  test('is cached for longer than any setting allows', async () => {
    const { url } = await withHabits({ headers: { 'Cache-Control': 'public, max-age=63072000' } })
    expect(parseEnv((await run(url)).stdout)).toMatchObject({ LEGACY_MAX_AGE: '31536000' })
  })

  test('is asked nothing where its settings could not be used, or not be written', async () => {
    const { url, asked } = await withHabits({})
    const bad = await place.run(['probe', url], { env: { LEGACY_UNKNOWN: 'bogus' } })
    expect(bad.stderr).toMatch(/^LEGACY_UNKNOWN \(environment\) cannot be "bogus"\./)
    expect((await run(url, '--write', 'no/such/.env')).stderr).toMatch(
      /^Cannot write no\/such\/\.env: ENOENT/,
    )
    expect(asked).toEqual([])
  })

  test('is probed for a file that cannot hold its settings, or is weaker than the environment', async () => {
    const { url } = await withHabits({})
    place.write('.env', 'DATABASE_URL="sqlite:x\nLEGACY_PATHS=/\ny"\n')
    const { status, stderr } = await run(url, '--write', '.env')
    expect(status).toBe(1)
    expect(stderr).toContain(
      '.env was not changed: it has values of several lines. Add the settings by hand.',
    )
    expect(readFileSync(join(place.path, '.env'), 'utf8')).toBe(
      'DATABASE_URL="sqlite:x\nLEGACY_PATHS=/\ny"\n',
    )

    place.write('.env', '')
    const args = ['probe', url, '--rate', '1000', '--write', '.env']
    const hidden = await place.run(args, { env: { LEGACY_UNKNOWN: 'null' } })
    expect(hidden.stderr).toContain('Environment variables override the file: LEGACY_UNKNOWN. Unset them.')
  })
})
