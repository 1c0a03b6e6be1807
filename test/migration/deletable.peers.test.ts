// Once an old service is gone, its folder may go, too: with one line of app.ts and one of cli.ts.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
let copy: string

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'lookup-without-migration-'))
  for (const name of ['src', 'schema', 'package.json', 'tsconfig.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  rmSync(join(copy, 'src/migration'), { recursive: true })
  for (const file of ['src/app.ts', 'src/cli.ts']) {
    const lines = readFileSync(join(copy, file), 'utf8').split('\n')
    const others = lines.filter((line) => !line.includes('migration/'))
    expect(lines.length - others.length, file).toBe(1)
    writeFileSync(join(copy, file), others.join('\n'))
  }
})
afterAll(() => rmSync(copy, { recursive: true }))

test('the rest compiles, and works', () => {
  expect(run('node_modules/.bin/tsc', '--noEmit')).toEqual({ status: 0, output: '' })
  const lookup = (...args: string[]) => run(process.execPath, 'src/lookup.js', ...args)
  expect(lookup('--help').output).toContain('serve')
  expect(lookup('--help').output).not.toContain('probe')
  expect(lookup('migrate')).toMatchObject({ status: 0 })
  expect(lookup('import', 'users', 'src/data/sample/users.jsonl')).toMatchObject({
    status: 0,
    output: expect.stringMatching(/^Imported \d+ users/),
  })
  expect(lookup('serve', '--print-config').status).toBe(0)
})

function run(program: string, ...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: copy, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}
