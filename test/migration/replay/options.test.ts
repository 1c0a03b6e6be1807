// `lookup replay`: headers that differ, causes that were accepted before, and requests from a time on.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { startAnswering } from '../../kit/answering.ts'
import { test } from '../../kit/test.ts'
import { firstRequest, pageOf, replayIn, reportOf, startEmpty, startPair, startService } from './support.ts'

const lookup = (users: string | number) => `/?Event=ProfileLookup&Users=${users}`

describe('headers', () => {
  const pairWith = async (old: Record<string, string>, fresh: Record<string, string>) => ({
    old: await startService(() => '{}', old),
    fresh: await startService(() => '{}', fresh),
  })

  test('that differ are causes; --ignore-header excuses them by name', async ({ place }) => {
    const json = { 'Content-Type': 'application/json' }
    const old = { ...json, 'Cache-Control': 'max-age=60', 'Set-Cookie': 'SESSION=secret; path=/' }
    const replay = replayIn(place, await pairWith(old, { ...json, 'Cache-Control': 'no-store' }))
    const { status, stdout } = await replay(lookup(1))
    expect(status).toBe(1)
    const causes = reportOf(place).groups.map(({ scope, field, kind, old, new: fresh }) =>
      [scope, field, kind, old, fresh].join(' '),
    )
    expect(causes.toSorted()).toEqual([
      'response Cache-Control header max-age=60 no-store',
      'response Set-Cookie header SESSION=… none',
    ])
    expect(stdout).toContain('ProfileLookup id JSON Cache-Control: differs in headers')
    expect(stdout + pageOf(place)).not.toContain('secret')

    const one = await replay(lookup(1), ['--ignore-header', 'cache-control'])
    expect(one.status).toBe(1)
    expect(reportOf(place)).toMatchObject({ groups: [{ field: 'Set-Cookie' }], ignored: [{ requests: 1 }] })
    const both = await replay(lookup(1), ['--ignore-header', 'Set-Cookie,Cache-Control'])
    expect(both.status).toBe(0)
    expect(reportOf(place)).toMatchObject({ proven: true, noise: '--ignore-header Cache-Control,Set-Cookie' })
    expect(both.stdout).toContain('except for ignored differences: Cache-Control once, Set-Cookie once.')
  })

  test('that mean the same are no difference', async ({ place }) => {
    const replay = replayIn(place, await pairWith({}, { 'Cache-Control': 'public, max-age=0' }))
    expect((await replay(lookup(1))).status).toBe(0)
    expect(reportOf(place).tallies.bytes.requests).toBe(1)
  })

  test('of the old service may change by themselves', async ({ place }) => {
    const fresh = await startService(() => '{}')
    let times = 0
    const old = await startAnswering((_, response) => {
      response.writeHead(200, ++times === 2 ? { 'Set-Cookie': 'a=1' } : {}).end('{}')
    })
    onTestFinished(old.close)
    expect((await replayIn(place, { old, fresh })(lookup(1), ['--learn'])).status).toBe(0)
    expect(reportOf(place).ignored).toMatchObject([{ field: 'Set-Cookie', reason: 'learned' }])
  })
})

