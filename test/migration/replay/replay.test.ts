// `lookup replay` between real services: what is the same, what differs and why, and what Ctrl-C leaves.

import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { ReplayReport } from '../../../src/migration/replay/report.ts'
import { openBrowser } from '../../gateway/pages/browser.ts'
import { startAnswering } from '../../kit/answering.ts'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { hasProgram } from '../../kit/programs.ts'
import { outcomeOf, startLookup } from '../../kit/run-lookup.ts'
import { makeWorkplace, type Workplace } from '../../kit/workplace.ts'
import { type OldService, startOldService } from '../../old-service/start.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

const quick = ['--rate', '1000', '--connections', '8']
const stateFile = 'lookup-replay.state'

/** What a replay asks each of the two, before it reads its log. */
const look = '/?Event=ProfileLookup&Users=1'
const reportIn = (name: string): ReplayReport => JSON.parse(readFileSync(join(place.path, name), 'utf8'))
const logLine = (target: string, agent = 'Client/1.0') =>
  `203.0.113.9 - - [22/Nov/2026:13:55:36 +0100] "GET ${target} HTTP/1.1" 200 312 "-" "${agent}"\n`

/** Services that answer by the target. */
async function startPair(old: (target: string) => string, fresh: (target: string) => string) {
  const services = await Promise.all(
    [old, fresh].map((answer) => startAnswering(({ url = '' }, response) => void response.end(answer(url)))),
  )
  onTestFinished(() => {
    for (const { close } of services) close()
  })
  const [one, other] = services
  if (one === undefined || other === undefined) throw new Error('two were started')
  return { old: one, fresh: other, to: ['--old', one.url, '--new', other.url] }
}

describe.skipIf(!hasProgram('php'))('an old service in PHP and a gateway', () => {
  let old: OldService
  let gateway: Gateway
  beforeEach(async () => {
    old = await startOldService({ unknown: 'null', xmlDeclaration: false })
    gateway = await startGateway({ LEGACY_SERVICE_NAME: 'Acme' })
  })
  afterEach(async () => {
    await old.close()
    await gateway.close()
  })

  test('each cause of a difference is one group, with its share and an example', async () => {
    const profile = '/?Event=ProfileLookup&Users'
    place.write(
      'access.log',
      [
        ...Array(60).fill(`${profile}=1`),
        ...Array(20).fill(`${profile}=1:99`),
        ...Array(10).fill(`${profile}=98`),
        ...Array(5).fill(`${profile}=2&Format=XML`),
        ...Array(5).fill('/?Event=AppLookup&Apps=1'),
      ]
        .map((target) => logLine(target))
        .concat(logLine('/favicon.ico'), logLine('/?page=2'), 'what is this\n', '\n')
        .join(''),
    )
    const args = ['--old', old.url, '--new', gateway.url, ...quick, '--json', 'r.json', '--html', 'r.html']
    const { status, stdout, stderr } = await place.run(['replay', 'access.log', ...args])
    expect(status).toBe(1)
    const report = reportIn('r.json')
    expect(report).toMatchObject({
      complete: true,
      proven: false,
      lines: { legacy: 100, 'other path': 1, 'no lookup': 1, unreadable: 1, 'other method': 0 },
      total: { requests: 5, hits: 100 },
      tallies: {
        bytes: { requests: 1, hits: 60 },
        meaning: { requests: 0, hits: 0 },
        different: { requests: 4, hits: 40 },
        failed: { requests: 0 },
        left: { requests: 0 },
      },
    })
    const shown = report.groups.map(({ event, method, format, field, kind, requests, share }) =>
      [event, method, format, field, kind, requests, share].join(' '),
    )
    expect(shown.slice(0, 1)).toEqual(['ProfileLookup id JSON entry missing 2 0.3'])
    expect(shown.slice(1).toSorted()).toEqual([
      'AppLookup  JSON AcmeDownloadLink extra 1 0.05',
      'AppLookup  JSON ServiceDownloadLink missing 1 0.05',
      'ProfileLookup id XML answer root 1 0.05',
    ])
    // The example is of the request that is asked for most.
    expect(report.groups[0]).toMatchObject({
      query: 'Event=ProfileLookup&Users=1:99',
      old: '99: null',
      new: '',
    })
    expect(stdout).toContain('  old: 99: null\n  new: \n')
    expect(stdout).toContain(`run "lookup probe ${old.url} --write .env"`)
    expect(readFileSync(join(place.path, 'r.html'), 'utf8')).toContain(`lookup probe ${old.url} --write .env`)
    expect(stdout).toContain(
      '30.00 % of the traffic, 2 requests: ProfileLookup id JSON entry – missing in the new response',
    )
    expect(stdout).toContain(
      'The responses to 4 of 5 distinct requests differ in meaning: 40.00 % of the traffic.',
    )
    expect(stderr).toMatch(
      /^Reading access\.log as common or combined format\.\nSending 5 distinct requests to both services, .*: 1000 per second, 8 at a time, timeout 10 s\.\n$/,
    )
    expect(existsSync(join(place.path, stateFile))).toBe(false)
  })

  test('compressed logs, several of them, and one on standard input', async () => {
    place.write('1.gz', gzipSync(logLine('/?Event=ProfileLookup&Users=1')))
    const args = ['replay', '1.gz', '-', '--old', old.url, '--new', gateway.url, ...quick, '--json', 'r.json']
    const { status } = await place.run(
      args,
      {},
      '/?Event=ProfileLookup&Users=1\n/?Event=ProfileLookup&Users=3\n',
    )
    expect(status).toBe(0)
    expect(reportIn('r.json')).toMatchObject({ proven: true, total: { requests: 2, hits: 3 } })
  })
})

