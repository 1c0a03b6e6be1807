// SIGTERM, SIGINT and SIGHUP during commands that take long: each ends soon, and leaves nothing half done.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { startAnswering } from '../kit/answering.ts'
import { figure } from '../kit/figures.ts'
import { need } from '../kit/programs.ts'
import { entry, outcomeOf, startLookup } from '../kit/run-lookup.ts'
import { serve } from '../kit/serving.ts'
import { test } from '../kit/test.ts'
import type { Workplace } from '../kit/workplace.ts'
import { csv } from '../stores/import-data.ts'
import { query } from '../stores/sqlite/support.ts'

const OLD_ROWS = 1000
/** After what a slow machine gives time to say. */
const INTERRUPTED: unknown = expect.stringMatching(/^(?:users: .*\n)*Interrupted\. Nothing was changed\.\n$/)
const interruptedBy = (signal: NodeJS.Signals) => ({ status: signal, stdout: '', stderr: INTERRUPTED })

/** Starts a command whose input stays open: what ends it is a signal, or nothing. */
function start({ path }: Workplace, ...args: string[]) {
  const child = startLookup(args, { cwd: path, timeout: 120_000 })
  child.stdin.on('error', () => {})
  const ended = outcomeOf(child)
  const interrupt = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }
  /** Until the command has taken a text. */
  async function give(text: string): Promise<void> {
    if (!child.stdin.write(text)) await once(child.stdin, 'drain')
  }
  return { child, interrupt, give }
}

describe('an import into SQLite', () => {
  const fileOf = ({ path }: Workplace, end = '') => join(path, `lookup.db${end}`)
  const sizeOf = (place: Workplace, end: string) =>
    statSync(fileOf(place, end), { throwIfNoEntry: false })?.size ?? 0

  /** Old rows, and a gateway that keeps the log from being deleted. */
  async function startOld(place: Workplace): Promise<void> {
    place.write('old.csv', csv('old', OLD_ROWS))
    await place.run(['import', 'users', 'old.csv'])
    await serve({ cwd: place.path, timeout: 120_000 })
  }

  async function expectOldDataWhole(place: Workplace) {
    const file = fileOf(place)
    const versions = query(file, 'SELECT display_name, count(*) FROM users GROUP BY display_name')
    expect(versions).toEqual([['version old', OLD_ROWS]])
    expect(sizeOf(place, '-wal')).toBe(0)
    expect(query(file, 'PRAGMA integrity_check')).toEqual([['ok']])
    // The next one works, and moves all from the log into the database.
    expect(await place.run(['import', 'users', 'old.csv', '--replace'])).toMatchObject({ status: 0 })
    expect(sizeOf(place, '-wal')).toBe(0)
  }

  test.for([
    ['SIGTERM', ['--replace']],
    ['SIGHUP', []],
  ] as const)('from a pipe that is silent, %s, %j', async ([signal, flags], { place }) => {
    await startOld(place)
    const { interrupt, give } = start(place, 'import', 'users', '-', '--format', 'csv', ...flags)
    await give(csv('new', 50_000, flags.length === 0 ? OLD_ROWS + 1 : 1))
    expect(await interrupt(signal)).toEqual(interruptedBy(signal))
    await expectOldDataWhole(place)
  })

  test('when much of it is in the log', async ({ place }) => {
    await startOld(place)
    place.write('new.csv', csv('new', figure(100_000, 400_000)))
    const { interrupt } = start(place, 'import', 'users', 'new.csv', '--replace')
    // At night: an index is made, since the rows alone take less.
    const size = figure(1, 19) * 2 ** 20
    await expect.poll(() => sizeOf(place, '-wal'), { interval: 2, timeout: 40_000 }).toBeGreaterThan(size)
    expect(await interrupt('SIGTERM')).toEqual(interruptedBy('SIGTERM'))
    await expectOldDataWhole(place)
  })

  test('into a new database: there still is none, and there are no rejects of half a file', async ({
    place,
  }) => {
    const rejects = ['--skip-invalid', 'rejects.jsonl']
    const { interrupt, give } = start(place, 'import', 'users', '-', '--format', 'csv', ...rejects)
    await give(csv('new', 50_000).replaceAll('0,true', '0,what'))
    await expect.poll(() => existsSync(join(place.path, 'rejects.jsonl'))).toBe(true)
    expect(await interrupt('SIGTERM')).toEqual(interruptedBy('SIGTERM'))
    for (const end of ['', '-wal', '-shm']) expect(existsSync(fileOf(place, end))).toBe(false)
    expect(readFileSync(join(place.path, 'rejects.jsonl'), 'utf8')).toBe('')
  })
})

