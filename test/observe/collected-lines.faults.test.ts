// Lines of requests are collected and written together; a process that ends has written all of them.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished } from 'vitest'
import { test } from '../kit/test.ts'

const LINES = 50
const WAIT = { timeout: 10_000 }
const all = Array.from({ length: LINES }, (_, index) => String(index + 1))

const logger = new URL('../../src/observe/log.ts', import.meta.url)
const setUp = `
  import { createLogger } from ${JSON.stringify(logger.href)}
  let lost = 0
  const onLost = (lines) => void (lost += lines)
  const { observe, end } = createLogger({ logLevel: 'info', logSample: 1 }, { onLost })
  const about = { event: 'ProfileLookup', format: 'JSON', outcome: 'ok', values: 1 }
  const request = (requestId) => observe({ type: 'request', requestId, about, status: 200, duration: 1 })
  for (let at = 1; at <= ${LINES}; at++) request(String(at))
`

/** A process that logs fifty requests and goes on. */
function logging(then: string, stderr: 'pipe' | number = 'pipe') {
  const child = spawn(process.execPath, ['--input-type=module', '-e', `${setUp}${then}`], {
    stdio: ['ignore', 'pipe', stderr],
    timeout: 20_000,
    killSignal: 'SIGKILL',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  /** The ids of requests, or else the types, of its lines. */
  const seen: string[] = []
  let other = ''
  if (child.stderr !== null)
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (!line.startsWith('{')) other += line
      else seen.push(JSON.parse(line).requestId || JSON.parse(line).type)
    })
  const printed = child.stdout === null ? '' : text(child.stdout)
  return { child, seen, other: () => other, printed, ended: once(child, 'close') }
}

test.for([
  ['ends', 'await end()', 0],
  ['exits', 'process.exit(3)', 3],
  ['fails', "throw new Error('unforeseen')", 1],
  ['has nothing left to do', '', 0],
] as const)('a process that %s loses no line', async ([, then, status]) => {
  const { seen, ended } = logging(then)
  expect(await ended).toEqual([status, null])
  expect(seen).toEqual(all)
})

test.for([
  ['while the process goes on', 'setInterval(() => {}, 1000)', all],
  // The loop lets no timer fire.
  [
    'before a line of another kind',
    `observe({ type: 'unexpected', error: 'no' }); for (;;) {}`,
    [...all, 'unexpected'],
  ],
  ['when there are many', `for (let more = 0; more < 200; more++) request('more'); for (;;) {}`, all],
] as const)('lines are written %s', async ([, then, lines]) => {
  const { child, seen } = logging(then)
  await expect.poll(() => seen.slice(0, lines.length), WAIT).toEqual(lines)
  expect(child.exitCode).toBeNull()
})

test('without a reader, lines are lost and the process ends', async () => {
  const counting = logging('await end(); console.log(lost)')
  counting.child.stderr?.destroy()
  expect(await counting.printed).toBe(`${LINES}\n`)
  const flood = `for (let more = 0; more < 5000; more++) request('more')`
  const exiting = logging(`${flood}; setTimeout(() => process.exit(3), 300)`)
  exiting.child.stderr?.destroy()
  expect(await once(exiting.child, 'exit')).toEqual([3, null])
})

/**
 * The lines that programs log into one pipe, whose reader begins late and reads so many bytes a millisecond.
 */
async function readSlowly(bytes: number, ...programs: readonly string[]) {
  const reader = `
    import { readSync, writeSync } from 'node:fs'
    const rest = (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
    const bytes = Buffer.alloc(${bytes})
    rest(300)
    for (let count; (count = readSync(0, bytes)) > 0; rest(1))
      for (let at = 0; at < count; ) at += writeSync(1, bytes, at, count - at)`
  const started = programs.map((_, index) => `"$0" --input-type=module -e "$${index + 2}" 2>&3 &`)
  const script = `{ ${started.join(' ')} wait; } 3>&1 >/dev/null | "$0" --input-type=module -e "$1"`
  const child = spawn('sh', ['-c', script, process.execPath, reader, ...programs], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = (await text(child.stdout)).trimEnd().split('\n')
  return lines.map((line): { readonly type: string; readonly count?: number } => JSON.parse(line))
}

/** Together larger than the buffer of a pipe. */
const MORE = 600
const logMore = `${setUp}for (let more = 0; more < ${MORE}; more++) request('more');`
const typesOf = (lines: readonly { readonly type: string }[]) => new Set(lines.map(({ type }) => type))

const logAndEnd = `${logMore} setTimeout(end, 200)`
// Like a root process that has become another user, or a system without /proc.
const withoutReopening = `process.setuid(65534); ${logAndEnd}`
test.skipIf(process.getuid?.() !== 0).for([
  ['a full pipe', logAndEnd, 2 * (LINES + MORE)],
  ['a full pipe that cannot be opened again', withoutReopening, LINES + MORE],
] as const)('lines of processes that share %s do not mix', { retry: 3 }, async ([, program, least]) => {
  const lines = await readSlowly(5_000, ...Array<string>(3).fill(program))
  expect(typesOf(lines)).toEqual(new Set(['request']))
  expect(lines.length).toBeGreaterThan(least)
})