describe('--accept', () => {
  const rankOf = (rank: number) => () => `{"1":{"Rank":${rank}}}`

  test('excuses the causes of a report, and of the reports before it', async ({ place }) => {
    const replay = replayIn(place, await startPair(rankOf(1), rankOf(2)))
    expect((await replay(lookup(1))).status).toBe(1)
    const report = (name: string) => place.write(name, readFileSync(join(place.path, 'r.json'), 'utf8'))
    report('first.json')
    // Another request, another value: the cause is the same.
    const again = await replay(lookup(7), ['--accept', 'first.json'])
    expect(again.status).toBe(0)
    expect(again.stdout).toContain('except for ignored differences: Rank once (accepted).')
    expect(reportOf(place)).toMatchObject({
      ...{ proven: true, noise: '--accept first.json', groups: [] },
      accepted: [{ event: 'ProfileLookup', method: 'id', format: 'JSON', scope: 'field', field: 'Rank' }],
    })
    report('second.json')
    expect((await replay(lookup(7), ['--accept', 'second.json'])).status).toBe(0)
  })

  test.for<[string, log: string, fresh: () => string]>([
    ['of another field', lookup(1), () => '{"1":{"Rank":1,"A":1}}'],
    ['of another kind', lookup(1), () => '{"1":{"Rank":"1"}}'],
    ['of another event', '/?Event=Other', rankOf(2)],
    ['in another format', `${lookup(1)}&Format=XML`, rankOf(2)],
  ])('counts a cause %s', async ([, log, fresh], { place }) => {
    await replayIn(place, await startPair(rankOf(1), rankOf(2)))(lookup(1))
    place.write('base.json', readFileSync(join(place.path, 'r.json'), 'utf8'))
    const { status } = await replayIn(place, await startPair(rankOf(1), fresh))(log, [
      '--accept',
      'base.json',
    ])
    expect(status).toBe(1)
    expect(reportOf(place)).toMatchObject({ groups: [{ requests: 1 }], accepted: [] })
  })

  test('a state file belongs to the causes', async ({ place }) => {
    const base = (field: string) => {
      const cause = {
        event: 'ProfileLookup',
        method: 'id',
        format: 'JSON',
        scope: 'field',
        field,
        kind: 'value',
      }
      place.write('base.json', JSON.stringify({ groups: [cause], accepted: [] }))
    }
    const replay = replayIn(place, await startPair(rankOf(1), rankOf(2)))
    const limited = () => replay(`${lookup(1)}\n${lookup(2)}`, ['--limit', '1', '--accept', 'base.json'])
    base('Rank')
    await limited()
    base('Id')
    expect((await limited()).stderr).toContain('with other options or causes to accept (--accept base.json).')
    base('Rank')
    expect(await limited()).toMatchObject({ status: 0, stderr: expect.stringMatching(/^Resuming/) })
  })

  test.for<[file: string, message: string]>([
    ['none.json', 'Cannot read the report none.json: ENOENT'],
    ['access.log', 'Cannot read the report access.log: Unexpected token'],
    ['list.json', 'list.json is not a report of this version.'],
    ['old.json', 'old.json is not a report of this version.'],
  ])('%s: %s', async ([file, message], { place }) => {
    place.write('list.json', '[]')
    place.write('old.json', '{"groups":[]}')
    const pair = await startEmpty()
    const { status, stderr } = await replayIn(place, pair)(lookup(1), ['--accept', file])
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) })
    expect(pair.old.asked).toEqual([])
  })
})

describe('--since', () => {
  const line = (hour: number, users: number) =>
    `203.0.113.9 - - [22/Nov/2026:${hour}:00:00 +0000] "GET ${lookup(users)} HTTP/1.1" 200 312 "-" "Client/1.0"\n`

  test('sends the requests from then on', async ({ place }) => {
    const pair = await startEmpty()
    const log = line(10, 1) + line(11, 2) + line(12, 3)
    const { status, stdout } = await replayIn(place, pair)(log, ['--since', '2026-11-22T11:00:00Z'])
    expect(status).toBe(0)
    expect(pair.old.asked.toSorted()).toEqual([firstRequest, lookup(2), lookup(3)].toSorted())
    expect(reportOf(place)).toMatchObject({
      ...{ total: { hits: 2 }, log: { notCounted: [{ reason: 'earlier', lines: 1 }] } },
    })
    expect(stdout).toContain('before --since')
  })

  test('needs times in the log', async ({ place }) => {
    const pair = await startEmpty()
    const { status, stderr } = await replayIn(place, pair)(lookup(1), ['--since', '2026-11-22'])
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining(
        'Nothing was sent. --since needs times, and a lookup in the log has none.',
      ),
    })
  })
})

test('--new-header is for the new service, --header for the old one', async ({ place }) => {
  const seen: Record<string, unknown>[] = []
  const start = async () => {
    const service = await startAnswering(({ headers }, response) => {
      seen.push({ port: headers.host, key: headers['x-key'] })
      response.end('{}')
    })
    onTestFinished(service.close)
    return service
  }
  const [old, fresh] = [await start(), await start()]
  const args = ['--header', 'X-Key: a', '--new-header', 'X-Key: b']
  expect((await replayIn(place, { old, fresh })(lookup(2), args)).status).toBe(0)
  expect(seen).toHaveLength(4)
  for (const { port, key } of seen) expect(key).toBe(port === new URL(old.url).host ? 'a' : 'b')
})

test('the latency of both services is in all reports', async ({ place }) => {
  const { stdout } = await replayIn(place, await startEmpty())(lookup(1))
  const { latency } = reportOf(place)
  for (const side of [latency.old, latency.new])
    expect(side).toEqual({ p50: expect.any(Number), p99: expect.any(Number) })
  for (const shown of [stdout, pageOf(place)])
    expect(shown).toMatch(/old \d+ ms \(p50\), \d+ ms \(p99\); new \d+ ms \(p50\), \d+ ms \(p99\)/)
})
