// Files that secrets are read from, and what is refused: devices, pipes, long files.

import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { readSecret } from '../src/secret-files.ts'
import { temporaryFolder } from './kit/gateway.ts'

const folder = temporaryFolder()
afterAll(folder.remove)
let path: string
let made = 0
beforeEach(() => {
  path = join(folder.path, `secret-${++made}`)
})

test('a file of 64 KiB is read, and one byte more is too much', () => {
  writeFileSync(path, 'é'.repeat(32_768))
  expect(readSecret(path)).toBe('é'.repeat(32_768))
  writeFileSync(path, 'x'.repeat(65_537))
  expect(() => readSecret(path)).toThrow(/^it has more than 64 KiB$/)
})

test.for(['/dev/zero', '/dev/null', '/dev/urandom', '/'])('%s is refused', (other) => {
  expect(() => readSecret(other)).toThrow(/^it is no regular file$/)
})

test('a pipe that no program writes to is refused, and not waited for', () => {
  execFileSync('mkfifo', [path])
  expect(() => readSecret(path)).toThrow(/^it is no regular file$/)
})

test('a file that has no size, but a text', () => {
  expect(readSecret('/proc/self/stat')).toMatch(/^\d+ /)
})

test('links to a file that another one replaces, as in a volume of Kubernetes', () => {
  const publish = (version: string) => {
    mkdirSync(join(path, version), { recursive: true })
    writeFileSync(join(path, version, 'password'), `${version}\n`)
    symlinkSync(version, join(path, '..data-next'))
    renameSync(join(path, '..data-next'), join(path, '..data'))
  }
  publish('first')
  symlinkSync('..data/password', join(path, 'password'))
  expect(readSecret(join(path, 'password'))).toBe('first')
  publish('second')
  expect(readSecret(join(path, 'password'))).toBe('second')
})
