// Files that secrets are read from, and that are none: devices, pipes, files without an end.

import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { readSecret } from '../src/secret-files.ts'
import { temporaryFolder } from './kit/gateway.ts'
import { entry, outcomeOf } from './kit/run-lookup.ts'

const folder = temporaryFolder()
afterAll(folder.remove)
let path: string
let made = 0
beforeEach(() => {
  path = join(folder.path, `secret-${++made}`)
})
const makePipe = () => expect(spawnSync('mkfifo', [path]).status).toBe(0)

/** A program that does something with the pipe. */
function shell(command: string) {
  const child = spawn('bash', ['-c', command, 'bash', path], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test('a file of 64 KiB is read, and one byte more is too much', () => {
  writeFileSync(path, 'é'.repeat(32_768))
  expect(readSecret(path)).toBe('é'.repeat(32_768))
  writeFileSync(path, 'x'.repeat(65_537))
  expect(() => readSecret(path)).toThrow(/^it has more than 64 KiB$/)
})

test.for(['/dev/zero', '/dev/null', '/dev/urandom'])('%s is refused', (device) => {
  expect(() => readSecret(device)).toThrow(/^it is a device$/)
})

test('a file that has no size, but a text', () => {
  expect(readSecret('/proc/self/stat')).toMatch(/^\d+ /)
})

describe('at the start', () => {
  /** What a shell makes of `lookup serve --print-config` with such a text for a setting. */
  function start(setting: string) {
    const command = `DATABASE_URL=postgres://u@a/x ${setting} exec "$@"`
    const args = ['-c', command, 'bash', process.execPath, entry, 'serve', '--print-config']
    const child = spawn('bash', args, { cwd: folder.path, timeout: 60_000, killSignal: 'SIGKILL' })
    return outcomeOf(child)
  }

  test('process substitution works, though the program takes its time', async () => {
    const outcome = await start('DATABASE_PASSWORD_FILE=<(sleep 2; echo secret)')
    expect(outcome).toMatchObject({ status: 0, stderr: '' })
  })

  test('the same for a URL, which is read twice', async () => {
    const outcome = await start('DATABASE_URL= DATABASE_URL_FILE=<(echo postgres://u:secret@a.example/x)')
    expect(outcome).toMatchObject({ status: 0, stderr: '' })
    expect(outcome.stdout).toMatch(/^DATABASE_URL=postgres:\/\/u:\*\*\*@a\.example\/x +# DATABASE_URL_FILE$/m)
  })

  test('a pipe that no program writes to is waited for, but not for ever', async () => {
    makePipe()
    expect(await start(`DATABASE_PASSWORD_FILE=${path}`)).toEqual({
      status: 2,
      stdout: '',
      stderr: `The file ${path}, of DATABASE_PASSWORD_FILE (environment), cannot be read: it is a pipe, and no text and end came in time. Check the path, the rights and the text.\n`,
    })
  })
})

describe('a pipe, later', () => {
  beforeEach(() => expect.poll(process.uptime, { timeout: 20_000 }).toBeGreaterThan(10))

  test.for([
    ['that no program writes to', 'sleep 60'],
    ['that is held open, and silent', 'exec 3<>"$1"; sleep 60'],
    ['that does not end', 'exec 3<>"$1"; printf a-part >&3; sleep 60'],
  ] as const)('%s does not keep requests waiting', ([, command]) => {
    makePipe()
    shell(command)
    const started = performance.now()
    expect(() => readSecret(path)).toThrow(/^it is a pipe, and no text and end came in time$/)
    expect(performance.now() - started).toBeLessThan(1_000)
  })

  /** Starts a program that offers a number to one reader, then the next. @returns the one that is read first */
  async function readOffered(): Promise<string> {
    makePipe()
    shell(`trap '' PIPE; for n in {1..9999}; do [ -p "$1" ] || exit; echo $n > "$1"; sleep 0.02; done`)
    let text = ''
    const read = () => {
      try {
        text = readSecret(path)
      } catch {} // the program has not begun
      return text
    }
    await expect.poll(read).not.toBe('')
    return text
  }

  test('is read once, and leaves what is written afterwards to others', async () => {
    const text = await readOffered()
    for (let again = 0; again < 20; again++) expect(readSecret(path)).toBe(text)
    const other = spawnSync('timeout', ['20', 'cat', path], { encoding: 'utf8' }).stdout.trim()
    expect(Number(other)).toBe(Number(text.split('\n').at(-1)) + 1)
  })

  test('that becomes a file is read again', async () => {
    await readOffered()
    spawnSync('rm', [path])
    writeFileSync(path, 'a file')
    await expect.poll(() => readSecret(path)).toBe('a file')
  })
})
