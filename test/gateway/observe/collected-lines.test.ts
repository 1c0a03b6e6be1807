// Lines of requests are written together, and a process that ends has written all of them.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeWorkplace } from '../../kit/workplace.ts'

const LINES = 50
const WAIT = { timeout: 10_000 }

const logger = new URL('../../../src/gateway/observe/logger.ts', import.meta.url)
const standardError = new URL('standard-error.ts', logger)
const setUp = `
  import { createLogger } from ${JSON.stringify(logger.href)}
  let lost = 0
  const onLost = () => void lost++
  const become = (status) => ['-e', 'process.exitCode = ' + status]
  const onStuck = (status) => process.execve(process.execPath, [process.execPath, ...become(status)], {})
  const { observe, load, end } = createLogger({ logLevel: 'info', logSample: 1 }, { onLost, onStuck })
  await load()
  const about = { event: 'ProfileLookup', format: 'JSON', outcome: 'ok', values: 1 }
  const request = (requestId) => observe({ type: 'request', requestId, about, status: 200, duration: 1 })
  for (let at = 1; at <= ${LINES}; at++) request(String(at))
`

/** A process that logs fifty requests and goes on; the ids of requests, or else the types, of its lines. */
function logging(then: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', `${setUp}${then}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const seen: string[] = []
  const lines = createInterface({ input: child.stderr })
  lines.on('line', (line) => {
    if (!line.startsWith('{')) return
    const { requestId, type } = JSON.parse(line)
    seen.push(type === 'request' ? requestId : type)
  })
  return { child, seen, ended: Promise.all([once(child, 'exit'), once(lines, 'close')]) }
}

const all = Array.from({ length: LINES }, (_, index) => String(index + 1))

test.each([
  ['that ends', 'await end()', 0],
  ['that exits', 'process.exit(3)', 3],
  ['that fails', "throw new Error('unforeseen')", 1],
  ['in which nothing is left to do', '', 0],
])('a process %s loses none', async (_name, then, status) => {
  const { child, seen, ended } = logging(then)
  await ended
  expect(child.exitCode).toBe(status)
  expect(seen).toEqual(all)
})

test('a process that fails while a line is being written still says why', async () => {
  const then = `process.stderr; observe({ type: 'unexpected', requestId: '', error: 'no' })
    throw new Error('unforeseen')`
  const { child, seen, ended } = logging(then)
  let said = ''
  child.stderr.on('data', (data) => {
    said += data
  })
  await ended
  expect(child.exitCode).toBe(1)
  expect(seen).toEqual([...all, 'unexpected'])
  expect(said).toContain('Error: unforeseen')
})

test('they are written while the process goes on, without another line', async () => {
  const { child, seen } = logging('setInterval(() => {}, 1000)')
  await expect.poll(() => seen, WAIT).toEqual(all)
  expect(child.exitCode).toBeNull()
})

test('what is no request is written at once, behind them', async () => {
  // No timer can fire.
  const { child, seen } = logging(`observe({ type: 'unexpected', requestId: '', error: 'no' }); for (;;) {}`)
  await expect.poll(() => seen, WAIT).toEqual([...all, 'unexpected'])
  expect(child.exitCode).toBeNull()
})

test('they are written when there are many, before any timer', async () => {
  const { seen } = logging(`for (let more = 0; more < 200; more++) request('more'); for (;;) {}`)
  await expect.poll(() => seen.length, WAIT).toBeGreaterThan(LINES)
})