test.each([
  ['of the request that is asked for most', ['b', 'a', 'b'], 'b'],
  ['of the first by its text, where all are asked for equally often', ['b', 'a'], 'a'],
])('the example is %s, though its answer comes last', async (_, asked, expected) => {
  const isExpected = ({ url }: IncomingMessage) => url?.endsWith(`=${expected}`) === true
  let expectedMayEnd = () => {}
  const old = await startAnswering((request, response) => {
    const end = () => void response.end('{"1":{"Rank":1}}')
    if (isExpected(request)) expectedMayEnd = end
    else end()
    // Its differences are counted before the connection is closed.
    if (!isExpected(request)) response.on('close', () => setTimeout(() => expectedMayEnd(), 200))
  })
  onTestFinished(old.close)
  const fresh = await startAnswering((_, response) => void response.end('{"1":{"Rank":2}}'))
  onTestFinished(fresh.close)
  place.write('access.log', asked.map((users) => logLine(`/?Event=ProfileLookup&Users=${users}`)).join(''))
  const args = ['--old', old.url, '--new', fresh.url, ...quick, '--json', 'r.json']
  await place.run(['replay', 'access.log', ...args])
  expect(reportIn('r.json').groups).toMatchObject([
    { requests: 2, query: `Event=ProfileLookup&Users=${expected}` },
  ])
})

test('queries go byte for byte as the clients sent them', async () => {
  const { old, fresh, to } = await startPair(
    () => '{}',
    () => '{}',
  )
  const targets = [`/?Event=a&Users='"<>{}|\\^\`[]%zz%00%C3%A9;?/#x`, '/?Event=%41&b=+%20']
  place.write('access.log', Buffer.from(targets.join('\n'), 'latin1'))
  expect((await place.run(['replay', 'access.log', ...to, ...quick])).status).toBe(0)
  expect(old.asked.toSorted()).toEqual([look, ...targets].toSorted())
  expect(fresh.asked.toSorted()).toEqual([look, ...targets].toSorted())
})

