// What a replay proves: it ends with status 0 only if all lookups of the log were read, sent as they were
// logged, and compared.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { test } from '../../kit/test.ts'
import { logOf, pageOf, replayIn, reportOf, startEmpty, startPair, to } from './support.ts'

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
  ['a blank that was encoded', good + line(lookup('1:%202')), [], 0, ''],
  ['a lookup by POST', good + line(lookup(1)).replace('GET', 'POST'), [], 1, '1 lookup by POST: not sent'],
  [
    'lookups on another path',
    good + line(`/api${app}`),
    [],
    1,
    'Lookups on other paths are not counted: /api/ (1)',
  ],
  ['lookups on another path, with --path', good + line(`/api${app}`), ['--path', '/,/api/'], 0, ''],
  [
    'a request of the probe on another path',
    good + line(`/${app}`).replace('Client/1.0', 'lookup-service/1.0.0'),
    ...([[], 0, ''] as const),
  ],
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

test.for<[string, status: number, body: string, isProof: boolean]>([
  ['an error with status 404', 404, 'x', false],
  ['an error with status 200', 200, '{"error":"x"}', false],
  ['a page of another site', 200, '<html><p>Parked</p></html>', false],
  ['a status', 200, '{"status":"ok","up":true}', false],
  ['a feed', 200, '<feed><title>News</title></feed>', false],
  ['null', 200, 'null', false],
  ['an empty list', 200, '[]', false],
  ['an empty object', 200, '{}', false],
  ['empty XML', 200, '<?xml version="1.0"?><ServiceAPI/>', false],
  ['entries with status 404', 404, '{"1":{"Id":1,"Username":"ada"},"2":null}', true],
  ['an unknown user', 200, '{"1":null}', true],
  ['an unknown user in XML', 200, '<Response><Data Value="1"/></Response>', true],
  ['the error of a wrong path', 404, '{"Error":{"Code":"NotFound","Message":"x"}}', false],
  ['the error of a storage service', 404, '<Error><Code>NoSuchBucket</Code></Error>', false],
  ['the error of the interface', 400, '{"Error":{"Code":"UnknownEvent","Message":"x"}}', true],
  [
    'the error of the interface in XML',
    ...([200, '<ServiceAPI><Error><Code>UnknownEvent</Code></Error></ServiceAPI>', true] as const),
  ],
])('two services that always respond with %s', async ([, code, body, isProof], { place }) => {
  const respond = () => [code, body] as const
  const { status, stdout } = await replayIn(
    place,
    await startPair(respond, respond),
  )(logOf(3, 'Event=a&Users='))
  expect(reportOf(place)).toMatchObject({ proven: isProof, tallies: { bytes: { requests: 3 } } })
  expect(status).toBe(isProof ? 0 : 1)
  expect(stdout.includes('No request got an entry, or an error of the interface')).toBe(!isProof)
})

test('an archive that is cut off proves nothing of its rest; an empty log hides nothing', async ({
  place,
}) => {
  const { old, fresh } = await startEmpty()
  const archive = gzipSync(good)
  place.write('cut.gz', archive.subarray(0, archive.length - 20))
  place.write('good.log', good)
  place.write('empty.log', '')
  const replay = (...args: string[]) => place.run(['replay', ...args, ...to(old, fresh), '--rate', '1000'])
  const { status, stdout } = await replay('cut.gz')
  expect(status).toBe(1)
  expect(stdout).toContain('cut.gz is incomplete or damaged: only its readable part was counted')
  expect((await replay('cut.gz', '--partial')).status).toBe(0)
  const withEmpty = await replay('empty.log', 'good.log')
  expect(withEmpty).toMatchObject({ status: 0, stdout: expect.stringContaining('empty.log is empty.\n') })
  const onlyEmpty = await replay('empty.log')
  expect(onlyEmpty).toMatchObject({ status: 1, stderr: expect.stringContaining('empty.log is empty.') })
})

test('compressed logs, standard input and pipes are read together', async ({ place }) => {
  const { old, fresh } = await startEmpty()
  place.write('1.gz', gzipSync(line(lookup(1))))
  place.write('access.log', good)
  execFileSync('mkfifo', [join(place.path, 'pipe')])
  execFileSync('sh', ['-c', 'exec cat access.log > pipe &'], { cwd: place.path, stdio: 'ignore' })
  const args = ['replay', '1.gz', '-', 'pipe', ...to(old, fresh), '--rate', '1000', '--json', 'r.json']
  expect(await place.run(args, {}, `${lookup(1)}\n${lookup(300)}\n`)).toMatchObject({ status: 0 })
  expect(reportOf(place)).toMatchObject({ proven: true, total: { requests: 101, hits: 103 } })
})
