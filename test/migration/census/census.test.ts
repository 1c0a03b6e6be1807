// `lookup census`: who still calls the legacy interface, for what, and when.

import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect } from 'vitest'
import type { Census } from '../../../src/migration/census/report.ts'
import { fileWith } from '../../kit/dialect.ts'
import { test } from '../../kit/test.ts'
import type { Workplace } from '../../kit/workplace.ts'

const line = (address: string, minute: number, target: string, agent: string) =>
  `${address} - - [22/Nov/2026:13:${minute}:00 +0100] "GET ${target} HTTP/1.1" 200 312 "-" "${agent}"\n`
const users = '/?Event=ProfileLookup&Users=1'
const log = [
  line('203.0.113.1', 10, users, 'Desktop/1.0'),
  line('203.0.113.2', 59, users, 'Desktop/1.0'),
  line('203.0.113.1', 20, users, 'Desktop/1.0'),
  line('203.0.113.1', 20, `${users}&Format=XML`, 'Desktop/1.0'),
  line('203.0.113.3', 30, '/?Event=AppLookup&Apps=1', '-'),
  line('203.0.113.4', 30, '/favicon.ico', 'Desktop/1.0'),
  '/?Event=AppLookup&Apps=1\n',
  // A probe or a comparison of this program is no client.
  line('203.0.113.9', 15, '/?Event=Nothing&Users=1', 'lookup-service/1.0.0'),
].join('')

/** The census of a log, with its three reports. */
async function census(place: Workplace, content: string, args: readonly string[] = [], env = {}) {
  place.write('access.log', content)
  const reports = ['--json', 'c.json', '--html', 'c.html']
  const outcome = await place.run(['census', 'access.log', ...reports, ...args], { env })
  expect(outcome, outcome.stderr).toMatchObject({ status: 0 })
  const text = readFileSync(join(place.path, 'c.json'), 'utf8')
  const report: Census = JSON.parse(text)
  return { ...outcome, text, report, page: readFileSync(join(place.path, 'c.html'), 'utf8') }
}