test('where the old service is, is said apart from where it was', async () => {
  const { old, fresh } = await startPair(
    () => '{}',
    () => '{}',
  )
  place.write('access.log', '/lookup.php?Event=a\n/?Event=b\n')
  const to = ['--old', `${old.url}old/`, '--new', fresh.url, '--path', '/lookup.php']
  expect((await place.run(['replay', 'access.log', ...to, ...quick])).status).toBe(0)
  expect(old.asked).toEqual([`/old${look}`, '/old/?Event=a'])
  expect(fresh.asked).toEqual([look, '/?Event=a'])
})

describe('before the log is read, both services are asked', () => {
  const empty = () => '{}'
  const refusing = async (status: number, headers: Record<string, string> = {}) => {
    const service = await startAnswering((_, response) => void response.writeHead(status, headers).end('{}'))
    onTestFinished(service.close)
    return service.url
  }
  /** A log that does not end: nothing of it is waited for. */
  async function replay(old: string, fresh: string) {
    const child = startLookup(['replay', '-', '--old', old, '--new', fresh], { cwd: place.path })
    const { status, stdout, stderr } = await outcomeOf(child)
    expect({ status, stdout, left: existsSync(join(place.path, stateFile)) }).toEqual({
      status: 1,
      stdout: '',
      left: false,
    })
    return stderr
  }

  test('one that cannot be reached is named', async () => {
    const { old, fresh } = await startPair(empty, empty)
    fresh.close()
    expect(await replay(old.url, fresh.url)).toMatch(
      /^Replay failed: the new service: it cannot be reached: .*ECONNREFUSED.*\. Nothing was compared\.\n$/,
    )
    expect(await replay(fresh.url, fresh.url)).toMatch(
      /the old service: it cannot.*the new service: it cannot/,
    )
  })

  test('one that wants a login is named: two that refuse every client would seem alike', async () => {
    const closed = await refusing(401, { 'WWW-Authenticate': 'Basic realm="a"' })
    expect(await replay(closed, closed)).toContain(
      'the old service: it requires a login: add it to the address, https://USER:PASSWORD@…;',
    )
  })

  test('one that redirects is named, with the address to use', async () => {
    const moved = await refusing(301, { Location: 'https://new.example/lookup' })
    expect(await replay(moved, moved)).toContain('redirects to https://new.example/lookup: use that address')
  })

  test.each([[401], [403], [404], [503]])('status %i is an answer', async (status) => {
    const service = await refusing(status)
    place.write('access.log', '/nothing\n')
    const { stdout } = await place.run(['replay', 'access.log', '--old', service, '--new', service])
    expect(stdout).toContain('Nothing to compare')
  })
})

test('what failed is tried again, and then said', async () => {
  const failures = new Map([
    ['/?Event=once', 1],
    ['/?Event=ever', 99],
  ])
  const { old } = await startPair(
    () => '{}',
    () => '{}',
  )
  const shaky = await startAnswering(({ url = '' }, response) => {
    const left = failures.get(url) ?? 0
    failures.set(url, left - 1)
    if (left > 0) response.writeHead(503)
    response.end('{}')
  })
  onTestFinished(shaky.close)
  place.write('access.log', '/?Event=once\n/?Event=ever\n/?Event=never\n')
  const args = ['replay', 'access.log', '--old', old.url, '--new', shaky.url, ...quick, '--json', 'r.json']
  const { status, stdout, stderr } = await place.run(args)
  expect(status).toBe(1)
  expect(stdout).toContain('1 not compared: the new service: status 503')
  expect(reportIn('r.json')).toMatchObject({
    complete: false,
    proven: false,
    tallies: { bytes: { requests: 2 }, failed: { requests: 1 } },
  })
  expect(stderr).toContain(`Progress is in ${stateFile}`)

  // The same command asks for what failed, and for nothing else.
  failures.clear()
  const before = old.asked.length
  expect((await place.run(args)).status).toBe(0)
  expect(old.asked.slice(before)).toEqual(['/?Event=ever'])
  expect(reportIn('r.json').proven).toBe(true)
}, 40_000)

