// What a replay proves: it ends with status 0 only if all lookups of the log were read, sent as they were
// logged, and compared.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { test } from '../../kit/test.ts'
import { firstRequest, pageOf, replayIn, reportOf, startEmpty, stateFile, to } from './support.ts'

const line = (target: string) =>
  `203.0.113.9 - - [22/Nov/2026:13:55:36 +0100] "GET ${target} HTTP/1.1" 200 312 "-" "Client/1.0"\n`
const lookup = (users: string | number) => `/?Event=ProfileLookup&Users=${users}`
const app = '/?Event=AppLookup&Apps=1'
const good = Array.from({ length: 100 }, (_, at) => line(lookup(at))).join('')
const unread = `| GET ${lookup(1)} | 200 |\n`
const gap = 'This is a partial report: not all requests have been compared.'

test.for<[string, log: string, args: readonly string[], status: number, gap: string]>([
  ['a log that was read', good, [], 0, ''],
  ['1 % of the requests that was not read', good + unread, [], 0, ''],
  [
    '2 % that were not read',
    good + unread.repeat(3),
    [],
    1,
    'Only 97.08 % of the lines that look like requests',
  ],
  ['2 % that were not read, with --partial', good + unread.repeat(3), ['--partial'], 0, 'Only 97.08 %'],
  ['most lines that were not read', good + unread.repeat(900), [], 1, 'Only 10.00 %'],
  [
    'lines that are too long',
    good + line(lookup('1:'.repeat(140_000))).repeat(2),
    ...([[], 1, 'Only 98.03 %'] as const),
  ],
  ['lines of another program', good + 'ERROR: nothing\n'.repeat(900), [], 0, ''],
  [
    "a request in nginx's log of errors",
    good +
      `2026/11/22 13:55:36 [error] 7#7: *1 open() failed, client: 203.0.113.9, request: "GET ${lookup(1)} HTTP/1.1"\n`.repeat(
        9,
      ),
    ...([[], 0, ''] as const),
  ],
  ['a target with a raw blank', good + line(lookup('1: 2')), [], 1, '1 request cannot be sent as logged'],
  ['a target with a raw tab', good + line(lookup('1:\\x092')), [], 1, '1 request cannot be sent as logged'],
  ['a raw blank, with --partial', good + line(lookup('1: 2')), ['--partial'], 0, '1 request cannot be sent'],
  ['a blank that was encoded', good + line(lookup('1:%202')), [], 0, ''],
  ['a lookup by POST', good + line(lookup(1)).replace('GET', 'POST'), [], 1, '1 lookup by POST: not sent'],
  [
    'lookups on another path',
    good + line(`/api${app}`),
    [],
    1,
    'Lookups on other paths are not counted: /api/ (1)',
  ],
  ['lookups on another path, with --partial', good + line(`/api${app}`), ['--partial'], 0, '/api/ (1)'],
  ['lookups on another path, with --path', good + line(`/api${app}`), ['--path', '/,/api/'], 0, ''],
  ['other requests on another path', good + line('/api/?Event=click'), [], 0, ''],
  ['the most frequent one only', good, ['--limit', '1'], 1, '99 distinct requests not sent yet'],
])('%s', async ([, log, args, status, expected], { place }) => {
  const pair = await startEmpty()
  const outcome = await replayIn(place, pair)(log, ['--rate', '1000', '--connections', '20', ...args])
  const { proven, gaps } = reportOf(place)
  expect({ status: outcome.status, proven }).toEqual({ status, proven: expected === '' })
  expect(gaps.join(' ')).toContain(expected)
  for (const shown of [outcome.stdout, pageOf(place)])
    if (expected === '') expect(shown).not.toContain(gap)
    // A page escapes the rest.
    else expect(shown).toContain(`${gap} ${gaps[0]?.split(/[&'"]/)[0]}`)
  expect(outcome.stderr.includes('To accept that, add --partial.')).toBe(status === 1)
  for (const { asked } of [pair.old, pair.fresh])
    expect(asked.includes(lookup('1:%202'))).toBe(log.includes('%20'))
})

test('an archive that is cut off proves nothing of its rest', async ({ place }) => {
  const { old, fresh } = await startEmpty()
  const archive = gzipSync(good)
  place.write('cut.gz', archive.subarray(0, archive.length - 20))
  const args = ['replay', 'cut.gz', ...to(old, fresh), '--rate', '1000']
  const { status, stdout } = await place.run(args)
  expect(status).toBe(1)
  expect(stdout).toContain('cut.gz is incomplete or damaged: only its readable part was counted')
  expect((await place.run([...args, '--partial'])).status).toBe(0)
})

describe('a state file of standard input', () => {
  test('is that of one log, which may grow', async ({ place }) => {
    const { old, fresh } = await startEmpty()
    const replay = (input: string | Buffer, ...args: string[]) =>
      place.run(['replay', '-', ...to(old, fresh), '--rate', '1000', ...args], {}, input)
    // The same lines at the beginning, as IIS writes them.
    const log = `# a log\n${lookup(1)}\n${lookup(2)}\n`
    expect((await replay(log, '--limit', '1')).status).toBe(1)
    const other = await replay(log.replace('=2', '=3'))
    expect(other).toMatchObject({ status: 1, stdout: '' })
    expect(other.stderr).toContain(`${stateFile} belongs to another replay, or the log has been replaced.`)
    expect(old.asked).toEqual([firstRequest, lookup(1)])
    const same = await replay(`${log}${lookup(4)}\n`)
    expect(same.stderr).toContain(`Resuming from ${stateFile}`)
    expect(same).toMatchObject({ status: 0 })
    expect(old.asked).toEqual([firstRequest, lookup(1), lookup(2), lookup(4)])
  })
})

test('a log may be a pipe, such as <(zcat access.log.gz)', async ({ place }) => {
  const { old, fresh } = await startEmpty()
  execFileSync('mkfifo', [join(place.path, 'pipe')])
  place.write('access.log', good)
  const replay = async (...args: string[]) => {
    const running = place.run([
      'replay',
      'pipe',
      ...to(old, fresh),
      '--rate',
      '1000',
      '--json',
      'r.json',
      ...args,
    ])
    execFileSync('sh', ['-c', 'exec cat access.log > pipe &'], { cwd: place.path, stdio: 'ignore' })
    return running
  }
  expect((await replay('--limit', '10')).status).toBe(1)
  const { status, stderr } = await replay()
  expect(stderr).toContain('Resuming from')
  expect(status).toBe(0)
  expect(JSON.parse(readFileSync(join(place.path, 'r.json'), 'utf8'))).toMatchObject({ proven: true })
})
