// `lookup replay` between two services: what is the same, what differs and why.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect } from 'vitest'
import { test } from '../../kit/test.ts'
import {
  firstRequest,
  logOf,
  pageOf,
  type Respond,
  replayIn,
  reportOf,
  startBoth,
  startEmpty,
  startPair,
  startService,
  stateFile,
  to,
} from './support.ts'

const entry = '{"1":null}'

describe('between an old service and a gateway', () => {
  const line = (target: string) =>
    `203.0.113.9 - - [22/Nov/2026:13:55:36 +0100] "GET ${target} HTTP/1.1" 200 312 "-" "Client/1.0"\n`

  test('each cause of a difference is one group, with its share and an example', async ({ place }) => {
    const both = await startBoth({ unknown: 'null' }, { serviceName: 'Acme' })
    const profile = '/?Event=ProfileLookup&Users'
    const log = [
      line(`${profile}=1`).repeat(60),
      line(`${profile}=1:99`).repeat(20),
      line(`${profile}=98`).repeat(10),
      line(`${profile}=2&Format=XML`).repeat(5),
      line('/?Event=AppLookup&Apps=1').repeat(5),
      ...[line('/favicon.ico'), line('/?page=2'), 'what is this\n', '\n'],
    ]
    const { status, stdout, stderr } = await replayIn(place, both)(log.join(''))
    expect(status).toBe(1)
    const report = reportOf(place)
    expect(report).toMatchObject({
      ...{ complete: true, proven: false, total: { requests: 5, hits: 100 } },
      log: { notCounted: ['other path', 'no lookup', 'unreadable'].map((reason) => ({ reason, lines: 1 })) },
      tallies: {
        ...{ bytes: { requests: 1, hits: 60 }, meaning: { requests: 0, hits: 0 } },
        ...{ different: { requests: 4, hits: 40 }, failed: { requests: 0 }, left: { requests: 0 } },
      },
    })
    const groups = report.groups.map(({ event, method, format, field, kind, requests, share }) =>
      [event, method, format, field, kind, requests, share].join(' '),
    )
    expect(groups[0]).toBe('ProfileLookup id JSON entry missing 2 0.3')
    expect(groups.slice(1).toSorted()).toEqual([
      'AppLookup  JSON AcmeDownloadLink extra 1 0.05',
      'AppLookup  JSON ServiceDownloadLink missing 1 0.05',
      'ProfileLookup id XML answer root 1 0.05',
    ])
    // The example is the most frequent request.
    expect(report.groups[0]).toMatchObject({
      query: 'Event=ProfileLookup&Users=1:99',
      old: '99: null',
      new: '',
    })
    expect(stdout).toContain('  old: 99: null\n  new: \n')
    expect(stdout).toContain('30.00 % of the traffic, 2 requests: ProfileLookup id JSON entry')
    expect(stdout).toContain('4 of 5 distinct requests differ in meaning: 40.00 % of the traffic.')
    for (const shown of [stdout, pageOf(place)])
      expect(shown).toContain(`lookup probe ${both.old.url} --write old.json`)
    expect(stderr).toContain('Reading access.log as common or combined format.\nSending 5 distinct requests')
    expect(existsSync(join(place.path, stateFile))).toBe(false)
  })
})

describe('requests', () => {
  test('have the bytes that clients sent', async ({ place }) => {
    const pair = await startEmpty()
    const targets = [`/?Event=a&Users='"<>{}|\\^\`[]%zz%00%C3%A9;?/#x`, '/?Event=%41&b=+%20']
    expect((await replayIn(place, pair)(targets.join('\n'))).status).toBe(0)
    for (const { asked } of [pair.old, pair.fresh])
      expect(asked.toSorted()).toEqual([firstRequest, ...targets].toSorted())
  })

  test('go to the path of the address, which may differ from the path in the log', async ({ place }) => {
    const { old, fresh } = await startEmpty()
    const replay = replayIn(place, { old: { url: `${old.url}old/` }, fresh })
    const { status } = await replay('/lookup.php?Event=a\n/?Event=b\n', ['--path', '/lookup.php'])
    expect(status).toBe(0)
    expect(old.asked).toEqual([`/old${firstRequest}`, '/old/?Event=a'])
    expect(fresh.asked).toEqual([firstRequest, '/?Event=a'])
  })
})

