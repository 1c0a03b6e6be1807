// SIGTERM, SIGINT and SIGHUP during commands that take long: each ends soon, and leaves nothing half done.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { users } from '../../src/data/users.ts'
import { openImporter } from '../../src/stores/transfer.ts'
import { startAnswering } from '../kit/answering.ts'
import { hasProgram } from '../kit/programs.ts'
import { entry, outcomeOf, startLookup } from '../kit/run-lookup.ts'
import { serve } from '../kit/serving.ts'
import { makeWorkplace, type Workplace } from '../kit/workplace.ts'
import { csv } from '../stores/import-data.ts'
import { query } from '../stores/sqlite/support.ts'

let place: Workplace
let path: string
beforeEach(() => {
  place = makeWorkplace()
  path = join(place.path, 'lookup.db')
})
afterEach(() => place.remove())

const OLD_ROWS = 1000
/** After what a slow machine gives time to say. */
const INTERRUPTED: unknown = expect.stringMatching(/^(?:users: .*\n)*Interrupted\. Nothing was changed\.\n$/)

/** Starts a command whose input stays open: what ends it is a signal, or nothing. */
function start(...args: string[]) {
  const child = startLookup(args, { cwd: place.path })
  child.stdin.on('error', () => {})
  const ended = outcomeOf(child)
  const interrupt = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }
  return { child, interrupt }
}

describe('an import into SQLite', () => {
  const sizeOf = (end: string) => statSync(path + end, { throwIfNoEntry: false })?.size ?? 0
  const versions = () => query(path, 'SELECT display_name, count(*) FROM users GROUP BY display_name')

  /** Old rows, and a gateway that keeps the log from being deleted. */
  async function startOld(): Promise<void> {
    place.write('old.csv', csv('old', OLD_ROWS))
    await place.run(['import', 'users', 'old.csv'])
    await serve({ cwd: place.path })
  }

  async function expectOldDataWhole() {
    expect(versions()).toEqual([['version old', OLD_ROWS]])
    expect(sizeOf('-wal')).toBe(0)
    expect(query(path, 'PRAGMA integrity_check')).toEqual([['ok']])
    // The next one works, and moves all from the log into the database.
    expect(await place.run(['import', 'users', 'old.csv', '--replace'])).toMatchObject({ status: 0 })
    expect(sizeOf('-wal')).toBe(0)
  }

  /** Until a command has taken what it was given. */
  async function give(child: ReturnType<typeof start>['child'], text: string): Promise<void> {
    if (!child.stdin.write(text)) await once(child.stdin, 'drain')
  }

  test.for([
    ['SIGTERM', ['--replace']],
    ['SIGINT', ['--replace']],
    ['SIGTERM', []],
    ['SIGHUP', []],
  ] as const)('from a pipe that is silent, %s, %j', async ([signal, flags]) => {
    await startOld()
    const { child, interrupt } = start('import', 'users', '-', '--format', 'csv', ...flags)
    await give(child, csv('new', 100_000, flags.length === 0 ? OLD_ROWS + 1 : 1))
    expect(await interrupt(signal)).toEqual({ status: signal, stdout: '', stderr: INTERRUPTED })
    await expectOldDataWhole()
  })

  test('when much of it is in the log', async () => {
    await startOld()
    place.write('new.csv', csv('new', 100_000))
    const { interrupt } = start('import', 'users', 'new.csv', '--replace')
    await expect.poll(() => sizeOf('-wal'), { interval: 2 }).toBeGreaterThan(2 ** 20)
    expect(await interrupt('SIGTERM')).toEqual({ status: 'SIGTERM', stdout: '', stderr: INTERRUPTED })
    await expectOldDataWhole()
  })

  test('while an index is made', async () => {
    await startOld()
    place.write('new.csv', csv('new', 400_000))
    const { interrupt } = start('import', 'users', 'new.csv', '--replace')
    // What the rows alone take.
    await expect.poll(() => sizeOf('-wal'), { interval: 2 }).toBeGreaterThan(19 * 2 ** 20)
    expect(await interrupt('SIGTERM')).toMatchObject({ status: 'SIGTERM', stdout: '' })
    await expectOldDataWhole()
  })

  /** Once it is there, an import has begun. */
  const untilBegun = () => expect.poll(() => existsSync(join(place.path, 'rejects.jsonl'))).toBe(true)

  test('from a path that no process writes to', async () => {
    await startOld()
    execFileSync('mkfifo', [join(place.path, 'new.csv')])
    const { interrupt } = start('import', 'users', 'new.csv', '--replace', '--skip-invalid', 'rejects.jsonl')
    await untilBegun()
    expect(await interrupt('SIGTERM')).toEqual({ status: 'SIGTERM', stdout: '', stderr: INTERRUPTED })
    await expectOldDataWhole()
  })

  test('into a database that was not there: it still is not, and there are no rejects of half a file', async () => {
    const flags = ['--format', 'csv', '--skip-invalid', 'rejects.jsonl']
    const { child, interrupt } = start('import', 'users', '-', ...flags)
    await give(child, csv('new', 50_000).replaceAll('0,true', '0,what'))
    await expect.poll(() => statSync(join(place.path, 'rejects.jsonl')).size).toBeGreaterThan(0)
    expect(await interrupt('SIGTERM')).toEqual({ status: 'SIGTERM', stdout: '', stderr: INTERRUPTED })
    for (const end of ['', '-wal', '-shm']) expect(existsSync(path + end)).toBe(false)
    expect(readFileSync(join(place.path, 'rejects.jsonl'), 'utf8')).toBe('')
  })

  test('that waits for another one', async () => {
    await startOld()
    const first = await openImporter({ kind: 'sqlite', path }, users, { replace: true, bulk: true })
    const { interrupt } = start('import', 'users', 'old.csv', '--replace', '--skip-invalid', 'rejects.jsonl')
    await untilBegun()
    expect(await interrupt('SIGTERM')).toEqual({ status: 'SIGTERM', stdout: '', stderr: INTERRUPTED })
    await first.close()
    await expectOldDataWhole()
  })
})

