// `lookup replay` with --ignore, --tolerate and --learn, between services that change their responses.

import { describe, expect } from 'vitest'
import { createEagerClock } from '../../kit/clock.ts'
import { test } from '../../kit/test.ts'
import type { Workplace } from '../../kit/workplace.ts'
import { logOf, pageOf, replayIn, reportOf, startBoth, startPair, startService } from './support.ts'

const ignoredIn = (place: Workplace) =>
  reportOf(place)
    .ignored.map(({ event, field, reason, requests }) => `${event} ${field} ${reason} ${requests}`)
    .toSorted()

const users = ['Users=1', 'Users=1:2', 'Users=3&Format=XML', 'Users=1:2:3&Format=XML']
const apps = ['Apps=1', 'Apps=2:3', 'Apps=1:2&Format=XML']
const profiles = users.map((list) => `/?Event=ProfileLookup&${list}\n`).join('')
const releases = apps.map((list) => `/?Event=AppLookup&${list}\n`).join('')

describe('an old service that changes', () => {
  test('the date of joining: ignored in JSON and XML', async ({ place }) => {
    const replay = replayIn(place, await startBoth({ changing: ['JoinDate'] }))
    const without = await replay(profiles + releases)
    expect(without).toMatchObject({ status: 1, stdout: expect.not.stringContaining('ignored') })
    expect(reportOf(place)).toMatchObject({ noise: '', ignored: [], tallies: { different: { requests: 4 } } })

    const ignore = ['--ignore', 'ProfileLookup.JoinDate,Title', '--ignore', 'Rank']
    const { status, stdout } = await replay(profiles + releases, ignore)
    expect(status).toBe(0)
    expect(reportOf(place)).toMatchObject({
      ...{ proven: true, noise: '--ignore ProfileLookup.JoinDate,Rank,Title' },
      tallies: { ignored: { requests: 4 }, different: { requests: 0 } },
      ignored: [{ kind: 'value', share: 4 / 7, new: expect.stringMatching(/^1/) }],
    })
    expect(ignoredIn(place)).toEqual(['ProfileLookup JoinDate ignored 4'])
    expect(stdout).toMatch(/^same except for ignored differences +57\.14 % +4 distinct requests$/m)
    expect(stdout).toMatch(/^ProfileLookup {2}JoinDate {2}ignored +4 +57\.14 % {2}\d{10} +\d{10}$/m)
    expect(stdout).toContain('mean the same, except for ignored differences: JoinDate 4 times.\n')
    expect(pageOf(place)).toContain('<h2>Ignored differences</h2>')
  })

  test('ranks: tolerated up to the allowed difference', async ({ place }) => {
    const replay = replayIn(place, await startBoth({ changing: ['Rank'] }))
    const far = await replay(profiles, ['--tolerate', 'Rank=±1000000000'])
    expect(far.stdout).toContain('except for ignored differences: Rank 4 times (tolerated).')
    expect(far.status).toBe(0)
    expect((await replay(profiles, ['--tolerate', 'Rank=±0.5'])).status).toBe(1)
    expect(reportOf(place)).toMatchObject({ ignored: [], tallies: { different: { requests: 4 } } })
  })

  test('ranks: learned, and nothing else', async ({ place }) => {
    const both = await startBoth({ changing: ['Rank'], serviceName: 'Acme' })
    const { status, stdout, stderr } = await replayIn(place, both)(profiles + releases, ['--learn'])
    expect(stderr).toContain('are sent to the old service a second time.')
    expect(status).toBe(1)
    expect(ignoredIn(place)).toEqual(['ProfileLookup Rank learned 4'])
    expect(stdout).toContain('Ignored: Rank ')
    expect(reportOf(place)).toMatchObject({ noise: '--learn' })
    const fields = [...new Set(reportOf(place).groups.map(({ field }) => field))].toSorted()
    expect(fields).toEqual(['AcmeDownloadLink', 'ServiceDownloadLink', 'answer'])
  })

  test.for([
    ['Version', ['AppLookup Version learned 3']],
    ['status', ['AppLookup answer learned 3']],
    ['entries', ['AppLookup entry learned 3']],
  ] as const)(
    '%s every other time: learned from the second response',
    async ([changing, learned], { place }) => {
      const replay = replayIn(place, await startBoth({ changing: [changing] }))
      // The first responses are those of the gateway: nothing is sent again.
      expect((await replay(releases, ['--learn'])).status).toBe(0)
      expect(ignoredIn(place)).toEqual([])
      const { status, stdout } = await replay(releases, ['--learn'])
      expect(ignoredIn(place)).toEqual(learned)
      expect(status).toBe(0)
      expect(stdout).toMatch(/, except for ignored differences: .* 3 times \(learned\)\.$/m)
    },
  )
})