test('an outage is no refusal, whatever its status', async () => {
  const old = await startAnswering((_, response) => void response.end('{"error":"No such event"}'))
  const fresh = await startAnswering(
    (_, response) =>
      void response.writeHead(200, { 'Retry-After': '1' }).end('{"Error":{"Code":"Unavailable"}}'),
  )
  onTestFinished(old.close)
  onTestFinished(fresh.close)
  place.write('access.log', '/?Event=a\n')
  const { status, stdout } = await place.run([
    'replay',
    'access.log',
    '--old',
    old.url,
    '--new',
    fresh.url,
    ...quick,
  ])
  expect(status).toBe(1)
  expect(stdout).toContain('1 not compared: the new service: status 200')
}, 20_000)

test('a service in trouble is left in peace', async () => {
  const { to, fresh } = await startPair(
    () => '{}',
    () => {
      // It answers the look, and then it ends.
      setImmediate(() => fresh.close())
      return '{}'
    },
  )
  place.write('access.log', Array.from({ length: 500 }, (_, at) => `/?Event=a&Users=${at}\n`).join(''))
  const { status, stderr } = await place.run([
    'replay',
    'access.log',
    ...to,
    '--rate',
    '1000',
    '--connections',
    '20',
  ])
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /Stopped: too many requests in a row failed \(the new service: it cannot be reached: .*ECONNREFUSED/,
  )
}, 40_000)

test('Ctrl-C leaves a partial report, and a state to go on from', async () => {
  const { old, to } = await startPair(
    () => '{}',
    (target) => (target.endsWith('=3') ? '{"1":null}' : '{}'),
  )
  // The third is asked for most, and so it is sent first.
  const targets = Array.from({ length: 200 }, (_, at) => `/?Event=a&Users=${at}\n`)
  place.write('access.log', [...targets, '/?Event=a&Users=3\n'].join(''))
  const args = ['replay', 'access.log', ...to, '--rate', '50', '--json', 'r.json', '--html', 'r.html']
  const child = startLookup(args, { cwd: place.path })
  const ended = outcomeOf(child)
  await expect.poll(() => old.asked.length).toBeGreaterThan(20)
  child.kill('SIGINT')
  const { status, stdout, stderr } = await ended
  expect(status).toBe(130)
  expect(stdout).toContain('This is a partial report')
  expect(stderr).toContain(`Interrupted. Progress is in ${stateFile}. To resume, run the same command again.`)
  const partial = reportIn('r.json')
  expect(partial).toMatchObject({ complete: false, proven: false, groups: [{ hits: 2, requests: 1 }] })
  expect(partial.tallies.bytes.requests).toBeGreaterThan(10)
  expect(partial.tallies.left.requests).toBeGreaterThan(50)

  // Another log in its place is another replay.
  place.write('other.log', '/?Event=a\n')
  const other = await place.run(['replay', 'other.log', ...to])
  expect(other).toEqual({
    status: 1,
    stdout: '',
    stderr: `${stateFile} belongs to another replay, or the log has been replaced. Delete it, or name another file with --state.\n`,
  })

  const rest = await place.run(args.with(args.indexOf('50'), '1000'))
  expect(rest.status).toBe(1)
  expect(rest.stderr).toMatch(
    /^Resuming from lookup-replay\.state, started 20.*\. The log is not read again\.\n/,
  )
  expect(reportIn('r.json')).toMatchObject({
    complete: true,
    total: { requests: 200, hits: 201 },
    tallies: { bytes: { requests: 199 }, different: { requests: 1 } },
  })
  // What was on its way is asked for again, and nothing else.
  expect(old.asked.length).toBeLessThan(200 + 10)
  expect(new Set(old.asked).size).toBe(1 + 200)
}, 30_000)

test('--limit sends those that are asked for most', async () => {
  const { old, to } = await startPair(
    () => '{}',
    () => '{}',
  )
  place.write('access.log', '/?Event=a\n/?Event=b\n/?Event=b\n/?Event=c\n')
  const { status, stdout } = await place.run(['replay', 'access.log', ...to, ...quick, '--limit', '1'])
  expect({ status, asked: old.asked }).toEqual({ status: 0, asked: [look, '/?Event=b'] })
  expect(stdout).toMatch(/not sent yet +2 +50\.00 %/)
  expect(stdout).toContain('This is a partial report')
})

