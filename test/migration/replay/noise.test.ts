// `lookup replay` with differences that do not count: --ignore, --tolerate, --learn, --ignore-header,
// --accept.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { systemClock } from '../../../src/clock.ts'
import { test } from '../../kit/test.ts'
import type { Workplace } from '../../kit/workplace.ts'
import {
  logOf,
  pageOf,
  replayIn,
  reportOf,
  startBoth,
  startEmpty,
  startPair,
  startService,
} from './support.ts'

const lookup = (users: string | number) => `/?Event=ProfileLookup&Users=${users}\n`
const rankOf = (rank: number) => () => `{"1":{"Rank":${rank}}}`
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
    expect(stdout).toContain('mean the same, except for ignored differences.\n')
  })

  test('ranks: tolerated up to the allowed difference', async ({ place }) => {
    const replay = replayIn(place, await startBoth({ changing: ['Rank'] }))
    expect((await replay(profiles, ['--tolerate', 'Rank=±1000000000'])).status).toBe(0)
    expect(ignoredIn(place)).toEqual(['ProfileLookup Rank tolerated 4'])
    expect((await replay(profiles, ['--tolerate', 'Rank=±0.5'])).status).toBe(1)
    expect(reportOf(place)).toMatchObject({ ignored: [], tallies: { different: { requests: 4 } } })
  })

  test('ranks: learned, and nothing else', async ({ place }) => {
    const both = await startBoth({ changing: ['Rank'], serviceName: 'Acme' })
    const { status, stderr } = await replayIn(place, both)(profiles + releases, ['--learn'])
    expect(stderr).toContain('are sent to the old service a second time.')
    expect(status).toBe(1)
    expect(ignoredIn(place)).toEqual(['ProfileLookup Rank learned 4'])
    const fields = [...new Set(reportOf(place).groups.map(({ field }) => field))].toSorted()
    expect(fields).toEqual(['AcmeDownloadLink', 'ServiceDownloadLink', 'answer'])
  })
})

