// Nobody reads standard error: a log collector hangs, or a supervisor holds the other end of a pipe. The
// service goes on, and every process ends with its exit code.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished } from 'vitest'
import { requestFor } from '../http/raw.ts'
import { entry } from '../kit/run-lookup.ts'
import { originOf } from '../kit/serving.ts'
import { test } from '../kit/test.ts'
import type { Workplace } from '../kit/workplace.ts'

/** A file descriptor that the end of the test closes. */
function open(path: string, flags: string | number): number {
  const descriptor = openSync(path, flags)
  onTestFinished(() => closeSync(descriptor))
  return descriptor
}

/** A named pipe that is open for reading, and is not read. */
function openPipe({ path }: Workplace): number {
  const pipe = join(path, 'log')
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
  return open(pipe, constants.O_RDWR)
}

function fullPipe(place: Workplace): number {
  const pipe = openPipe(place)
  const writer = openSync(join(place.path, 'log'), constants.O_WRONLY | constants.O_NONBLOCK)
  const fill = () => {
    for (;;) writeSync(writer, Buffer.alloc(4096, 'x'))
  }
  expect(fill).toThrow('EAGAIN')
  closeSync(writer)
  return pipe
}

interface Options {
  readonly env?: NodeJS.ProcessEnv
  readonly workers?: string
}

/** @param stderr a file descriptor; a child's pipe is a socket to Node, and no process reads this one */
async function start({ path }: Workplace, stderr: number | 'pipe', options: Options = {}) {
  const { env = {}, workers = '1' } = options
  const child = spawn(process.execPath, [entry, 'serve', '--workers', workers], {
    cwd: path,
    env: { PATH: process.env.PATH ?? '', PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'debug', ...env },
    stdio: ['ignore', 'pipe', stderr],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let welcome = ''
  child.stdout?.on('data', (data) => {
    welcome += data
  })
  const shown = (label: string) => new RegExp(`${label} +(\\S+)`).exec(welcome)?.[1]
  await expect.poll(() => shown('Data'), { timeout: 40_000 }).toBeDefined()
  const admin = originOf(shown('Readiness'))
  const lostLines = async () => {
    const text = await (await fetch(`${admin}/metrics`)).text()
    return Number(/^lookup_log_lines_lost_total (\d+)$/m.exec(text)?.[1])
  }
  const ended = once(child, 'exit')
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  return { child, url: originOf(shown('Legacy JSON')), lostLines, ended, stop }
}

/** Sends requests until so many have a response. Each is a line of some 400 bytes. */
async function flood(url: string, count: number): Promise<void> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).setEncoding('latin1')
  onTestFinished(() => void socket.destroy())
  const headers = ['Host: a', `X-Request-Id: ${'x'.repeat(128)}`]
  const batch = 500
  let answered = 0
  let rest = ''
  socket.on('data', (text: string) => {
    const parts = `${rest}${text}`.split('HTTP/1.1 ')
    answered += parts.length - 1
    // The name of the protocol may come in two pieces.
    rest = (parts.at(-1) ?? '').slice(-8)
  })
  for (let sent = 0; sent < count; sent += batch) {
    socket.write(requestFor('/?Event=ProfileLookup&Users=1', headers).repeat(batch))
    await expect.poll(() => answered, { interval: 5, timeout: 40_000 }).toBe(sent + batch)
  }
  socket.destroy()
}

// A pipe holds 64 KiB. A socket cannot be opened anew.
test.for([
  ['a full pipe', (place) => openPipe(place), '1'],
  ['a full pipe', (place) => openPipe(place), '2'],
  ['a full socket', () => 'pipe', '1'],
  ['a full socket', () => 'pipe', '2'],
  ['a full device', () => open('/dev/full', 'w'), '1'],
] as const satisfies readonly (readonly [string, (place: Workplace) => number | 'pipe', string])[])(
  '%s: the service serves, and ends on SIGTERM',
  async ([, stderrOf, workers], { place }) => {
    const { url, stop } = await start(place, stderrOf(place), { workers })
    await flood(url, 2_000)
    expect(await stop()).toEqual([0, null])
  },
)

test('lines beyond what may wait are lost and counted; a reader is told how many', async ({ place }) => {
  const { url, lostLines, stop } = await start(place, openPipe(place))
  // 8 MiB may wait.
  await flood(url, 40_000)
  const lost = await lostLines()
  expect(lost).toBeGreaterThan(100)
  const lines: Record<string, unknown>[] = []
  const reader = spawn('cat', [join(place.path, 'log')], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void reader.kill())
  createInterface(reader.stdout).on('line', (line) => lines.push(JSON.parse(line)))
  const linesOf = (wanted: string) => lines.filter(({ type }) => type === wanted)
  await expect.poll(() => linesOf('log-lines-lost')).toMatchObject([{ level: 'warn', count: lost }])
  // From then on nothing is lost.
  await flood(url, 500)
  expect(await stop()).toEqual([0, null])
  await expect.poll(() => linesOf('stopped')).toHaveLength(1)
  expect(linesOf('log-lines-lost')).toHaveLength(1)
})

test.for([
  ['a setting that is wrong', ['serve', '--port', 'x'], 2],
  ['a flag that is none', ['serve', '--nonsense'], 2],
  ['an import of no file', ['import', 'users', 'none.csv'], 1],
] as const)('a full pipe and %s: the command ends by its exit code', async ([, args, status], { place }) => {
  const stdio = ['ignore', 'ignore', fullPipe(place)] as const
  const child = spawn(process.execPath, [entry, ...args], { cwd: place.path, stdio: [...stdio] })
  onTestFinished(() => void child.kill('SIGKILL'))
  expect(await once(child, 'exit')).toEqual([status, null])
})
