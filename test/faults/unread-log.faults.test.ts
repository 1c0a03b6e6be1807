// Standard error is not read: a log collector hangs, or a supervisor keeps the other end of a pipe and
// forgets it.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { requestFor } from '../gateway/http/raw.ts'
import { hasProgram } from '../kit/programs.ts'
import { entry } from '../kit/run-lookup.ts'
import { originOf } from '../kit/serving.ts'
import { hasSmallDisks, makeSmallDisk } from '../kit/small-disk.ts'
import { makeWorkplace, type Workplace } from '../kit/workplace.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

/** A named pipe that is open for reading, and is not read. */
function openPipe(): number {
  const path = join(place.path, 'log')
  expect(spawnSync('mkfifo', [path]).status).toBe(0)
  const pipe = openSync(path, constants.O_RDWR)
  onTestFinished(() => closeSync(pipe))
  return pipe
}

const start = (stderr: number | 'pipe', ...flags: string[]) => startWith({}, stderr, ...flags)

async function startWith(more: NodeJS.ProcessEnv, stderr: number | 'pipe', ...flags: string[]) {
  const args = [entry, 'serve', ...flags]
  const env = { PATH: process.env.PATH ?? '', PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'debug', ...more }
  const child = spawn(process.execPath, args, { cwd: place.path, env, stdio: ['ignore', 'pipe', stderr] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let welcome = ''
  child.stdout?.on('data', (data) => {
    welcome += data
  })
  const shown = (label: string) => new RegExp(`${label} +(\\S+)`).exec(welcome)?.[1]
  await expect.poll(() => shown('Data')).toBeDefined()
  const url = originOf(shown('Legacy JSON'))
  const ended = once(child, 'exit')
  return { child, url, admin: originOf(shown('Readiness')), ended }
}

/** Sends requests without a pause until so many are answered. */
async function flood(url: string, count: number): Promise<void> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).setEncoding('latin1')
  onTestFinished(() => void socket.destroy())
  const id = 'x'.repeat(128)
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
    socket.write(
      requestFor('/?Event=ProfileLookup&Users=1', ['Host: a', `X-Request-Id: ${id}`]).repeat(batch),
    )
    await expect.poll(() => answered, { interval: 5 }).toBe(sent + batch)
  }
  socket.destroy()
}

const lostLines = async (admin: string) =>
  Number(/^lookup_log_lines_lost_total (\d+)$/m.exec(await (await fetch(`${admin}/metrics`)).text())?.[1])

test.for([['1'], ['2']])('a full pipe: %s processes serve, and end on SIGTERM', async ([workers = '']) => {
  const { child, url, ended } = await start(openPipe(), '--workers', workers)
  // The pipe holds 64 KiB, which is some 160 requests.
  await flood(url, 2_000)
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

test('lines beyond what may wait are lost and counted; their number is logged when there is a reader', async () => {
  const pipe = openPipe()
  const { child, url, admin, ended } = await start(pipe)
  await flood(url, 40_000)
  const lost = await lostLines(admin)
  expect(lost).toBeGreaterThan(1_000)
  const lines: Record<string, unknown>[] = []
  const reader = spawn('cat', [join(place.path, 'log')], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void reader.kill())
  createInterface(reader.stdout).on('line', (line) => lines.push(JSON.parse(line)))
  const told = () => lines.filter(({ type }) => type === 'log-lines-lost')
  await expect.poll(told).toMatchObject([{ level: 'warn', count: lost }])
  // From then on nothing is lost.
  await flood(url, 500)
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  await expect.poll(() => lines.filter(({ type }) => type === 'stopped')).toHaveLength(1)
  expect(told()).toHaveLength(1)
})

test.for([['1'], ['2']])(
  'a full socket, which cannot be opened anew: %s processes end on SIGTERM',
  async ([workers = '']) => {
    // A child's pipe is a socket to Node; no process reads this one.
    const { child, url, ended } = await start('pipe', '--workers', workers)
    await flood(url, 5_000)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  },
)

const canSetBlocking = hasProgram('python3')

test.skipIf(!canSetBlocking)(
  'a write that blocks, as another process has set it, does not keep the process',
  async () => {
    const { child, url, ended } = await start('pipe')
    setBlocking(child.pid)
    await flood(url, 5_000)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  },
)

test.skipIf(!canSetBlocking).for([
  // A write has blocked for longer than a second by then, or for less.
  ['exits', 'process.exit(3)', 3, 1_500],
  ['exits soon', 'process.exit(3)', 3, 0],
  ['fails', "throw new Error('unforeseen')", 1, 1_500],
  ['fails soon', "throw new Error('unforeseen')", 1, 0],
] as const)('a process whose write blocks, and that %s, ends with its exit status', async (one) => {
  const [, then, status, blocked] = one
  const program = encodeURIComponent(`process.on('SIGUSR2', () => { ${then} })`)
  const { child, url, ended } = await startWith(
    { NODE_OPTIONS: `--import=data:text/javascript,${program}` },
    'pipe',
  )
  setBlocking(child.pid)
  await flood(url, 5_000)
  await pause(blocked)
  child.kill('SIGUSR2')
  expect(await ended).toEqual([status, null])
})

/** As a process does that shares standard error. */
function setBlocking(pid: number | undefined): void {
  const program = `
import ctypes, fcntl, os, sys
PIDFD_GETFD = 438
fd = ctypes.CDLL(None).syscall(PIDFD_GETFD, os.pidfd_open(int(sys.argv[1])), 2, 0)
fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) & ~os.O_NONBLOCK)
`
  const { status, stderr } = spawnSync('python3', ['-c', program, String(pid)], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
}

describe('a start that fails', () => {
  const wrong = ['serve', '--port', 'x']

  test.for([
    ['a full pipe', () => fullPipe(), wrong, 2],
    ['a full pipe, and a flag that is none', () => fullPipe(), ['serve', '--nonsense'], 2],
    ['a full pipe, and an import of no file', () => fullPipe(), ['import', 'users', 'none.csv'], 1],
  ] as const)('%s: it ends all the same, by its exit code', async ([, open, args, status]) => {
    const stdio = ['ignore', 'ignore', open()] as const
    const child = spawn(process.execPath, [entry, ...args], { cwd: place.path, stdio: [...stdio] })
    onTestFinished(() => void child.kill('SIGKILL'))
    expect(await once(child, 'exit')).toEqual([status, null])
  })

  function fullPipe(): number {
    const pipe = openPipe()
    const writer = openSync(join(place.path, 'log'), constants.O_WRONLY | constants.O_NONBLOCK)
    const fill = () => {
      for (;;) writeSync(writer, Buffer.alloc(4096, 'x'))
    }
    expect(fill).toThrow('EAGAIN')
    closeSync(writer)
    return pipe
  }
})

test('a full device: the process ends by its exit code', async () => {
  const device = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(device))
  const { child, url, ended } = await start(device)
  await flood(url, 500)
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

test.skipIf(!hasSmallDisks())('a full disk: likewise, and lines that do not fit are counted', async () => {
  const disk = makeSmallDisk('64k')
  onTestFinished(disk.remove)
  const file = openSync(join(disk.path, 'log'), 'a')
  onTestFinished(() => closeSync(file))
  const { child, url, admin, ended } = await start(file)
  // 8 MiB wait.
  await flood(url, 40_000)
  expect(disk.free()).toBe(0)
  expect(await lostLines(admin)).toBeGreaterThan(1_000)
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})
