// `lookup replay` with --ignore, --tolerate and --learn, against a real old service that changes its answers.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { ReplayReport } from '../../../src/migration/replay/report.ts'
import { startAnswering } from '../../kit/answering.ts'
import { startGateway } from '../../kit/gateway.ts'
import { hasProgram } from '../../kit/programs.ts'
import { outcomeOf, startLookup } from '../../kit/run-lookup.ts'
import { makeWorkplace, type Workplace } from '../../kit/workplace.ts'
import { type Switches, startOldService } from '../../old-service/start.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

const quick = ['--rate', '1000', '--json', 'r.json', '--html', 'r.html']
const report = (): ReplayReport => JSON.parse(readFileSync(join(place.path, 'r.json'), 'utf8'))
const ignoredIn = ({ ignored }: ReplayReport) =>
  ignored.map(({ event, field, reason, requests }) => `${event} ${field} ${reason} ${requests}`).toSorted()

async function startBoth(switches: Switches) {
  const old = await startOldService({ xmlDeclaration: false, ...switches })
  onTestFinished(old.close)
  const gateway = await startGateway()
  onTestFinished(gateway.close)
  return ['--old', old.url, '--new', gateway.url]
}

const users = ['Users=1', 'Users=1:2', 'Users=3&Format=XML', 'Users=1:2:3&Format=XML']
const apps = ['Apps=1', 'Apps=2:3', 'Apps=1:2&Format=XML']
const profiles = users.map((list) => `/?Event=ProfileLookup&${list}\n`).join('')
const releases = apps.map((list) => `/?Event=AppLookup&${list}\n`).join('')

describe.skipIf(!hasProgram('php'))('an old service in PHP', () => {
  test('whose times of joining are now: ignored in JSON and XML, and said', async () => {
    const to = await startBoth({ changing: ['JoinDate'] })
    place.write('access.log', profiles + releases)
    const without = await place.run(['replay', 'access.log', ...to, ...quick])
    expect(without.status).toBe(1)
    expect(report()).toMatchObject({ noise: '', ignored: [], tallies: { different: { requests: 4 } } })
    expect(without.stdout).not.toContain('ignored')

    const { status, stdout } = await place.run([
      ...['replay', 'access.log', ...to, ...quick],
      ...['--ignore', 'ProfileLookup.JoinDate,Title', '--ignore', 'Rank'],
    ])
    expect(status).toBe(0)
    expect(report()).toMatchObject({
      proven: true,
      noise: '--ignore ProfileLookup.JoinDate,Rank,Title',
      tallies: { ignored: { requests: 4 }, different: { requests: 0 } },
    })
    expect(ignoredIn(report())).toEqual(['ProfileLookup JoinDate ignored 4'])
    expect(report().ignored[0]).toMatchObject({
      kind: 'value',
      share: 4 / 7,
      new: expect.stringMatching(/^1/),
    })
    expect(stdout).toMatch(/^same except for ignored differences +4 +57\.14 %$/m)
    expect(stdout).toMatch(/^ProfileLookup JoinDate {2}ignored +4 +57\.14 % {2}\d{10} +\d{10}$/m)
    expect(stdout).toContain(
      'The responses to all 7 distinct requests mean the same, except for ignored differences: JoinDate 4 times.\n',
    )
    const page = readFileSync(join(place.path, 'r.html'), 'utf8')
    expect(page).toContain('<h2>Ignored differences</h2>')
    expect(page).toContain('ignored (--ignore)')
  })

  test('whose ranks are near: tolerated as far as said, and no further', async () => {
    const to = await startBoth({ changing: ['Rank'] })
    place.write('access.log', profiles)
    const replay = (by: string) =>
      place.run(['replay', 'access.log', ...to, ...quick, '--tolerate', `Rank=±${by}`])
    const far = await replay('1000000000')
    expect(far.stdout).toContain('except for ignored differences: Rank 4 times (tolerated).')
    expect(far.status).toBe(0)
    const near = await replay('0.5')
    expect(near.status).toBe(1)
    expect(report()).toMatchObject({ ignored: [], tallies: { different: { requests: 4 } } })
  })

  test('that changes ranks, times and versions: learnt, and nothing else', async () => {
    const to = await startBoth({ changing: ['JoinDate', 'Rank', 'Version'], serviceName: 'Acme' })
    place.write('access.log', profiles + releases)
    const { status, stdout, stderr } = await place.run(['replay', 'access.log', ...to, ...quick, '--learn'])
    expect(stderr).toContain('are sent to the old service a second time.')
    expect(status).toBe(1)
    expect(ignoredIn(report())).toEqual(['ProfileLookup JoinDate learned 4', 'ProfileLookup Rank learned 4'])
    // The first time that it is asked for an app, the version is the gateway's.
    expect(stdout).toContain('Ignored: JoinDate ')
    expect(report()).toMatchObject({ noise: '--learn' })
    expect([...new Set(report().groups.map(({ field }) => field))].toSorted()).toEqual([
      'AcmeDownloadLink',
      'ServiceDownloadLink',
      'answer',
    ])
  })

  test('that flips a version: learnt where the second answer shows it', async () => {
    const to = await startBoth({ changing: ['Version'] })
    place.write('access.log', releases)
    // The first time, versions are those of the gateway, and nothing is asked again.
    expect((await place.run(['replay', 'access.log', ...to, ...quick, '--learn'])).status).toBe(0)
    expect(ignoredIn(report())).toEqual([])
    const { status, stdout } = await place.run(['replay', 'access.log', ...to, ...quick, '--learn'])
    expect(ignoredIn(report())).toEqual(['AppLookup Version learned 3'])
    expect(stdout).toContain('except for ignored differences: Version 3 times (learned).')
    expect(status).toBe(0)
  })

  test.each(['status', 'entries'] as const)(
    'that contradicts itself (%s): the new answer is to be one of the two',
    async (changing) => {
      const to = await startBoth({ changing: [changing] })
      place.write('access.log', releases)
      const replay = () => place.run(['replay', 'access.log', ...to, ...quick, '--learn'])
      expect((await replay()).status).toBe(0)
      // The first answers are the odd ones now.
      const { status, stdout } = await replay()
      expect(status).toBe(0)
      expect(report().ignored).toMatchObject([{ reason: 'learned', requests: 3 }])
      expect(report().tallies.ignored.requests).toBe(3)
      expect(stdout).toMatch(/, except for ignored differences: .* 3 times \(learned\)\.$/m)
    },
  )
})