describe('before the log is read, both services get a request', () => {
  test.for<[string, readonly [number, Record<string, string>], string]>([
    [
      'wants a login',
      [401, { 'WWW-Authenticate': 'Basic realm="a"' }],
      'it requires a login: add it to the address',
    ],
    [
      'redirects',
      [301, { Location: 'https://new.example/' }],
      'redirects to https://new.example/: use that address',
    ],
  ])('a service that %s ends the replay', async ([, [status, headers], message], { place }) => {
    const service = await startService(() => [status, entry], headers)
    // A log without an end: the command does not wait for it.
    const { fresh } = await startEmpty()
    const outcome = await place.run(['replay', '-', ...to(service, fresh)], {}, new PassThrough())
    expect(outcome).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(message) })
    expect(existsSync(join(place.path, stateFile))).toBe(false)
  })

  test('a service that cannot be reached is named', async ({ place }) => {
    const { old, fresh } = await startEmpty()
    fresh.close()
    const replay = () => place.run(['replay', '-', ...to(old, fresh)], {}, new PassThrough())
    expect((await replay()).stderr).toMatch(
      /^Replay failed: the new service: it cannot be reached: .*ECONNREFUSED.*\. Nothing was compared\.\n$/,
    )
    old.close()
    expect((await replay()).stderr).toMatch(/the old service: it cannot.*the new service: it cannot/)
  })

  test('status 503 is a response; a log without lookups proves nothing', async ({ place }) => {
    const respond: Respond = () => [503, entry]
    const { status, stdout } = await replayIn(place, await startPair(respond, respond))('/nothing\n')
    expect(status).toBe(1)
    expect(stdout).toContain('Nothing to compare: the log has no legacy request. Check --path.')
  })
})

const error =
  (status: number, body: string): Respond =>
  () => [status, body]
const onceFailing =
  (status: number, respond: Respond): Respond =>
  (target, time) =>
    time === 1 ? [status, '-'] : respond(target, time)

describe('a service that fails', () => {
  test('gets a request three times; the same command tries it again', async ({ place }) => {
    let isDown = true
    const old = await startService(() => entry)
    const fresh = await startService((target, time) =>
      isDown && (target.endsWith('always') || (target.endsWith('once') && time === 1)) ? [503, entry] : entry,
    )
    const replay = () => replayIn(place, { old, fresh })('/?Event=once\n/?Event=always\n/?Event=never\n')
    const { status, stdout, stderr } = await replay()
    expect(status).toBe(1)
    expect(stdout).toContain('1 not compared: the new service: status 503')
    expect(reportOf(place)).toMatchObject({
      ...{ complete: false, proven: false },
      tallies: { bytes: { requests: 2 }, failed: { requests: 1 } },
    })
    expect(stderr).toContain(`Progress is in ${stateFile}`)
    expect(fresh.asked.filter((target) => target.endsWith('always'))).toHaveLength(3)
    isDown = false
    const before = old.asked.length
    expect((await replay()).status).toBe(0)
    expect(old.asked.slice(before)).toEqual(['/?Event=always'])
    expect(reportOf(place).proven).toBe(true)
  })

  test.for<[string, old: Respond, fresh: Respond, headers: Record<string, string>, alike: number]>([
    ['the same error', error(500, 'x'), error(500, 'x'), {}, 1],
    ['the same error after an outage of one', error(503, 'x'), onceFailing(502, error(503, 'x')), {}, 1],
    ['two statuses', error(500, 'x'), error(501, 'x'), {}, 0],
    ['two bodies', error(500, 'x'), error(500, 'y'), {}, 0],
    ['an error of one', error(500, 'x'), () => entry, {}, 0],
    ['two services that want patience', error(503, 'x'), error(503, 'x'), { 'Retry-After': '1' }, 0],
  ])('is compared if it has %s twice', async ([, old, fresh, headers, alike], { place }) => {
    const behind =
      (respond: Respond): Respond =>
      (target, time) =>
        target.includes('Odd') ? respond(target, time) : entry
    const pair = { old: await startService(behind(old), headers), fresh: await startService(behind(fresh)) }
    const { status } = await replayIn(place, pair)('/?Event=Odd\n/?Event=Even\n')
    // With Retry-After, no response counts.
    const bytes = alike + ('Retry-After' in headers ? 0 : 1)
    expect(reportOf(place).tallies).toMatchObject({
      ...{ bytes: { requests: bytes }, failed: { requests: 2 - bytes }, different: { requests: 0 } },
    })
    expect(status).toBe(1 - alike)
  })

  test('is never the proof: both may be down behind one proxy', async ({ place }) => {
    let isDown = false
    const respond: Respond = () => (isDown ? [502, '<h1>Bad Gateway</h1>'] : entry)
    const pair = await startPair((target, time) => {
      isDown ||= target.endsWith('=3')
      return respond(target, time)
    }, respond)
    const { status } = await replayIn(place, pair)(logOf(10, 'Event=a&Users='), ['--connections', '1'])
    expect(status).toBe(1)
    const { bytes, failed, left } = reportOf(place).tallies
    expect([bytes.requests, failed.requests + left.requests]).toEqual([3, 7])
  })

  test('at every request ends the replay', async ({ place }) => {
    const pair = await startPair(
      () => entry,
      () => {
        setImmediate(() => pair.fresh.close())
        return entry
      },
    )
    const { status, stderr } = await replayIn(place, pair)(logOf(500, 'Event=a&Users='))
    expect(status).toBe(1)
    expect(stderr).toContain(
      'Stopped: too many requests in a row failed (the new service: it cannot be reached',
    )
    expect(pair.old.asked.length).toBeLessThan(200)
  })

  test('at some requests does not end the replay', async ({ place }) => {
    const pair = await startPair(
      (target) => (target.includes('Crash') ? [500, entry] : entry),
      () => entry,
    )
    const log = '/?Event=Fine&Users=x\n'.repeat(9) + logOf(45, 'Event=Crash&Users=').repeat(2)
    const replay = await replayIn(place, pair)(log + logOf(45, 'Event=Fine&Users='), ['--connections', '45'])
    expect(replay.status).toBe(1)
    expect(replay.stdout).toMatch(/same bytes +[\d.]+ % +46 /)
    expect(replay.stdout).toContain('45 not compared: the old service: status 500')
  })
})