need('script')
test('Ctrl+C in a terminal, where a bar is shown', async ({ place }) => {
  place.write('new.csv', csv('new', 200_000))
  const command = `exec '${process.execPath}' '${entry}' import users new.csv`
  const terminal = spawn('script', ['-qefc', command, '/dev/null'], { cwd: place.path })
  const ended = once(terminal, 'exit')
  let shown = ''
  terminal.stdout.on('data', (data) => {
    shown += data
  })
  await expect.poll(() => shown, { interval: 10 }).toContain('%')
  terminal.stdin.write('\x03')
  expect(await ended).toEqual([130, null])
  expect(shown).toContain('Interrupted. Nothing was changed.')
  expect(existsSync(join(place.path, 'lookup.db'))).toBe(false)
})

test('an import that a database keeps waiting', async ({ place }) => {
  const silent = createServer(() => {})
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void silent.close())
  const address = silent.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const url = `postgres://postgres@127.0.0.1:${port}/nothing`
  const connected = once(silent, 'connection')
  const { interrupt } = start(place, 'import', 'users', '-', '--format', 'csv', '--database', url)
  const [socket] = await connected
  expect(await interrupt('SIGTERM')).toEqual(interruptedBy('SIGTERM'))
  socket.destroy()
})

test('an export ends by the signal, which tells that its output is not whole', async ({ place }) => {
  place.write('rows.csv', csv('old', 50_000))
  await place.run(['import', 'users', 'rows.csv'])
  const child = startLookup(['export', 'users'], { cwd: place.path })
  await once(child.stdout, 'readable')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM'])
})

/** A service that answers a number of requests, and then keeps the others waiting. */
async function startSilent(most: number) {
  const service = await startAnswering((_, response) => {
    if (service.asked.length <= most) response.end('{"1":null}')
  })
  onTestFinished(service.close)
  return service
}

test('a probe of a silent service writes nothing', async ({ place }) => {
  const { url, asked } = await startSilent(0)
  place.write('old.json', '{}\n')
  const { interrupt } = start(place, 'probe', url, '--write', 'old.json')
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  const { status, stdout, stderr } = await interrupt('SIGINT')
  expect({ status, stdout }).toEqual({ status: 'SIGINT', stdout: '' })
  expect(stderr).toMatch(/\nInterrupted\. Nothing was written\.\n$/)
  expect(readFileSync(join(place.path, 'old.json'), 'utf8')).toBe('{}\n')
})

describe('a replay', () => {
  const state = 'lookup-replay.state'
  const log = Array.from({ length: 60 }, (_, at) => `/?Event=a&Users=${at}\n`).join('')

  test('to a service that has become silent, SIGTERM: a partial report, and a state to go on from', async ({
    place,
  }) => {
    place.write('access.log', log)
    const old = await startSilent(Number.POSITIVE_INFINITY)
    const fresh = await startSilent(30)
    const args = ['replay', 'access.log', '--old', old.url, '--rate', '1000', '--json', 'r.json']
    const { interrupt } = start(place, ...args, '--new', fresh.url)
    await expect.poll(() => fresh.asked.length).toBeGreaterThan(30)
    const { status, stdout, stderr } = await interrupt('SIGTERM')
    expect(status).toBe(143)
    expect(stdout).toContain('This is a partial report')
    expect(stderr).toContain(`Interrupted. Progress is in ${state}`)
    const read = () => JSON.parse(readFileSync(join(place.path, 'r.json'), 'utf8'))
    expect(read()).toMatchObject({ complete: false, proven: false })

    // It is asked again, in the same words, and answers.
    const before = old.asked.length
    fresh.close()
    const again = await startAnswering(
      (_, response) => void response.end('{"1":null}'),
      Number(new URL(fresh.url).port),
    )
    onTestFinished(again.close)
    expect((await place.run([...args, '--new', fresh.url])).status).toBe(0)
    expect(read()).toMatchObject({ complete: true, proven: true, total: { requests: 60 } })
    expect(old.asked.length - before).toBeLessThanOrEqual(60 - 30 + 4)
    expect(existsSync(join(place.path, state))).toBe(false)
  })

  test('of a log that does not end, SIGTERM: nothing was sent, and nothing is left', async ({ place }) => {
    const { url, asked } = await startSilent(0)
    const sides = ['--old', url, '--new', `${url}new`]
    const { child, interrupt } = start(place, 'replay', '-', ...sides, '--html', 'r.html')
    child.stdin.write(log)
    // Each side is asked once, to see whether it is there.
    const looks = ['/', '/new'].map((path) => `${path}?Event=ProfileLookup&Users=1`)
    await expect.poll(() => asked.toSorted()).toEqual(looks)
    expect(existsSync(join(place.path, state))).toBe(true)
    const { status, stdout, stderr } = await interrupt('SIGTERM')
    expect({ status, stdout }).toEqual({ status: 143, stdout: '' })
    expect(asked.toSorted()).toEqual(looks)
    expect(stderr).toContain('Interrupted while reading the log')
    for (const file of [state, `${state}-wal`, 'r.html'])
      expect(existsSync(join(place.path, file))).toBe(false)
  })
})
