// When the old service is gone, src/migration can be deleted, with one line of app.ts and one of cli.ts.

import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../kit/gateway.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('the rest compiles, and works', () => {
  const { path: copy, remove } = temporaryFolder()
  onTestFinished(remove)
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
  const run = (program: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: copy, encoding: 'utf8' })
    return { status, output: stdout + stderr }
  }
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
