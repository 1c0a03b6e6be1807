import { once } from 'node:events'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Census } from '../../../src/migration/census/report.ts'
import { outcomeOf, startLookup } from '../../kit/run-lookup.ts'
import { makeWorkplace, type Workplace } from '../../kit/workplace.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

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
].join('')

async function census(args: readonly string[] = []) {
  place.write('access.log', log)
  const { status, stdout, stderr } = await place.run([
    'census',
    'access.log',
    '--json',
    'c.json',
    '--html',
    'c.html',
    ...args,
  ])
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: 'Reading access.log as common or combined format.\n',
  })
  const report: Census = JSON.parse(readFileSync(join(place.path, 'c.json'), 'utf8'))
  return { stdout, report, page: readFileSync(join(place.path, 'c.html'), 'utf8') }
}

test('clients by name, and each by itself: what they ask, how often, and when', async () => {
  const { report, stdout, page } = await census(['--show-addresses'])
  expect(report).toMatchObject({
    complete: true,
    lines: 7,
    requests: 6,
    requestsWithoutTime: 1,
    requestsOfOthers: 0,
    firstSeen: '2026-11-22T12:10:00.000Z',
    lastSeen: '2026-11-22T12:59:00.000Z',
    days: [{ from: '2026-11-22', requests: 5, clients: 3 }],
    weeks: [{ from: '2026-11-16', requests: 5, clients: 3 }],
  })
  const asked = (event: string, method: string, format: string, requests: number) => ({
    ...{ event, method, format, problem: '', requests },
  })
  const desktop = {
    family: 'Desktop',
    versions: ['1.0'],
    requests: 4,
    share: 4 / 6,
    firstSeen: '2026-11-22T12:10:00.000Z',
    lastSeen: '2026-11-22T12:59:00.000Z',
    daily: { from: '2026-11-22', requests: '4' },
    asked: [asked('ProfileLookup', 'id', 'JSON', 3), asked('ProfileLookup', 'id', 'XML', 1)],
  }
  expect(report.families[0]).toEqual({ ...desktop, clients: 2 })
  expect(report.families[1]).toMatchObject({ family: '', clients: 2, requests: 2, versions: [] })
  expect(report.clients).toHaveLength(4)
  expect(report.clients[0]).toEqual({
    ...desktop,
    client: '203.0.113.1',
    origin: '',
    requests: 3,
    share: 0.5,
    lastSeen: '2026-11-22T12:20:00.000Z',
    daily: { from: '2026-11-22', requests: '3' },
    asked: [asked('ProfileLookup', 'id', 'JSON', 2), asked('ProfileLookup', 'id', 'XML', 1)],
  })
  expect(report.clients.map(({ client }) => client)).toEqual([
    ...['203.0.113.1', '203.0.113.2', '203.0.113.3', ''],
  ])
  expect(stdout).toMatch(/^Desktop +2 +4 +66\.66 % +2026-11-22 +2026-11-22$/m)
  expect(stdout).toMatch(/^\(no name\) +AppLookup +JSON +2$/m)
  expect(stdout).toMatch(/^203\.0\.113\.1 +Desktop 1\.0 +3 +2026-11-22 +2026-11-22$/m)
  expect(page).toContain('<td class="name">Desktop</td>')
  expect(page).toContain('<code>203.0.113.1</code>')
})