describe('where lines cannot be written', () => {
  test.each([
    ['exits', 'process.exit(3)', 3],
    ['fails', "throw new Error('unforeseen')", 1],
    ['exits later', 'setTimeout(() => process.exit(3), 300)', 3],
    ['fails later', "setTimeout(() => { throw new Error('unforeseen') }, 300)", 1],
    ['ends', 'await end()', 0],
  ])('a process that %s ends', async (_name, then, status) => {
    const full = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, ['--input-type=module', '-e', `${setUp}${then}`], {
      stdio: ['ignore', 'ignore', full],
      timeout: 20_000,
      killSignal: 'SIGKILL',
    })
    closeSync(full)
    const [code] = await once(child, 'exit')
    expect(code).toBe(status)
  })

  test('those that were being written when the reader had gone are lost, too', async () => {
    const child = spawn(
      process.execPath,
      ['--input-type=module', '-e', `${setUp}await end(); console.log(lost)`],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    child.stderr.destroy()
    let said = ''
    child.stdout.on('data', (data) => {
      said += data
    })
    await once(child, 'close')
    expect(said).toBe(`${LINES}\n`)
  })

  test('a process whose file has reached the limit of its size goes on when there is room again', async () => {
    const place = makeWorkplace()
    onTestFinished(() => place.remove())
    const path = join(place.path, 'log')
    const script = 'ulimit -f 16; exec "$0" --input-type=module -e "$1" 2>>"$2"'
    const child = spawn('sh', ['-c', script, process.execPath, `${setUp}setInterval(() => {}, 1000)`, path])
    onTestFinished(() => void child.kill('SIGKILL'))
    await expect.poll(() => statSync(path, { throwIfNoEntry: false })?.size, WAIT).toBe(16 * 512)
    const before = readFileSync(path, 'utf8')
    truncateSync(path)
    const ids = () => `${before}${readFileSync(path, 'utf8')}`.match(/(?<="requestId":")\d+/g)
    await expect.poll(ids, WAIT).toEqual(all)
  })

  test('a process that exits while its reader has gone ends', async () => {
    const { child } = logging(`
      for (let more = 0; more < 5000; more++) request('more')
      process.stdout.write('full')
      setTimeout(() => process.exit(3), 300)
    `)
    child.stderr.destroy()
    await once(child, 'exit')
    expect(child.exitCode).toBe(3)
  })
})

/** Reads so many bytes a millisecond, after a while. */
const readerOf = (bytes: number) => `
  import { readSync, writeSync } from 'node:fs'
  const rest = (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
  const bytes = Buffer.alloc(${bytes})
  rest(300)
  for (let count; (count = readSync(0, bytes)) > 0; rest(1))
    for (let at = 0; at < count; ) at += writeSync(1, bytes, at, count - at)
`

/** The lines that programs log into one pipe, of the shell, which has a slow reader. */
const readSlowly = (...programs: readonly string[]) => readBy(readerOf(5_000), ...programs)

async function readBy(reader: string, ...programs: readonly string[]): Promise<readonly string[]> {
  const started = programs.map((_, index) => `"$0" --input-type=module -e "$${index + 2}" 2>&3 &`)
  const script = `{ ${started.join(' ')} wait; } 3>&1 >/dev/null | "$0" --input-type=module -e "$1"`
  const child = spawn('sh', ['-c', script, process.execPath, reader, ...programs], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const seen: string[] = []
  const lines = createInterface({ input: child.stdout }).on('line', (line) => seen.push(line))
  await once(lines, 'close')
  return seen
}

/** More than a pipe holds. */
const MORE = 600
const logMore = `${setUp}for (let more = 0; more < ${MORE}; more++) request('more');`

// On a busy machine the reader may come later than that.
test('a slow reader has a second to read what a process that exits has left', { retry: 3 }, async () => {
  const seen = await readSlowly(`${logMore} setTimeout(() => process.exit(3), 200)`)
  expect(seen.map((line) => JSON.parse(line).type)).toEqual(Array(LINES + MORE).fill('request'))
})

test('lines of several processes that share a full pipe do not mix', { retry: 3 }, async () => {
  const seen = await readSlowly(...Array(3).fill(`${logMore} setTimeout(end, 200)`))
  expect(new Set(seen.map((line) => JSON.parse(line).type))).toEqual(new Set(['request']))
  // Of the third process, too, whose writes met a full pipe.
  expect(seen.length).toBeGreaterThan(2 * (LINES + MORE))
})

// As that of a root process that has become another user, or where there is no /proc.
test.skipIf(process.getuid?.() !== 0)('nor do they where the pipe cannot be opened once more', async () => {
  const seen = await readSlowly(
    ...Array(3).fill(`import 'pino'; import ${JSON.stringify(standardError.href)}
        process.setuid(65534); ${logMore} setTimeout(end, 200)`),
  )
  expect(new Set(seen.map((line) => JSON.parse(line).type))).toEqual(new Set(['request']))
  expect(seen.length).toBeGreaterThan(LINES + MORE)
})

test('a reader that comes late gets all that waits, and how many lines were lost', { retry: 3 }, async () => {
  const flood = 60_000
  const seen = await readBy(
    readerOf(65_536),
    `${setUp}for (let at = 0; at < ${flood}; at++) request('more'); end()`,
  )
  const last = JSON.parse(seen.at(-1) ?? '')
  expect(last).toMatchObject({ type: 'log-lines-lost', count: LINES + flood - (seen.length - 1) })
  expect(last.count).toBeGreaterThan(1_000)
})