const changingRank = (fresh: string) =>
  startPair(
    (target, time) => (target.includes('Users=d') ? `{"1":{"Rank":${time}}}` : '{}'),
    (target) => (target.includes('Users=d') ? fresh : '{}'),
  )

describe('--learn', () => {
  test('sends only what differs again, once, a second later, while others are sent', async ({ place }) => {
    const pair = await changingRank('{"1":{"Rank":9}}')
    const clock = createEagerClock()
    const log = logOf(40, 'Event=ProfileLookup&Users=d') + logOf(20, 'Event=ProfileLookup&Users=s')
    const { status } = await replayIn(place, pair)(log, ['--connections', '1', '--learn'], { clock })
    expect(status).toBe(0)
    expect([pair.old.asked.length, pair.fresh.asked.length]).toEqual([1 + 100, 1 + 60])
    expect(ignoredIn(place)).toEqual(['ProfileLookup Rank learned 40'])
    // At 20 a second, 60 requests and 40 more; one after the other would take 40 s more.
    expect(clock.now()).toBeGreaterThan(4_000)
    expect(clock.now()).toBeLessThan(8_000)
  })

  test('resumes after Ctrl-C', async ({ place }) => {
    const interruption = new AbortController()
    const pair = await startPair(
      (_, time) => {
        if (pair.old.asked.length === 10) interruption.abort('SIGINT')
        return `{"1":{"Rank":${time}}}`
      },
      () => '{"1":{"Rank":99}}',
    )
    const replay = replayIn(place, pair)
    const log = logOf(30, 'Event=a&Users=')
    expect((await replay(log, ['--learn'], { signal: interruption.signal })).status).toBe(130)
    const { different, ignored, left } = reportOf(place).tallies
    expect([different.requests, ignored.requests + left.requests]).toEqual([0, 30])
    const { status, stderr } = await replay(log, ['--learn'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringMatching(/^Resuming from/) })
    expect(ignoredIn(place)).toEqual(['a Rank learned 30'])
  })

  test('advises to ignore a field that differs by chance', async ({ place }) => {
    const pair = await startPair(
      (target, time) => `{"1":{"Rank":${target.endsWith('=2') ? 7 : time}}}`,
      () => '{"1":{"Rank":9}}',
    )
    const log = '/?Event=ProfileLookup&Users=1\n/?Event=ProfileLookup&Users=2\n'
    const { status, stdout } = await replayIn(place, pair)(log, ['--learn'])
    expect(status).toBe(1)
    expect(stdout).toContain('To ignore it, add --ignore Rank.')
    expect(stdout).toContain('Ignored: Rank once (learned).')
  })

  test('compares nothing if the second response fails', async ({ place }) => {
    const old = await startService((target, time) =>
      target.endsWith('=2') && time > 1 ? [503, ''] : '{"1":{"Rank":1}}',
    )
    const fresh = await startService(() => '{"1":{"Rank":9}}')
    const { status, stdout } = await replayIn(place, { old, fresh })('/?Event=a&Users=2\n', ['--learn'])
    expect(status).toBe(1)
    expect(stdout).toContain('1 not compared: the old service: status 503')
  })

  test('fills no report with fields that a service makes up', async ({ place }) => {
    const name = `a${'\u001b[31m'.repeat(20)}`
    const pair = await startPair(
      (_, time) => JSON.stringify({ 1: { [name]: time, Rank: time } }),
      () => JSON.stringify({ 1: { [name]: 0, Rank: 0 } }),
    )
    const { status, stdout } = await replayIn(place, pair)(logOf(600, 'Event=Scan'), ['--learn'])
    expect(status).toBe(0)
    expect(reportOf(place).ignored.length).toBeLessThanOrEqual(502)
    expect(reportOf(place).ignored.reduce((sum, { requests }) => sum + requests, 0)).toBe(1_200)
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
    expect(stdout.split('\n').length).toBeLessThan(50)
  })
})

test('a state belongs to the ignored fields, in any order', async ({ place }) => {
  const replay = replayIn(
    place,
    await startPair(
      () => '{"1":{"Rank":1}}',
      () => '{"1":{"Rank":2}}',
    ),
  )
  const log = '/?Event=ProfileLookup&Users=1\n/?Event=ProfileLookup&Users=2\n'
  const limited = (...more: string[]) => replay(log, ['--limit', '1', ...more])
  await limited()
  expect(await limited('--ignore', 'Rank')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('belongs to a replay with other options or causes to accept (none).'),
  })
  await limited('--state', 'other.state', '--ignore', 'Rank,JoinDate')
  const again = await limited('--state', 'other.state', '--ignore', 'JoinDate', '--ignore', 'Rank')
  expect(again.status).toBe(0)
  expect(reportOf(place)).toMatchObject({ proven: true, tallies: { ignored: { requests: 2 } } })
})