test.skipIf(!hasProgram('chromium'))(
  'the page opens offline, and shows what is hostile as it is',
  async () => {
    const hostile = `"><script>document.title='taken'</script><img src=x onerror="document.title='taken'">`
    const { to } = await startPair(
      () => JSON.stringify({ [hostile]: { [hostile]: `${hostile}\u202e\u001b[31m` } }),
      () => '{}',
    )
    const query = `Event=${encodeURIComponent(hostile)}&Users=${hostile.replaceAll('"', '%22').replaceAll(' ', '%20')}`
    place.write('access.log', `/?${query}\n`)
    const { status, stdout } = await place.run(['replay', 'access.log', ...to, ...quick, '--html', 'r.html'])
    expect(status).toBe(1)
    // Nothing that a terminal would obey.
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)

    const browser = await openBrowser()
    onTestFinished(() => browser.close())
    const page = await browser.newPage({ offline: true })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`file://${join(place.path, 'r.html')}`)
    expect(await page.title()).toBe('Replay of legacy requests')
    expect(await page.locator('body').innerText()).toContain(`<script>document.title='taken'</script>`)
    expect(await page.locator('script, img, iframe, link, a').count()).toBe(0)
    expect(asked).toHaveLength(1)
  },
)

test('what one of them always fails at does not keep the rest from being compared', async () => {
  const services = await Promise.all(
    [true, false].map((fails) =>
      startAnswering(({ url = '' }, response) => {
        if (fails && url.includes('Crash')) response.writeHead(500)
        response.end('{}')
      }),
    ),
  )
  onTestFinished(() => {
    for (const { close } of services) close()
  })
  const lines = [...Array(45).keys()].flatMap((at) => [
    `/?Event=Crash&Users=${at}\n`.repeat(2),
    `/?Event=Fine&Users=${at}\n`,
  ])
  place.write('access.log', ['/?Event=Fine&Users=x\n'.repeat(9), ...lines].join(''))
  const [old, fresh] = services
  const args = [
    'replay',
    'access.log',
    '--old',
    old?.url ?? '',
    '--new',
    fresh?.url ?? '',
    '--rate',
    '1000',
    '--connections',
    '45',
  ]
  const { status, stdout } = await place.run(args)
  expect(status).toBe(1)
  expect(stdout).toMatch(/same bytes +46 /)
  expect(stdout).toContain('45 not compared: the old service: status 500')
}, 40_000)

test('another log under the same name is another replay, and one that has grown is not', async () => {
  const { to } = await startPair(
    () => '{}',
    () => '{}',
  )
  const args = ['replay', 'access.log', ...to, ...quick, '--limit', '1']
  place.write('access.log', '/?Event=a\n/?Event=b\n')
  expect((await place.run(args)).status).toBe(0)
  place.write('access.log', '/?Event=a\n/?Event=b\n/?Event=c\n')
  expect((await place.run(args)).stderr).toMatch(/^Resuming from/)
  place.write('access.log', '/?Event=a\n/?Event=b\n')
  expect((await place.run([...args.slice(0, -1), '1'])).status).toBe(0)
  place.write('access.log', '/?Event=c\n/?Event=b\n')
  const { status, stderr } = await place.run(args)
  expect(status).toBe(1)
  expect(stderr).toContain('belongs to another replay, or the log has been replaced.')
})

test('a database of another program is never a state', async () => {
  const { to, old } = await startPair(
    () => '{}',
    () => '{}',
  )
  await place.run(['migrate', '--database', 'sqlite:mine.db'])
  const before = readFileSync(join(place.path, 'mine.db'))
  place.write('access.log', '/?Event=a\n')
  const { status, stderr } = await place.run(['replay', 'access.log', ...to, '--state', 'mine.db'])
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'mine.db is not a state file of this program. Name another file with --state.\n',
  })
  expect(readFileSync(join(place.path, 'mine.db'))).toEqual(before)
  expect(old.asked).toEqual([])
})