/** Services that answer by the target, and how often it was asked for. */
async function startPair(old: (target: string, time: number) => string, fresh: (target: string) => string) {
  const times = new Map<string, number>()
  const one = await startAnswering(({ url = '' }, response) => {
    const time = (times.get(url) ?? 0) + 1
    times.set(url, time)
    response.end(old(url, time))
  })
  const other = await startAnswering(({ url = '' }, response) => void response.end(fresh(url)))
  onTestFinished(one.close)
  onTestFinished(other.close)
  return { old: one, fresh: other, to: ['--old', one.url, '--new', other.url] }
}

test('only what differs is asked again, once, a second later, while others are sent', async () => {
  const asked: number[] = []
  const { old, fresh, to } = await startPair(
    (target, time) => {
      if (target.includes('Users=d')) asked.push(performance.now())
      return target.includes('Users=d') ? `{"1":{"Rank":${time}}}` : '{}'
    },
    (target) => (target.includes('Users=d') ? '{"1":{"Rank":9}}' : '{}'),
  )
  const differing = Array.from({ length: 40 }, (_, at) => `/?Event=ProfileLookup&Users=d${at}\n`)
  const same = Array.from({ length: 20 }, (_, at) => `/?Event=ProfileLookup&Users=s${at}\n`)
  place.write('access.log', [...differing, ...same].join(''))
  const began = performance.now()
  const { status } = await place.run([
    'replay',
    'access.log',
    ...to,
    ...quick,
    '--connections',
    '1',
    '--learn',
  ])
  // One after the other would take 40 × 1.1 s.
  expect(performance.now() - began).toBeLessThan(15_000)
  expect({ status, old: old.asked.length, fresh: fresh.asked.length }).toEqual({
    status: 0,
    old: 1 + 100,
    fresh: 1 + 60,
  })
  const [first = 0] = asked
  expect((asked[40] ?? 0) - first).toBeGreaterThanOrEqual(1_000)
  expect(ignoredIn(report())).toEqual(['ProfileLookup Rank learned 40'])
})

test('Ctrl-C while the old service is to be asked again leaves a state to resume from', async () => {
  const { old, to } = await startPair(
    (_, time) => `{"1":{"Rank":${time}}}`,
    () => '{"1":{"Rank":99}}',
  )
  place.write('access.log', Array.from({ length: 30 }, (_, at) => `/?Event=a&Users=${at}\n`).join(''))
  const args = ['replay', 'access.log', ...to, ...quick, '--learn']
  const child = startLookup(args, { cwd: place.path })
  const ended = outcomeOf(child)
  await expect.poll(() => old.asked.length).toBeGreaterThan(5)
  child.kill('SIGINT')
  expect((await ended).status).toBe(130)
  const { different, ignored, left } = report().tallies
  expect([different.requests, ignored.requests + left.requests]).toEqual([0, 30])
  const { status, stderr } = await place.run(args)
  expect(stderr).toMatch(/^Resuming from/)
  expect(status).toBe(0)
  expect(ignoredIn(report())).toEqual(['a Rank learned 30'])
})

