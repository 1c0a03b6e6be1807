// Signals as they really come: from terminals and service managers to every process, and twice.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { requestFor, talking } from '../gateway/http/raw.ts'
import { childrenOf, isAlive } from '../kit/children.ts'
import { hasProgram } from '../kit/programs.ts'
import { entry } from '../kit/run-lookup.ts'
import { originOf, serve } from '../kit/serving.ts'
import { makeWorkplace, type Workplace } from '../kit/workplace.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

const BODY = '{"query":"{ __typename }"}'
const HEADERS = ['Host: a', 'Content-Type: application/json', `Content-Length: ${BODY.length}`]
const HALF = requestFor('/graphql', HEADERS, 'POST') + BODY.slice(0, 9)

/** Sends half a request, lets signals come, and sends the rest. */
const amidst = (address = '', signal: () => Promise<void> | void) =>
  talking(originOf(address), async ({ write, answer }) => {
    write(HALF)
    await pause(200)
    await signal()
    await pause(300)
    write(BODY.slice(9))
    return (await answer()).status
  })

test('a SIGTERM to every process, and once more, breaks off no request', async () => {
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

test.each([
  ['alone', []],
  ['with workers', ['--workers', '2']],
])('what is loaded beside it does not keep it from ending: %s', async (_name, flags) => {
  const nodeFlags = ['--import', 'data:text/javascript,setInterval(() => {}, 1000)']
  const { stop } = await serve({ cwd: place.path, nodeFlags }, ...flags)
  const started = performance.now()
  expect(await stop()).toMatchObject({ status: 0 })
  expect(performance.now() - started).toBeLessThan(9_000)
})

test('a SIGINT that comes twice breaks off no request; one that comes later does', async () => {
  const { shown, process: first, stop } = await serve({ cwd: place.path })
  const twice = async () => {
    first.kill('SIGINT')
    await pause(50)
    first.kill('SIGINT')
  }
  expect(await amidst(shown.GraphiQL, twice)).toBe(200)
  // It is ending; another signal would only race with that.
  expect(await stop('SIGCONT')).toMatchObject({ status: 0 })

  const second = await serve({ cwd: place.path })
  const impatient = amidst(second.shown.GraphiQL, async () => {
    second.process.kill('SIGINT')
    await pause(1500)
    second.process.kill('SIGINT')
  })
  await expect(impatient).rejects.toThrow()
  expect(await second.stop()).toMatchObject({ status: 'SIGINT' })
})

// Node itself cannot make a terminal; the program script can.
describe.skipIf(!hasProgram('script'))('in a terminal', () => {
  async function startInTerminal(count: number) {
    const command = `exec '${process.execPath}' '${entry}' serve --workers ${count}`
    const env = { PATH: process.env.PATH ?? '', PORT: '0', ADMIN_PORT: 'off' }
    const terminal = spawn('script', ['-qefc', command, '/dev/null'], { cwd: place.path, env })
    let shown = ''
    const showing = (pattern: RegExp) =>
      expect.poll(() => shown, { timeout: 10_000, interval: 20 }).toMatch(pattern)
    terminal.stdout.on('data', (data) => {
      shown += data
    })
    await showing(/Data +lookup/)
    const [first = 0] = childrenOf(terminal.pid)
    const workers = childrenOf(first)
    onTestFinished(() => {
      for (const pid of [first, ...workers]) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    })
    const url = /http:\/\/localhost:\d+\//.exec(shown)?.[0]
    return { terminal, shown: () => shown, showing, first, workers, url }
  }

  test('Ctrl+C stops workers, and breaks off no request', async () => {
    const { terminal, url, shown } = await startInTerminal(2)
    const ended = once(terminal, 'exit')
    expect(await amidst(url, () => void terminal.stdin.write('\x03'))).toBe(200)
    expect(await ended).toEqual([0, null])
    expect(shown().match(/"type":"stopped"/g)).toHaveLength(3)
    expect(shown()).not.toContain('worker-lost')
  })

  test('SIGHUP restarts workers while the terminal is there, and its end stops them', async () => {
    const { terminal, showing, first } = await startInTerminal(2)
    process.kill(first, 'SIGHUP')
    await showing(/"restarted"/)
    terminal.kill('SIGKILL')
    await expect.poll(() => isAlive(first), { timeout: 5000 }).toBe(false)
  })

  test('SIGHUP has a process alone open its database anew while the terminal is there', async () => {
    const { terminal, showing, first } = await startInTerminal(1)
    process.kill(first, 'SIGHUP')
    await showing(/"reloaded"/)
    terminal.kill('SIGKILL')
    await expect.poll(() => isAlive(first), { timeout: 5000 }).toBe(false)
  })

  test('its end stops a process alone', async () => {
    const { terminal, first } = await startInTerminal(1)
    terminal.kill('SIGKILL')
    await expect.poll(() => isAlive(first), { timeout: 5000 }).toBe(false)
  })
})