describe('clients', () => {
  test('by name, and each by itself: what they ask, how often, and when', async ({ place }) => {
    const { report, stdout, stderr, page } = await census(place, log, ['--show-addresses'])
    expect(stderr).toMatch(/^Reading access\.log as common or combined format\.\n/)
    expect(report).toMatchObject({
      ...{ complete: true, lines: 8, requests: 6, requestsWithoutTime: 1, requestsOfOthers: 0 },
      ...{ firstSeen: '2026-11-22T12:10:00.000Z', lastSeen: '2026-11-22T12:59:00.000Z' },
      days: [{ from: '2026-11-22', requests: 5, clients: 3 }],
      weeks: [{ from: '2026-11-16', requests: 5, clients: 3 }],
    })
    const example = 'GET /?Event=Nothing&Users=1'
    expect(report.log.notCounted).toContainEqual({ reason: 'own', lines: 1, example })
    const kind = (format: string, requests: number) => ({
      ...{ event: 'ProfileLookup', method: 'id', format, problem: '', requests },
    })
    const desktop = {
      ...{ family: 'Desktop', versions: ['1.0'], requests: 4, share: 4 / 6 },
      ...{ firstSeen: '2026-11-22T12:10:00.000Z', lastSeen: '2026-11-22T12:59:00.000Z' },
      daily: { from: '2026-11-22', requests: '4' },
      asked: [kind('JSON', 3), kind('XML', 1)],
    }
    expect(report.families[0]).toEqual({ ...desktop, clients: 2 })
    expect(report.families[1]).toMatchObject({ family: '', clients: 2, requests: 2, versions: [] })
    expect(report.clients[0]).toEqual({
      ...{ ...desktop, client: '203.0.113.1', origin: '', requests: 3, share: 0.5 },
      lastSeen: '2026-11-22T12:20:00.000Z',
      daily: { from: '2026-11-22', requests: '3' },
      asked: [kind('JSON', 2), kind('XML', 1)],
    })
    const clients = report.clients.map(({ client }) => client)
    expect(clients).toEqual(['203.0.113.1', '203.0.113.2', '203.0.113.3', ''])
    expect(stdout).toMatch(/^Desktop +2 +4 +66\.66 % +2026-11-22 +2026-11-22$/m)
    expect(stdout).toMatch(/^\(no name\) +AppLookup +JSON +2$/m)
    expect(stdout).toMatch(/^203\.0\.113\.1 +Desktop +1\.0 +3 +50\.00 % +2026-11-22 +2026-11-22$/m)
    expect(page).toContain('<td class="name">Desktop</td>')
    expect(page).toContain('<td class="word">203.0.113.1</td>')
  })

  test('are hashes by default, other ones in each census', async ({ place }) => {
    const first = await census(place, log)
    const second = await census(place, log)
    for (const { stdout, text, page } of [first, second])
      expect(stdout + text + page).not.toMatch(/203\.0\.113/)
    const hashes = (report: Census) => report.clients.map(({ client }) => client)
    const hash = expect.stringMatching(/^#[0-9a-f]{16}$/)
    expect(hashes(first.report)).toEqual([hash, hash, hash, ''])
    expect(hashes(first.report)).not.toEqual(hashes(second.report))
  })

  test('of one address differ by name and by the site that they come from', async ({ place }) => {
    const from = (referer: string, agent: string) =>
      line('203.0.113.1', 10, users, agent).replace('"-"', `"${referer}"`)
    const sites = [
      from('https://me:secret@Portal.example/a?user=ada', 'Client/1.0'),
      from('https://portal.example/b', 'Client/2.0 (Linux)'),
      from('http://forum.example:8080/ada', 'Client/1.0'),
      from('android-app://ada/', 'Client/1.0'),
      from('https://portal.example/', 'Other Client 3'),
    ]
    const { report, text, page } = await census(place, sites.join(''))
    expect(report.clients.map((one) => [one.family, one.versions, one.origin, one.requests])).toEqual([
      ['Client', ['1.0', '2.0'], 'https://portal.example', 2],
      ['Client', ['1.0'], 'http://forum.example:8080', 1],
      ['Client', ['1.0'], '', 1],
      ['Other Client', ['3'], 'https://portal.example', 1],
    ])
    expect(report.families.map(({ family, clients }) => [family, clients])).toEqual([
      ['Client', 3],
      ['Other Client', 1],
    ])
    expect(text + page).not.toMatch(/secret|\bada\b/)
  })

  test('of IPv6 are networks', async ({ place }) => {
    const six = line('2001:db8:1:2::7', 1, users, 'A') + line('2001:db8:1:2:3::9', 2, users, 'A')
    const { report } = await census(place, six, ['--show-addresses'])
    expect(report.clients).toMatchObject([{ client: '2001:db8:1:2::/64', requests: 2 }])
  })

  test('over time: by day, and by week if there are many days', async ({ place }) => {
    const at = (day: number, client: number) =>
      line(`10.0.0.${client}`, 10, users, 'A').replace('22/Nov', `${String(day).padStart(2, '0')}/Nov`)
    const few = await census(place, [at(1, 1), at(1, 2), at(1, 2), at(3, 1)].join(''))
    expect(few.stdout).toMatch(/^2026-11-01 +2 +3 {2}▇{20}\n2026-11-02 +0 +0\n2026-11-03 +1 +1 {2}▇{10}$/m)
    const days = Array.from({ length: 15 }, (_, day) => at(day + 1, day % 5))
    const many = await census(place, days.join(''), [], { LC_ALL: 'C' })
    // The first of November 2026 is a Sunday.
    expect(many.stdout).toMatch(
      /^2026-10-26 +1 +1 {2}#+\n2026-11-02 +5 +7 {2}#{20}\n2026-11-09 +5 +7 {2}#{20}$/m,
    )
  })

  test('over years: the newest 400 days are counted by day', async ({ place }) => {
    const on = (date: string) => line('10.0.0.1', 10, users, 'A').replace('22/Nov/2026', date)
    const dates = ['20/Oct/2025', '22/Nov/2026', '19/Oct/2025', '18/Oct/2025', '22/Nov/2026']
    const { report } = await census(place, dates.map(on).join(''))
    expect(report).toMatchObject({ requests: 5, firstSeen: '2025-10-18T12:10:00.000Z' })
    const daily = report.clients[0]?.daily
    expect(daily).toEqual({ from: '2025-10-19', requests: expect.stringMatching(/^1 1 (?:0 ){397}2$/) })
    expect(report.days).toHaveLength(400)
  })

  test('with hostile names are escaped in the page, and harmless in a terminal', async ({ place }) => {
    const evil = line('::1', 10, users, '\\x1b[31m<script>alert(1)</script>\\xE2\\x80\\xAE')
    const { stdout, page } = await census(place, evil)
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
    expect(page).toContain('&lt;script&gt;')
  })

  test('beyond 20,000 are counted together, and so are many names and events', async ({ place }) => {
    const lines = Array.from({ length: 22_000 }, (_, at) =>
      line(`10.0.${at >> 8}.${at & 255}`, 10, `/?Event=E${at}`, `Bot${at}/${at}`),
    )
    const { stdout, report } = await census(place, lines.join(''))
    expect(stdout).toContain('2,000 requests are from other clients: the census lists 20,000 clients.')
    const [figures = ''] = stdout.split('Next steps')
    for (const shown of figures.split('\n')) expect(shown.length).toBeLessThanOrEqual(100)
    expect(report).toMatchObject({ requests: 22_000, requestsOfOthers: 2_000, maxClients: 20_000 })
    expect(report.clients).toHaveLength(20_000)
    expect(report.families).toHaveLength(21_001)
    expect(report.families[0]).toMatchObject({ family: '(other names)', requests: 1_000, clients: 0 })
    expect(report.asked).toHaveLength(1_001)
    for (const rows of [report.families, report.asked])
      expect(rows.reduce((sum, row) => sum + row.requests, 0)).toBe(22_000)
  })
})

describe('requests', () => {
  const wrong = [
    ['Event=Nothing', 'UnknownEvent'],
    ['Event=', 'MissingParameter'],
    ['Event=ProfileLookup', 'MissingParameter'],
    ['Event=ProfileLookup&Users=ada', 'MalformedIdentifier'],
    ['Event=ProfileLookup&Users=1&MethodOfAccessingUserInformation=mail', 'UnknownMethod'],
    ['Event=AppLookup&Apps=1&Format=YAML', 'UnknownFormat'],
    ['Event=AppLookup&Apps=1:2:3:4', 'TooManyValues'],
    ['Event=AppLookup&Apps=1&Apps=2', 'RepeatedParameter'],
    ['Event=AppLookup&Apps=%ZZ', 'MalformedQuery'],
  ] as const

  test('that the gateway refuses with its settings have the name of its error', async ({ place }) => {
    const content = wrong.map(([query]) => line('203.0.113.1', 1, `/?${query}`, 'A')).join('')
    const problemsOf = ({ report }: { readonly report: Census }) =>
      report.asked.flatMap(({ problem, requests }) => Array<string>(requests).fill(problem))
    const strict = await census(place, content, [], { LEGACY_MAX_VALUES: '3' })
    expect(problemsOf(strict).toSorted()).toEqual(wrong.map(([, problem]) => problem).toSorted())
    expect(strict.stdout).toMatch(/^A +Nothing +JSON +UnknownEvent +1$/m)
    const dialect = { read: { repeated: 'last', malformed: 'unknown' } }
    const lenient = await census(place, content, [], { LEGACY_DIALECT: fileWith(dialect) })
    expect(problemsOf(lenient).filter((problem) => problem === '')).toHaveLength(3)
  })

  test('by POST, on other paths, and lines that were not counted are in all reports', async ({ place }) => {
    const entry = (method: string, target: string) =>
      `{"request_method":"${method}","request_uri":"${target}","remote_addr":"203.0.113.9"}\n`
    const lines = [
      entry('POST', '/?event=AppLookup&Apps=1'),
      entry('GET', '/old.php?Event=AppLookup&Apps=1'),
      'from 203.0.113.9: <b>\n',
    ]
    const { stdout, report, page } = await census(place, lines.join(''))
    expect(stdout).toContain("/old.php (1). To count them, add --path '/,/old.php'.")
    expect(stdout).toContain('1 lookup was sent by POST. The gateway refuses them.')
    expect(stdout).toMatch(/^ +1 {2}not in this format {2}from \(address\): <b>$/m)
    expect(report).toMatchObject({
      requests: 1,
      families: [{ asked: [{ event: 'AppLookup', problem: 'MethodNotAllowed', requests: 1 }] }],
      log: {
        posted: 1,
        otherPaths: [{ path: '/old.php', requests: 1 }],
        notCounted: [
          { reason: 'other path', lines: 1, example: 'GET /old.php?Event=AppLookup&Apps=1' },
          { reason: 'unreadable', lines: 1, example: 'from (address): <b>' },
        ],
      },
    })
    for (const text of ['from (address): &lt;b&gt;', '/old.php (1)', '1 lookup was sent by POST'])
      expect(page).toContain(text)
  })

  test('on paths that a client made up are named, but are no part of a command', async ({ place }) => {
    const paths = ["/x';id>pwned;'", '/$(id)', '/a b', '/old%2Flookup.php', '/`id`']
    const lines = paths.map((path) => line('203.0.113.1', 1, `${path}?Event=AppLookup&Apps=1`, 'A'))
    const { stdout } = await census(place, lines.join(''))
    expect(stdout).toContain("/x';id>pwned;' (1)")
    expect(stdout).toContain("To count them, add --path '/,/old%2Flookup.php'.")
    const none = await census(place, lines[0] ?? '')
    expect(none.stdout).toContain("Lookups on other paths are not counted: /x';id>pwned;' (1).\n")
    expect(none.stdout).not.toContain('add --path')
  })

  const known = line('203.0.113.1', 1, users, 'A')
  const noAddress = 'The log has no client addresses: clients cannot be counted.'
  const unread = '| GET /?Event=AppLookup&Apps=1 |\n'.repeat(3)
  const times = ['22/11/2026 13:55:36', '22/Nov/2026 13:55:36', 'yesterday', '22/Nov/2099 13:55:36']
  const timed = times.map((time) => `${time};203.0.113.9;/?Event=AppLookup&Apps=1\n`).join('')
  const own = '22/Nov/2026:13:55:36 +0100;203.0.113.9;/old.php;event=AppLookup&Apps=1;Desktop/1.0\n'
  const ownFormat = [
    '--format',
    '$time_local;$remote_addr;$uri;$args;$http_user_agent',
    '--path',
    '/,/old.php',
  ]

  test.for<[string, content: string, args: readonly string[], shown: RegExp, hidden?: string]>([
    ['of no known client', `${users}\n`, [], new RegExp(noAddress)],
    ['of some known clients', `${users}\n${known}`, [], /of 2 names/, noAddress],
    ['that could not be read', known + unread, [], /^Only 25\.00 % of the lines that look like requests/m],
    [
      ...(['without a readable time', timed, ['--format', '$time;$remote_addr;$request_uri']] as const),
      /^3 requests have no readable time, or a time in the future\..*^2026-11-22 +1 +1 /ms,
    ],
    ['in a format of the operator', own, ownFormat, /^Desktop +1 +1 +100\.00 % +2026-11-22 +2026-11-22/m],
    [
      ...(['that are not there', line('203.0.113.1', 1, '/', 'A'), []] as const),
      ...([/^The logs have no legacy request\.$/m, noAddress] as const),
    ],
  ])('%s', async ([, content, args, shown, hidden = '<script'], { place }) => {
    const { stdout, page } = await census(place, content, args)
    expect(stdout).toMatch(shown)
    expect(stdout + page).not.toContain(hidden)
    expect(page).not.toContain('class="verdict good"')
  })
})

test.for([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s on a silent pipe: the census of all lines so far', async ([signal, status], { place }) => {
  const [stdin, controller] = [new PassThrough(), new AbortController()]
  stdin.write(log)
  const running = place.run(['census', '-'], { signal: controller.signal }, stdin)
  await expect.poll(() => stdin.readableLength).toBe(0)
  controller.abort(signal)
  const outcome = await running
  expect(outcome).toMatchObject({ status })
  expect(outcome.stdout).toContain('6 legacy requests in 8 lines, from 4 clients\n')
  expect(outcome.stdout).toContain('Interrupted: only part of the log was counted.')
})

describe('a mistake ends the command before it reads a log', () => {
  test.for<[string, readonly string[], number, string]>([
    ['a log that is missing', ['none.log'], 1, 'There is no file none.log. Check the path.\n'],
    ['a folder', ['folder.csv'], 1, 'folder.csv is a folder. Name a file in it.\n'],
    ['a report in a missing folder', ['a.log', '--html', 'no/c.html'], 1, 'Cannot write no/c.html: ENOENT'],
    ['a report over the log', ['a.log', '--html', 'a.log'], 2, 'The report would overwrite a.log.'],
    ['the same log twice', ['a.log', './a.log'], 1, 'a.log and ./a.log are the same file. Give it once.\n'],
    ['a link to a log', ['link.log', 'a.log'], 1, 'link.log and a.log are the same file. Give it once.\n'],
    ['standard input twice', ['-', '-'], 1, '- is given twice. Give it once.\n'],
    ...['', 'lookup.php', '/?Event='].map((path): [string, readonly string[], number, string] => [
      ...([`--path '${path}'`, ['a.log', '--path', path], 2] as const),
      'It must be paths such as /lookup.php, without a query.',
    ]),
    ...[
      ['$remote_addr', 'The request is missing. Add $request or $request_uri.'],
      ['%h %t "%r"', 'It has no variable such as $request.'],
      ['GET /', 'It has no variable such as $request.'],
      ['$remote_addr$request', 'Put a separator between $remote_addr and $request.'],
      ['$request $status', '$request may contain spaces, and a space follows it.'],
      ['$time_local "$request"', 'such as "$time_local", or write $date $zone.'],
      ['$ "$request"', 'A name must follow each $'],
      ['$request_uri $uri', '$uri repeats what an earlier variable says.'],
      ['"$request"\n', 'It must be one line'],
    ].map(([format = '', message = '']): [string, readonly string[], number, string] => [
      ...([`--format ${format}`, ['a.log', '--format', format], 2, message] as const),
    ]),
  ])('%s', async ([, args, status, message], { place }) => {
    place.write('a.log', log)
    symlinkSync('a.log', join(place.path, 'link.log'))
    const outcome = await place.run(['census', ...args])
    expect(outcome).toMatchObject({ status, stdout: '', stderr: expect.stringContaining(message) })
    expect(readFileSync(join(place.path, 'a.log'), 'utf8')).toBe(log)
  })
})