test('a difference that may be chance is said to be', async () => {
  const { to } = await startPair(
    (target, time) => `{"1":{"Rank":${target.endsWith('=2') ? 7 : time}}}`,
    () => '{"1":{"Rank":9}}',
  )
  place.write('access.log', '/?Event=ProfileLookup&Users=1\n/?Event=ProfileLookup&Users=2\n')
  const { status, stdout } = await place.run(['replay', 'access.log', ...to, ...quick, '--learn'])
  expect(status).toBe(1)
  expect(stdout).toContain('To ignore it, add --ignore Rank.')
  expect(stdout).toContain('Ignored: Rank once (learned).')
})

test('where the old service does not answer a second time, the request is not compared', async () => {
  let isDown = false
  const old = await startAnswering(({ url = '' }, response) => {
    if (isDown) response.writeHead(503)
    isDown = url.includes('=2')
    response.end('{"1":{"Rank":1}}')
  })
  const fresh = await startAnswering((_, response) => void response.end('{"1":{"Rank":9}}'))
  onTestFinished(old.close)
  onTestFinished(fresh.close)
  place.write('access.log', '/?Event=ProfileLookup&Users=2\n')
  const to = ['--old', old.url, '--new', fresh.url]
  const { status, stdout } = await place.run(['replay', 'access.log', ...to, ...quick, '--learn'])
  expect(status).toBe(1)
  expect(stdout).toContain('1 not compared: the old service: status 503')
}, 20_000)

test('a state belongs to what is ignored', async () => {
  const { to } = await startPair(
    () => '{"1":{"Rank":1}}',
    () => '{"1":{"Rank":2}}',
  )
  place.write('access.log', '/?Event=ProfileLookup&Users=1\n/?Event=ProfileLookup&Users=2\n')
  const args = ['replay', 'access.log', ...to, ...quick, '--limit', '1']
  const refused = (before: string) => ({
    status: 1,
    stdout: '',
    stderr: `lookup-replay.state belongs to a replay with ${before}. Use the same options to resume it, delete it, or name another file with --state.\n`,
  })
  await place.run(args)
  expect(await place.run([...args, '--ignore', 'Rank'])).toEqual(
    refused('none of --ignore, --tolerate and --learn'),
  )
  await place.run([...args, '--state', 'other.state', '--ignore', 'Rank,JoinDate'])
  // In another order, they are the same.
  const again = ['--state', 'other.state', '--ignore', 'JoinDate', '--ignore', 'Rank']
  expect((await place.run([...args, ...again])).status).toBe(0)
  expect(report()).toMatchObject({ proven: true, tallies: { ignored: { requests: 2 } } })
})

test('what clients and the old service make up fills no report', async () => {
  const { to } = await startPair(
    (_, time) => JSON.stringify({ 1: { [`a${'\u001b[31m'.repeat(20)}`]: time, Rank: time } }),
    () => JSON.stringify({ 1: { [`a${'\u001b[31m'.repeat(20)}`]: 0, Rank: 0 } }),
  )
  place.write('access.log', Array.from({ length: 600 }, (_, at) => `/?Event=Scan${at}\n`).join(''))
  const { status, stdout } = await place.run(['replay', 'access.log', ...to, ...quick, '--learn'])
  expect(status).toBe(0)
  expect(report().ignored.length).toBeLessThanOrEqual(502)
  expect(report().ignored.reduce((sum, { requests }) => sum + requests, 0)).toBe(1_200)
  expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  expect(stdout.split('\n').length).toBeLessThan(50)
}, 30_000)

test.each([
  [['--ignore', 'Rnak'], "argument 'Rnak' is invalid. No field is called Rnak (did you mean Rank?)."],
  [['--ignore', ''], "argument '' is invalid. It has an empty name."],
  [['--tolerate', 'Rank'], "argument 'Rank' is invalid. Rank has no allowed difference, such as Rank=60."],
  [
    ['--ignore', 'Rank', '--tolerate', 'Id=1,Rank=2'],
    'error: Rank is both ignored and tolerated. Give one of the two.',
  ],
])('a mistake is one line: %j', async (flags, message) => {
  const to = ['--old', 'http://127.0.0.1:1/', '--new', 'http://127.0.0.1:1/']
  place.write('access.log', '/?Event=a\n')
  const { status, stdout, stderr } = await place.run(['replay', 'access.log', ...to, ...flags])
  expect({ status, stdout, lines: stderr.trim().split('\n').length }).toEqual({
    status: 2,
    stdout: '',
    lines: 1,
  })
  expect(stderr).toContain(message)
})