test.skipIf(!hasProgram('script'))('Ctrl+C in a terminal, where a bar is shown', async () => {
  place.write('new.csv', csv('new', 400_000))
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
  expect(existsSync(path)).toBe(false)
})

test('an import that a database keeps waiting', async () => {
  const silent = createServer(() => {})
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void silent.close())
  const address = silent.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const url = `postgres://postgres@127.0.0.1:${port}/nothing`
  const connected = once(silent, 'connection')
  const { interrupt } = start('import', 'users', '-', '--format', 'csv', '--database', url)
  const [socket] = await connected
  expect(await interrupt('SIGTERM')).toEqual({ status: 'SIGTERM', stdout: '', stderr: INTERRUPTED })
  socket.destroy()
})

test('an export ends by the signal, which tells that its output is not whole', async () => {
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
    if (service.asked.length <= most) response.end('{}')
  })
  onTestFinished(service.close)
  return service
}

test.for(['SIGTERM', 'SIGINT'] as const)(
  'a probe of a silent service, %s: nothing is written',
  async (signal) => {
    const { url, asked } = await startSilent(0)
    place.write('.env', 'LEGACY_UNKNOWN=omit\n')
    const { interrupt } = start('probe', url, '--write', '.env')
    await expect.poll(() => asked.length).toBeGreaterThan(0)
    const { status, stdout, stderr } = await interrupt(signal)
    expect({ status, stdout }).toEqual({ status: signal, stdout: '' })
    expect(stderr).toMatch(/\nInterrupted\. Nothing was written\.\n$/)
    expect(readFileSync(join(place.path, '.env'), 'utf8')).toBe('LEGACY_UNKNOWN=omit\n')
  },
)

describe('a replay', () => {
  const state = 'lookup-replay.state'
  const log = Array.from({ length: 60 }, (_, at) => `/?Event=a&Users=${at}\n`).join('')

  test('to a service that has become silent, SIGTERM: a partial report, and a state to go on from', async () => {
    place.write('access.log', log)
    const old = await startSilent(Number.POSITIVE_INFINITY)
    const fresh = await startSilent(30)
    const args = ['replay', 'access.log', '--old', old.url, '--rate', '1000', '--json', 'r.json']
    const { interrupt } = start(...args, '--new', fresh.url)
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
      (_, response) => void response.end('{}'),
      Number(new URL(fresh.url).port),
    )
    onTestFinished(again.close)
    expect((await place.run([...args, '--new', fresh.url])).status).toBe(0)
    expect(read()).toMatchObject({ complete: true, proven: true, total: { requests: 60 } })
    expect(old.asked.length - before).toBeLessThanOrEqual(60 - 30 + 4)
    expect(existsSync(join(place.path, state))).toBe(false)
  })

  test('of a log that does not end, SIGTERM: nothing was sent, and nothing is left', async () => {
    const { url, asked } = await startSilent(0)
    const { child, interrupt } = start('replay', '-', '--old', url, '--new', url, '--html', 'r.html')
    child.stdin.write(log)
    // Each side is asked once, to see whether it is there.
    const look = '/?Event=ProfileLookup&Users=1'
    await expect.poll(() => asked).toEqual([look, look])
    expect(existsSync(join(place.path, state))).toBe(true)
    const { status, stdout, stderr } = await interrupt('SIGTERM')
    expect({ status, stdout, asked }).toEqual({ status: 143, stdout: '', asked: [look, look] })
    expect(stderr).toContain('Interrupted while reading the log')
    for (const file of [state, `${state}-wal`, 'r.html'])
      expect(existsSync(join(place.path, file))).toBe(false)
  })
})
