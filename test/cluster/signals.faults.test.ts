// Signals as terminals and service managers send them: to every process, and twice.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished } from 'vitest'
import { requestFor, talking } from '../http/raw.ts'
import { childrenOf, isAlive } from '../kit/children.ts'
import { need } from '../kit/programs.ts'
import { entry } from '../kit/run-lookup.ts'
import { originOf, serve } from '../kit/serving.ts'
import { test } from '../kit/test.ts'

const BODY = '{"query":"{ __typename }"}'
const HEADERS = ['Host: a', 'Content-Type: application/json', `Content-Length: ${BODY.length}`]
const HALF = requestFor('/graphql', HEADERS, 'POST') + BODY.slice(0, 9)

/** Sends half a request, then signals, then the other half. */
const amidst = (address = '', signal: () => Promise<void> | void) =>
  talking(originOf(address), async ({ write, answer }) => {
    write(HALF)
    await pause(200)
    await signal()
    await pause(300)
    write(BODY.slice(9))
    return (await answer()).status
  })

test('a SIGTERM to every process, and once more, breaks off no request', async ({ place }) => {
  const { shown, process: first, stop } = await serve({ cwd: place.path }, '--workers', '2')
  const processes = [first.pid ?? 0, ...childrenOf(first.pid)]
  const status = await amidst(shown.GraphiQL, async () => {
    for (const pid of processes) process.kill(pid, 'SIGTERM')
    await pause(100)
    process.kill(first.pid ?? 0, 'SIGTERM')
  })
  expect(status).toBe(200)
  expect(await stop('SIGCONT')).toMatchObject({ status: 0 })
})

test('a SIGINT that comes twice breaks off no request, and stderr has JSON only', async ({ place }) => {
  const env = { LOG_SAMPLE: '0' }
  const { shown, process: first, stop } = await serve({ cwd: place.path, env })
  const twice = async () => {
    first.kill('SIGINT')
    await pause(50)
    first.kill('SIGINT')
  }
  expect(await amidst(shown.GraphiQL, twice)).toBe(200)
  // Another SIGTERM would race with the end.
  const { status, stdout, stderr } = await stop('SIGCONT')
  expect(status).toBe(0)
  expect(stdout).toMatch(/^Lookup Service is running\. Ctrl\+C stops it\.\n/)
  const lines = stderr.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { type: 'started' },
    { type: 'stopping', level: 'info', reason: 'SIGINT' },
    { type: 'stopped' },
  ])
})

// Node itself cannot make a terminal; the program script can.
need('script')
describe('in a terminal', () => {
  async function startInTerminal(cwd: string, count: string) {
    const command = `exec '${process.execPath}' '${entry}' serve --workers ${count}`
    const env = { PATH: process.env.PATH ?? '', PORT: '0', ADMIN_PORT: 'off' }
    const terminal = spawn('script', ['-qefc', command, '/dev/null'], { cwd, env })
    let shown = ''
    terminal.stdout.on('data', (data) => {
      shown += data
    })
    const showing = (pattern: RegExp) => expect.poll(() => shown, { timeout: 40_000 }).toMatch(pattern)
    await showing(/Data +lookup/)
    const [first = 0] = childrenOf(terminal.pid)
    const workers = childrenOf(first)
    onTestFinished(() => {
      for (const pid of [first, ...workers]) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    })
    return { terminal, shown: () => shown, showing, first }
  }

  test('Ctrl+C stops workers, and breaks off no request', async ({ place }) => {
    const { terminal, shown } = await startInTerminal(place.path, '2')
    const ended = once(terminal, 'exit')
    const url = /http:\/\/localhost:\d+\//.exec(shown())?.[0]
    expect(await amidst(url, () => void terminal.stdin.write('\x03'))).toBe(200)
    expect(await ended).toEqual([0, null])
    expect(shown().match(/"type":"stopped"/g)).toHaveLength(3)
    expect(shown()).not.toContain('worker-lost')
  })

  test.for([
    ['2', /"restarted"/],
    ['1', /"reloaded"/],
  ] as const)(
    'SIGHUP reloads %s processes, and stops them once the terminal is gone',
    async (row, { place }) => {
      const [count, line] = row
      const { terminal, showing, first } = await startInTerminal(place.path, count)
      process.kill(first, 'SIGHUP')
      await showing(line)
      terminal.kill('SIGKILL')
      await expect.poll(() => isAlive(first), { timeout: 15_000 }).toBe(false)
    },
  )

  test('SIGHUP reloads a gateway that was left running when its terminal ended', async ({ place }) => {
    const log = join(place.path, 'log')
    // Job control: the gateway is no part of the group in the foreground, which the end of the terminal
    // signals.
    const lines = [
      'set -m',
      `PORT=0 ADMIN_PORT=off '${process.execPath}' '${entry}' serve &> log & echo $! > pid`,
      'until grep -q started log; do sleep 0.1; done',
    ]
    writeFileSync(join(place.path, 'start'), lines.join('\n'))
    const options = { cwd: place.path, env: { PATH: process.env.PATH ?? '' } }
    const terminal = spawn('script', ['-qefc', 'exec bash start', '/dev/null'], options)
    await once(terminal, 'exit')
    const pid = Number(readFileSync(join(place.path, 'pid'), 'utf8'))
    onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGKILL')))
    await pause(4_000)
    process.kill(pid, 'SIGHUP')
    await expect.poll(() => readFileSync(log, 'utf8')).toContain('"reloaded"')
    expect(isAlive(pid)).toBe(true)
  })
})