describe('--learn', () => {
  test('sends only what differs again, once, a second later, while others are sent', async ({ place }) => {
    const pair = await startPair(
      (target, time) => `{"1":{"Rank":${target.includes('=d') ? time : 1}}}`,
      (target) => `{"1":{"Rank":${target.includes('=d') ? 9 : 1}}}`,
    )
    const log = logOf(40, 'Event=ProfileLookup&Users=d') + logOf(20, 'Event=ProfileLookup&Users=s')
    const begun = performance.now()
    const args = ['--connections', '1', '--rate', '1000', '--learn']
    expect((await replayIn(place, pair)(log, args, { clock: systemClock })).status).toBe(0)
    // One after the other would take 44 s.
    expect(performance.now() - begun).toBeGreaterThan(1_100)
    expect(performance.now() - begun).toBeLessThan(20_000)
    expect([pair.old.asked.length, pair.fresh.asked.length]).toEqual([1 + 100, 1 + 60])
    expect(ignoredIn(place)).toEqual(['ProfileLookup Rank learned 40'])
  })

  test('compares nothing if the second response fails', async ({ place }) => {
    const old = await startService((target, time) =>
      target.endsWith('=2') && time > 1 ? [503, ''] : '{"1":{"Rank":1}}',
    )
    const fresh = await startService(rankOf(9))
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

test('headers that differ are causes; --ignore-header excuses them by name', async ({ place }) => {
  const json = { 'Content-Type': 'application/json' }
  const cached = { ...json, 'Cache-Control': 'max-age=60', 'Set-Cookie': 'SESSION=secret; path=/' }
  const old = await startService(rankOf(1), cached)
  const fresh = await startService(rankOf(1), { ...json, 'Cache-Control': 'no-store' })
  const replay = replayIn(place, { old, fresh })
  const { status, stdout } = await replay(lookup(1))
  expect(status).toBe(1)
  const causes = reportOf(place).groups.map((one) =>
    [one.scope, one.field, one.kind, one.old, one.new].join(' '),
  )
  expect(causes.toSorted()).toEqual([
    'response Cache-Control header max-age=60 no-store',
    'response Set-Cookie header SESSION=… none',
  ])
  expect(stdout).toContain('ProfileLookup id JSON Cache-Control: differs in headers')
  expect(stdout + pageOf(place)).not.toContain('secret')

  expect((await replay(lookup(1), ['--ignore-header', 'cache-control'])).status).toBe(1)
  expect(reportOf(place)).toMatchObject({ groups: [{ field: 'Set-Cookie' }], ignored: [{ requests: 1 }] })
  expect((await replay(lookup(1), ['--ignore-header', 'Set-Cookie,Cache-Control'])).status).toBe(0)
  expect(reportOf(place)).toMatchObject({ proven: true, noise: '--ignore-header Cache-Control,Set-Cookie' })
})

describe('--accept', () => {
  const keepReport = (place: Workplace, name: string) =>
    place.write(name, readFileSync(join(place.path, 'r.json'), 'utf8'))

  test('excuses the causes of a report, and of the reports before it', async ({ place }) => {
    const replay = replayIn(place, await startPair(rankOf(1), rankOf(2)))
    expect((await replay(lookup(1))).status).toBe(1)
    keepReport(place, 'first.json')
    // Another request, another value: the cause is the same.
    expect((await replay(lookup(7), ['--accept', 'first.json'])).status).toBe(0)
    expect(reportOf(place)).toMatchObject({
      ...{ proven: true, noise: '--accept first.json', groups: [] },
      accepted: [{ event: 'ProfileLookup', method: 'id', format: 'JSON', scope: 'field', field: 'Rank' }],
    })
    keepReport(place, 'second.json')
    expect((await replay(lookup(7), ['--accept', 'second.json'])).status).toBe(0)
  })

  test.for<[string, log: string, fresh: () => string]>([
    ['of another field', lookup(1), () => '{"1":{"Rank":1,"A":1}}'],
    ['of another kind', lookup(1), () => '{"1":{"Rank":"1"}}'],
    ['of another event', '/?Event=Other', rankOf(2)],
    ['in another format', lookup('1&Format=XML'), rankOf(2)],
  ])('counts a cause %s', async ([, log, fresh], { place }) => {
    await replayIn(place, await startPair(rankOf(1), rankOf(2)))(lookup(1))
    keepReport(place, 'base.json')
    const replay = replayIn(place, await startPair(rankOf(1), fresh))
    expect((await replay(log, ['--accept', 'base.json'])).status).toBe(1)
    expect(reportOf(place)).toMatchObject({ groups: [{ requests: 1 }], accepted: [] })
  })

  test.for<[file: string, message: string]>([
    ['none.json', 'Cannot read the report none.json: ENOENT'],
    ['access.log', 'Cannot read the report access.log: Unexpected token'],
    ['old.json', 'old.json is not a report of this version.'],
  ])('%s: %s', async ([file, message], { place }) => {
    place.write('old.json', '{"groups":[]}')
    const pair = await startEmpty()
    const { status, stderr } = await replayIn(place, pair)(lookup(1), ['--accept', file])
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) })
    expect(pair.old.asked).toEqual([])
  })
})

test('a state file belongs to the options, in any order, and to the causes to accept', async ({ place }) => {
  const replay = replayIn(place, await startPair(rankOf(1), rankOf(2)))
  const limited = (...more: string[]) =>
    replay(lookup(1) + lookup(2), ['--limit', '1', '--accept', 'base.json', ...more])
  const accept = (field: string) => {
    const names = { event: 'ProfileLookup', method: 'id', format: 'JSON' }
    const cause = { ...names, scope: 'field', field, kind: 'value' }
    place.write('base.json', JSON.stringify({ groups: [cause], accepted: [] }))
  }
  const ignore = ['--ignore', 'JoinDate,Id']
  accept('Rank')
  await limited(...ignore)
  const others = [await limited()]
  accept('Id')
  others.push(await limited(...ignore))
  for (const other of others)
    expect(other).toMatchObject({ status: 1, stderr: expect.stringContaining('belongs to another replay') })
  accept('Rank')
  expect((await limited('--ignore', 'Id', '--ignore', 'JoinDate')).status).toBe(0)
  expect(reportOf(place)).toMatchObject({ proven: true, tallies: { ignored: { requests: 2 } } })
})