test('a client that makes up events fills no report', async () => {
  const { to } = await startPair(
    () => '{"1":null}',
    () => '{}',
  )
  const lines = Array.from({ length: 700 }, (_, at) => `/?Event=Scan${at}&x=${'y'.repeat(2_000)}\n`)
  place.write('access.log', lines.join(''))
  const { status } = await place.run(['replay', 'access.log', ...to, ...quick, '--json', 'r.json'])
  expect(status).toBe(1)
  const { groups } = reportIn('r.json')
  expect(groups).toHaveLength(501)
  expect(groups[0]).toMatchObject({ event: 'others', requests: 200 })
  expect(Math.max(...groups.map(({ query }) => query.length))).toBe(1_000)
}, 30_000)

test('the exit status is the same where the report is not read', async () => {
  const { to } = await startPair(
    () => '{"1":null}',
    () => '{}',
  )
  place.write('access.log', '/?Event=a\n')
  const child = startLookup(['replay', 'access.log', ...to, ...quick], { cwd: place.path })
  child.stdout.destroy()
  child.stdin.end()
  const [status] = await once(child, 'exit')
  expect(status).toBe(1)
})

describe('a mistake is one line', () => {
  test.each<[readonly string[], number, RegExp]>([
    [
      ['none.log', '--old', 'http://a.example', '--new', 'http://b.example'],
      1,
      /^There is no file none\.log\. Check the path\.\n$/,
    ],
    [
      ['folder.csv', '--old', 'http://a.example', '--new', 'http://b.example'],
      1,
      /^folder\.csv is a folder\. Name a file in it\.\n$/,
    ],
    [['x.log', '--old', 'http://a.example'], 2, /required option '--new <url>' not specified/],
    [
      ['x.log', '--old', 'a', '--new', 'http://b.example'],
      2,
      /option '--old <url>' argument '\*\*\*' is invalid/,
    ],
    [
      ['x.log', '--old', 'http://a.example', '--new', 'http://b.example', '--rate', '0'],
      2,
      /argument '0' is invalid\. It must be a number above 0, up to 1000/,
    ],
    [
      ['x.log', '--old', 'http://a.example', '--new', 'http://b.example', '--state', 'x.log'],
      1,
      /^x\.log is not a readable state file\. Delete it, or name another file with --state\.\n$/,
    ],
    [
      ['x.log', '--old', 'http://a.example', '--new', 'http://b.example', '--state', 'no/where'],
      1,
      /^Cannot use the state file no\/where: unable to open database file\.\n$/,
    ],
  ])('%j', async (args, exit, message) => {
    place.write('x.log', 'GET /?Event=a\n')
    const { status, stdout, stderr } = await place.run(['replay', ...args])
    expect({ status, stdout }).toEqual({ status: exit, stdout: '' })
    expect(stderr).toMatch(message)
  })

  test('a log without a lookup is nothing to compare', async () => {
    place.write('x.log', '/nothing\n')
    const { to } = await startPair(
      () => '{}',
      () => '{}',
    )
    const { status, stdout } = await place.run(['replay', 'x.log', ...to])
    expect(status).toBe(1)
    expect(stdout).toContain('Nothing to compare: the log has no legacy request. Check --path.')
  })

  test('of a file that is no log, nothing is sent, and no state is left', async () => {
    place.write('x.log', 'nothing\n')
    place.write('y.log', '/?Event=a\n')
    const { to, old } = await startPair(
      () => '{}',
      () => '{}',
    )
    const { status, stdout, stderr } = await place.run(['replay', 'y.log', 'x.log', ...to])
    expect({ status, stdout, asked: old.asked }).toEqual({ status: 1, stdout: '', asked: [look] })
    expect(stderr).toContain(
      'Nothing was sent. x.log has no line of a known format. Describe its lines with --format.\n',
    )
    expect(existsSync(join(place.path, stateFile))).toBe(false)
  })
})