describe('the state file', () => {
  test('resumes after Ctrl-C; the report until then is partial', async ({ place }) => {
    const interruption = new AbortController()
    const pair = await startPair(
      () => {
        if (pair.old.asked.length === 30) interruption.abort('SIGINT')
        return entry
      },
      (target) => (target.endsWith('=3') ? '{}' : entry),
    )
    // The third is the most frequent one, and so the first that is sent.
    const log = `${logOf(200, 'Event=a&Users=')}/?Event=a&Users=3\n`
    const replay = replayIn(place, pair)
    const { status, stdout, stderr } = await replay(log, [], { signal: interruption.signal })
    expect(status).toBe(130)
    expect(stdout).toContain('This is a partial report')
    expect(stderr).toContain(
      `Interrupted. Progress is in ${stateFile}. To resume, run the same command again.`,
    )
    const partial = reportOf(place)
    expect(partial).toMatchObject({ complete: false, proven: false, groups: [{ hits: 2, requests: 1 }] })
    expect(partial.tallies.bytes.requests).toBeGreaterThan(10)
    expect(partial.tallies.left.requests).toBeGreaterThan(150)

    const rest = await replay(log)
    expect(rest.status).toBe(1)
    expect(rest.stderr).toMatch(
      /^Resuming from lookup-replay\.state, started .*\.\nReading access.log as request targets\.\nSending/,
    )
    expect(reportOf(place)).toMatchObject({
      ...{ complete: true, total: { requests: 200, hits: 201 } },
      tallies: { bytes: { requests: 199 }, different: { requests: 1 } },
    })
    // Only requests in flight are sent twice.
    expect(pair.old.asked.length).toBeLessThan(200 + 10)
    expect(new Set(pair.old.asked).size).toBe(1 + 200)
  })

  test('belongs to a log, whose new lines are compared when it has grown', async ({ place }) => {
    const pair = await startPair(
      () => '{"1":{"Rank":1}}',
      (target) => (target.endsWith('c') ? '{"1":{"Rank":2}}' : '{"1":{"Rank":1}}'),
    )
    const replay = replayIn(place, pair)
    const log = '/?Event=a\n/?Event=b\n'
    expect((await replay(log, ['--limit', '1'])).status).toBe(1)
    const grown = await replay(`${log}/?Event=a\n/?Event=c\n`)
    expect(grown.stderr).toMatch(/^Resuming from .*\nReading access\.log as request targets\./)
    expect(reportOf(place)).toMatchObject({
      ...{ complete: true, total: { requests: 3, hits: 4 } },
      tallies: { bytes: { requests: 2, hits: 3 }, different: { requests: 1, hits: 1 } },
    })
    // Each is sent once, and the first one of each run is not part of the log.
    expect(pair.old.asked).toEqual([firstRequest, '/?Event=a', '/?Event=b', '/?Event=c'])
  })

  test('of another log, or of one that was replaced, is refused', async ({ place }) => {
    const replay = replayIn(place, await startEmpty())
    await replay('/?Event=a\n/?Event=b\n', ['--limit', '1'])
    for (const other of ['/?Event=c\n/?Event=b\n', '/?Event=c\n/?Event=b\n/?Event=d\n', '/?Event=a\n'])
      expect(await replay(other)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('or the log has been replaced.'),
      })
    expect((await replay('/?Event=a\n/?Event=b\n')).status).toBe(0)
  })

  test('is never a database of another program', async ({ place }) => {
    const pair = await startEmpty()
    await place.run(['migrate', '--database', 'sqlite:mine.db'])
    const before = readFileSync(join(place.path, 'mine.db'))
    const { status, stderr } = await replayIn(place, pair)('/?Event=a\n', ['--state', 'mine.db'])
    expect(status).toBe(1)
    expect(stderr).toContain('mine.db is not a state file of this program.')
    expect(readFileSync(join(place.path, 'mine.db'))).toEqual(before)
    expect(pair.old.asked).toEqual([])
  })
})
