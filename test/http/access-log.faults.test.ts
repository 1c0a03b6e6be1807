// ACCESS_LOG on a full disk, in a pipe that nobody reads, on standard output, and of several workers; and
// what workers count together for RATE_LIMIT.

import { execFileSync } from 'node:child_process'
import {
  closeSync,
  constants,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { serve } from '../kit/serving.ts'
import { hasSmallDisks, makeSmallDisk } from '../kit/small-disk.ts'
import { test } from '../kit/test.ts'
import { exchange, requestFor } from './raw.ts'

const users = '/?Event=ProfileLookup&Users=1'
const send = async (url: string, target = users) =>
  (await exchange(url, requestFor(target, ['Host: a', 'Connection: close']))).status
const targetsIn = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line).target)

test.skipIf(!hasSmallDisks())(
  'a full disk fails no request, and no waiting line is lost',
  async ({ withSettings }) => {
    const disk = makeSmallDisk('64k')
    onTestFinished(disk.remove)
    const file = join(disk.path, 'access.log')
    const { url, observations } = await withSettings({ ACCESS_LOG: file })
    const failures = () => observations.filter(({ type }) => type === 'access-log-failed')
    writeFileSync(join(disk.path, 'other'), Buffer.alloc(disk.free()))
    for (let at = 0; at < 5; at++) expect(await send(url)).toBe(200)
    await expect
      .poll(() => failures()[0])
      .toMatchObject({ path: file, reason: expect.stringContaining('ENOSPC'), lost: 0 })
    rmSync(join(disk.path, 'other'))
    await send(url)
    await expect.poll(() => targetsIn(readFileSync(file, 'utf8'))).toHaveLength(6)
  },
)

test('a pipe that nobody reads loses lines and blocks no request', async ({ place, withSettings }) => {
  const pipe = join(place.path, 'pipe')
  execFileSync('mkfifo', [pipe])
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  onTestFinished(() => closeSync(reader))
  const { url, observations } = await withSettings({ ACCESS_LOG: pipe })
  for (let at = 0; at < 100; at++) expect(await send(url, `${users}&x=${'y'.repeat(60_000)}`)).toBe(200)
  const failures = () => observations.filter((one) => one.type === 'access-log-failed')
  await expect.poll(() => failures().reduce((sum, { lost }) => sum + lost, 0)).toBeGreaterThan(20)
  expect(failures()[0]).toMatchObject({ path: pipe, reason: 'earlier lines still wait to be written' })
})

test('"-" is standard output', async ({ place }) => {
  const { shown, url, stop } = await serve({ cwd: place.path, env: { ACCESS_LOG: '-' } })
  expect(shown['Access log']).toBe('standard output')
  await send(url)
  expect(targetsIn((await stop()).stdout)).toEqual([users])
})

test('two workers write to one file, and SIGHUP has both open it again', async ({ place }) => {
  const env = { ACCESS_LOG: 'access.log' }
  const { url, log, process: first, stop } = await serve({ cwd: place.path, env }, '--workers', '2')
  const [file, renamed] = ['access.log', 'access.log.1'].map((name) => join(place.path, name))
  renameSync(file ?? '', renamed ?? '')
  for (let at = 0; at < 4; at++) await send(url)
  const restarted = log.next('restarted', 40_000)
  first.kill('SIGHUP')
  await restarted
  await expect.poll(() => statSync(file ?? '', { throwIfNoEntry: false })).toBeDefined()
  await send(url, '/?Event=Nothing')
  expect((await stop()).status).toBe(0)
  expect(targetsIn(readFileSync(renamed ?? '', 'utf8'))).toEqual(Array(4).fill(users))
  expect(targetsIn(readFileSync(file ?? '', 'utf8'))).toEqual(['/?Event=Nothing'])
})
