// `lookup replay`: requests from a time on, headers of its requests, wrong arguments, and its output.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { startAnswering } from '../../kit/answering.ts'
import { test } from '../../kit/test.ts'
import { firstRequest, pageOf, replayIn, reportOf, startEmpty, startPair, stateFile, to } from './support.ts'

const lookup = (users: string | number) => `/?Event=ProfileLookup&Users=${users}`

test('--since sends the requests from then on, and needs times in the log', async ({ place }) => {
  const line = (hour: number, users: number) =>
    `203.0.113.9 - - [22/Nov/2026:${hour}:00:00 +0000] "GET ${lookup(users)} HTTP/1.1" 200 312 "-" "Client/1.0"\n`
  const pair = await startEmpty()
  const log = line(10, 1) + line(11, 2) + line(12, 3)
  const { status, stdout } = await replayIn(place, pair)(log, ['--since', '2026-11-22T11:00:00Z'])
  expect(status).toBe(0)
  expect(pair.old.asked.toSorted()).toEqual([firstRequest, lookup(2), lookup(3)].toSorted())
  expect(reportOf(place)).toMatchObject({ total: { hits: 2 }, lines: { earlier: 1 } })
  expect(stdout).toContain('before --since')

  const without = await replayIn(place, pair)(lookup(1), ['--since', '2026-11-22'])
  const message = 'Nothing was sent. --since needs times, and a lookup in the log has none.'
  expect(without).toMatchObject({ status: 1, stderr: expect.stringContaining(message) })
})

test('--new-header is for the new service, --header for the old one', async ({ place }) => {
  const seen: Record<string, unknown>[] = []
  const start = async () => {
    const service = await startAnswering(({ headers }, response) => {
      seen.push({ port: headers.host, key: headers['x-key'] })
      response.end('{"1":null}')
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

test('hostile responses and queries are escaped in the page, and harmless in a terminal', async ({
  place,
}) => {
  const hostile = `"><script>document.title='taken'</script><img src=x>`
  const body = JSON.stringify({ [hostile]: { [hostile]: `${hostile}\u202e\u001b[31m` } })
  const pair = await startPair(
    () => body,
    () => '{}',
  )
  const query = `Event=${encodeURIComponent(hostile)}&Users=${hostile.replaceAll('"', '%22').replaceAll(' ', '%20')}`
  const { status, stdout } = await replayIn(place, pair)(`/?${query}\n`)
  expect(status).toBe(1)
  expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
  expect(pageOf(place)).toContain('&lt;script&gt;document.title=')
  expect(pageOf(place)).not.toMatch(/<(?:script|img|iframe|link|a)\b/)
})

describe('a mistake', () => {
  const both = ['--old', 'http://a.example', '--new', 'http://b.example']
  test.for<[readonly string[], number, string]>([
    [['none.log', ...both], 1, 'There is no file none.log. Check the path.\n'],
    [['x.log', '--old', 'a', '--new', 'http://b.example'], 2, "'--old <url>' argument '***' is invalid"],
    [['x.log', '--old', 'http://a.example', '--new', 'http://a.example'], 2, '--old and --new are both'],
    [
      ['x.log', ...both, '--rate', '0'],
      2,
      "argument '0' is invalid. It must be a number above 0, up to 1000",
    ],
    [['x.log', ...both, '--state', 'x.log'], 1, 'x.log is not a readable state file. Delete it, or name'],
    [['x.log', ...both, '--ignore-header', 'Date'], 2, 'It must be one of Content-Type, Cache-Control'],
    [['x.log', ...both, '--since', 'then'], 2, 'It must be a date, or a date and a time.'],
    [['x.log', ...both, '--new-header', 'a'], 2, '--new-header 1'],
    [['x.log', ...both, '--ignore', 'Rnak'], 2, 'No field is called Rnak (did you mean Rank?).'],
    [['x.log', ...both, '--tolerate', 'Rank'], 2, 'Rank has no allowed difference, such as Rank=60.'],
    [
      ['x.log', ...both, '--ignore', 'Rank', '--tolerate', 'Rank=2'],
      2,
      'Rank is both ignored and tolerated.',
    ],
  ])('%j', async ([args, status, message], { place }) => {
    place.write('x.log', 'GET /?Event=a\n')
    const outcome = await place.run(['replay', ...args])
    expect(outcome).toMatchObject({ status, stdout: '', stderr: expect.stringContaining(message) })
    expect(outcome.stderr.trim().split('\n')).toHaveLength(1)
  })

  test('a file that is no log: nothing is sent, and no state is left', async ({ place }) => {
    const { old, fresh } = await startEmpty()
    place.write('x.log', 'nothing\n')
    place.write('y.log', '/?Event=a\n')
    const outcome = await place.run(['replay', 'y.log', 'x.log', ...to(old, fresh)])
    expect(outcome).toMatchObject({ status: 1, stdout: '' })
    expect(outcome.stderr).toContain('Nothing was sent. x.log has no line of a known format.')
    expect(old.asked).toEqual([firstRequest])
    expect(existsSync(join(place.path, stateFile))).toBe(false)
  })
})