test('by default no report holds an address, and the same address has another hash the next time', async () => {
  const first = await census()
  const second = await census()
  for (const { stdout, report, page } of [first, second])
    expect(stdout + JSON.stringify(report) + page).not.toMatch(/203\.0\.113/)
  const hashes = (report: Census) => report.clients.map(({ client }) => client)
  expect(hashes(first.report)).toEqual([...Array(3).fill(expect.stringMatching(/^#[0-9a-f]{16}$/)), ''])
  expect(hashes(first.report)).not.toEqual(hashes(second.report))
})

test('clients with one address are told apart by their names and by the site that they come from', async () => {
  const from = (referer: string, agent: string) =>
    line('203.0.113.1', 10, users, agent).replace('"-"', `"${referer}"`)
  place.write(
    'sites.log',
    [
      from('https://me:secret@Portal.example/a?user=ada', 'Client/1.0'),
      from('https://portal.example/b', 'Client/2.0 (Linux)'),
      from('http://forum.example:8080/ada', 'Client/1.0'),
      from('android-app://ada/', 'Client/1.0'),
      from('https://portal.example/', 'Other Client 3'),
    ].join(''),
  )
  await place.run(['census', 'sites.log', '--json', 'c.json', '--html', 'c.html'])
  const text = readFileSync(join(place.path, 'c.json'), 'utf8')
  const { clients, families }: Census = JSON.parse(text)
  expect(
    clients.map(({ family, versions, origin, requests }) => [family, versions, origin, requests]),
  ).toEqual([
    ['Client', ['1.0', '2.0'], 'https://portal.example', 2],
    ['Client', ['1.0'], 'http://forum.example:8080', 1],
    ['Client', ['1.0'], '', 1],
    ['Other Client', ['3'], 'https://portal.example', 1],
  ])
  expect(families.map(({ family, clients }) => [family, clients])).toEqual([
    ['Client', 3],
    ['Other Client', 1],
  ])
  expect(text + readFileSync(join(place.path, 'c.html'), 'utf8')).not.toMatch(/secret|\bada\b/)
})

test('an IPv6 client is its network', async () => {
  place.write(
    'six.log',
    [line('2001:db8:1:2::7', 1, users, 'A'), line('2001:db8:1:2:3::9', 2, users, 'A')].join(''),
  )
  await place.run(['census', 'six.log', '--show-addresses', '--json', 'c.json'])
  const { clients }: Census = JSON.parse(readFileSync(join(place.path, 'c.json'), 'utf8'))
  expect(clients.map(({ client, requests }) => [client, requests])).toEqual([['2001:db8:1:2::/64', 2]])
})

test('what the gateway would refuse, as it is set, is named by its error', async () => {
  const wrong = [
    ['/?Event=Nothing', 'UnknownEvent'],
    ['/?Event=', 'MissingParameter'],
    ['/?Event=ProfileLookup', 'MissingParameter'],
    ['/?Event=ProfileLookup&Users=ada', 'MalformedIdentifier'],
    ['/?Event=ProfileLookup&Users=1&MethodOfAccessingUserInformation=mail', 'UnknownMethod'],
    ['/?Event=AppLookup&Apps=1&Format=YAML', 'UnknownFormat'],
    ['/?Event=AppLookup&Apps=1:2:3:4', 'TooManyValues'],
    ['/?Event=AppLookup&Apps=1&Apps=2', 'RepeatedParameter'],
    ['/?Event=AppLookup&Apps=%ZZ', 'MalformedQuery'],
  ] as const
  place.write('wrong.log', wrong.map(([target]) => line('203.0.113.1', 1, target, 'A')).join(''))
  const run = async (env: Readonly<Record<string, string>>) => {
    const { stdout } = await place.run(['census', 'wrong.log', '--json', 'c.json'], { env })
    const { asked }: Census = JSON.parse(readFileSync(join(place.path, 'c.json'), 'utf8'))
    return {
      stdout,
      problems: asked.flatMap(({ problem, requests }) => Array<string>(requests).fill(problem)),
    }
  }
  const strict = await run({ LEGACY_MAX_VALUES: '3' })
  expect(strict.problems.toSorted()).toEqual(wrong.map(([, problem]) => problem).toSorted())
  expect(strict.stdout).toMatch(/^A +Nothing +UnknownEvent +1$/m)
  const lenient = await run({ LEGACY_REPEATED: 'last', LEGACY_MALFORMED: 'unknown' })
  expect(lenient.problems.filter((problem) => problem === '')).toHaveLength(3)
})

test('clients over time: by day, and by week where there are many days', async () => {
  const at = (day: number, client: number) =>
    line(`10.0.0.${client}`, 10, users, 'A').replace('22/Nov', `${String(day).padStart(2, '0')}/Nov`)
  place.write('few.log', [at(1, 1), at(1, 2), at(1, 2), at(3, 1)].join(''))
  expect((await place.run(['census', 'few.log'])).stdout).toMatch(
    /^2026-11-01 +2 +3 {2}▇{20}\n2026-11-02 +0 +0\n2026-11-03 +1 +1 {2}▇{10}$/m,
  )
  place.write('many.log', Array.from({ length: 15 }, (_, day) => at(day + 1, day % 5)).join(''))
  const { stdout } = await place.run(['census', 'many.log'], { env: { LC_ALL: 'C' } })
  // The first of November 2026 is a Sunday.
  expect(stdout).toMatch(/^2026-10-26 +1 +1 {2}#+\n2026-11-02 +5 +7 {2}#{20}\n2026-11-09 +5 +7 {2}#{20}$/m)
})

test('names are escaped in the page, and harmless in a terminal', async () => {
  place.write('evil.log', line('::1', 10, users, '\\x1b[31m<script>alert(1)</script>\\xE2\\x80\\xAE'))
  const { stdout } = await place.run(['census', 'evil.log', '--html', 'c.html'])
  expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
  expect(readFileSync(join(place.path, 'c.html'), 'utf8')).toContain('&lt;script&gt;')
})

test('a client, a name and an event for each request do not fill the memory, and no request is lost', async () => {
  const lines = Array.from({ length: 30_000 }, (_, at) =>
    line(`10.0.${at >> 8}.${at & 255}`, 10, `/?Event=E${at}`, `Bot${at}/${at}`),
  )
  place.write('many.log', lines.join(''))
  const { status, stdout } = await place.run(['census', 'many.log', '--json', 'c.json'])
  expect(status).toBe(0)
  expect(stdout).toContain('10,000 requests are from other clients: the census lists 20,000 clients.')
  for (const shown of stdout.split('\n')) expect(shown.length).toBeLessThanOrEqual(100)
  const census: Census = JSON.parse(readFileSync(join(place.path, 'c.json'), 'utf8'))
  expect(census).toMatchObject({ requests: 30_000, requestsOfOthers: 10_000, maxClients: 20_000 })
  expect(census.clients).toHaveLength(20_000)
  expect(census.families).toHaveLength(21_001)
  expect(census.families[0]).toMatchObject({ family: '(other names)', requests: 9_000, clients: 0 })
  expect(census.asked).toHaveLength(1_001)
  for (const rows of [census.families, census.asked])
    expect(rows.reduce((sum, row) => sum + row.requests, 0)).toBe(30_000)
})

test('a log that is not there is one line', async () => {
  expect(await place.run(['census', 'none.log'])).toEqual({
    status: 1,
    stdout: '',
    stderr: 'There is no file none.log. Check the path.\n',
  })
})

test('a report that could not be written is known before the log is read, and a log is never written over', async () => {
  place.write('access.log', log)
  for (const [file, exit, message] of [
    ['no/such/c.html', 1, /^Cannot write no\/such\/c\.html: ENOENT/],
    ['access.log', 2, /^The report would overwrite access\.log\. Choose another file\.\n$/],
  ] as const) {
    const { status, stdout, stderr } = await place.run(['census', 'access.log', '--html', file])
    expect({ status, stdout }).toEqual({ status: exit, stdout: '' })
    expect(stderr).toMatch(message)
  }
  expect(readFileSync(join(place.path, 'access.log'), 'utf8')).toBe(log)
})

test.for([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s counts what has come so far, from a pipe that is silent, too', async ([signal, code]) => {
  const child = startLookup(['census', '-'], { cwd: place.path })
  const ended = outcomeOf(child)
  // Until it has been heard to count. Then it gets no more, and no end.
  const writing = setInterval(() => child.stdin.write(log), 100)
  await once(child.stderr, 'data')
  clearInterval(writing)
  child.kill(signal)
  const { status, stdout } = await ended
  expect(status).toBe(code)
  expect(stdout).toMatch(/^\d+ legacy requests in \d+ lines, from 4 clients\.\n/)
  expect(stdout).toContain('Interrupted: only part of the log was counted.')
})

test('a log without a legacy request proves nothing, and its page says so', async () => {
  place.write('access.log', line('203.0.113.1', 10, '/favicon.ico', 'Client/1.0'))
  expect((await place.run(['census', 'access.log', '--html', 'c.html'])).status).toBe(0)
  const page = readFileSync(join(place.path, 'c.html'), 'utf8')
  expect(page).toContain('<strong>Nothing found.</strong> The logs have no legacy request.')
  expect(page).not.toContain('class="verdict good"')
})

test('one is one', async () => {
  place.write('access.log', '/?Event=AppLookup&Apps=1\n')
  const { stdout } = await place.run(['census', 'access.log'])
  expect(stdout).toMatch(/^1 legacy request in 1 line, from 1 client\.\n/)
})

test('lookups by POST, on other paths, and lines that were not counted are in all reports', async () => {
  const line = (method: string, target: string) =>
    `{"request_method":"${method}","request_uri":"${target}","remote_addr":"203.0.113.9"}`
  place.write(
    'a.json',
    [
      line('POST', '/?event=AppLookup&Apps=1'),
      line('GET', '/old.php?Event=AppLookup&Apps=1'),
      'from 203.0.113.9: <b>\n',
    ].join('\n'),
  )
  const { status, stdout } = await place.run(['census', 'a.json', '--json', 'c.json', '--html', 'c.html'])
  expect(status).toBe(0)
  expect(stdout).toContain(
    "Lookups on other paths are not counted: /old.php (1). To count them, add --path '/,/old.php'.",
  )
  expect(stdout).toContain('1 lookup was sent by POST. The gateway refuses them.')
  expect(stdout).toMatch(/^ +1 {2}not in this format {2}from \(address\): <b>$/m)
  const report: Census = JSON.parse(readFileSync(join(place.path, 'c.json'), 'utf8'))
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
  const page = readFileSync(join(place.path, 'c.html'), 'utf8')
  for (const text of [
    'from (address): &lt;b&gt;',
    '/old.php (1)',
    'not in this format',
    '1 lookup was sent by POST',
  ])
    expect(page).toContain(text)
})

test.for([
  ['$remote_addr', 'The request is missing. Add $request or $request_uri.'],
  ['%h %t "%r"', 'It has Apache directives.'],
  ['GET /', 'It has no variable such as $request.'],
  ['$remote_addr$request', 'Put a separator between $remote_addr and $request.'],
  ['$request $status', '$request may contain spaces, and a space follows it.'],
  ['$time_local "$request"', 'such as "$time_local", or write $date $zone.'],
  ['"$request" $colour', 'There is no variable $colour. Use $_ for text to skip.'],
  ['$ "$request"', 'A name must follow each $'],
  ['$request_uri $uri', '$uri repeats what an earlier variable says.'],
  ['"$request"\n', 'It must be one line'],
])('--format %s is refused with what is wrong', async ([format = '', message]) => {
  const { status, stdout, stderr } = await place.run(['census', 'a.log', '--format', format])
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toContain(message)
})

test.for(['', 'lookup.php', '/?Event=', 'https://old.example/'])(
  '--path %o is refused: no request could be on it',
  async (path) => {
    const { status, stdout, stderr } = await place.run(['census', 'a.log', '--path', path])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain('It must be paths such as /lookup.php, without a query.')
  },
)

test('a log that is named twice would count twice: it is refused', async () => {
  place.write('access.log', log)
  symlinkSync('access.log', join(place.path, 'current.log'))
  const twice = await place.run(['census', 'access.log', './access.log'])
  expect(twice).toMatchObject({
    status: 1,
    stderr: 'access.log and ./access.log are the same file. Give it once.\n',
  })
  const linked = await place.run(['census', 'current.log', 'access.log'])
  expect(linked.stderr).toBe('current.log and access.log are the same file. Give it once.\n')
  expect((await place.run(['census', '-', '-'], {}, log)).stderr).toBe('- is given twice. Give it once.\n')
})

test('a time that cannot be read is said: no day has those requests', async () => {
  const row = (time: string) => `${time};203.0.113.9;/?Event=AppLookup&Apps=1\n`
  place.write(
    'own.log',
    row('22/11/2026 13:55:36') + row('22/Nov/2026 13:55:36') + row('yesterday') + row('22/Nov/2099 13:55:36'),
  )
  const { stdout, status } = await place.run([
    'census',
    'own.log',
    '--format',
    '$time;$remote_addr;$request_uri',
  ])
  expect(status).toBe(0)
  expect(stdout).toContain(
    '3 requests have no readable time, or a time in the future. They count in no day, nor in first seen and last seen.',
  )
  expect(stdout).toMatch(/^2026-11-22 +1 +1 /m)
})

test('a path that only the operator knows, in a format that only the operator knows', async () => {
  place.write(
    'own.log',
    '22/Nov/2026:13:55:36 +0100;203.0.113.9;/old.php;event=AppLookup&Apps=1;Desktop/1.0\n',
  )
  const args = ['--format', '$time_local;$remote_addr;$uri;$args;$http_user_agent', '--path', '/,/old.php']
  const { status, stdout, stderr } = await place.run(['census', 'own.log', ...args])
  expect({ status, stderr }).toEqual({ status: 0, stderr: 'Reading own.log as described by --format.\n' })
  expect(stdout).toMatch(/^Desktop +1 +1 +100\.00 % +2026-11-22 +2026-11-22/m)
})
