import { spawnSync } from 'node:child_process'
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeClone } from '../kit/documentation.ts'

test('`lookup schema --check` exits 1 and names the stale files; --write mends them', () => {
  const { path, remove } = makeClone()
  onTestFinished(remove)
  const run = (flag: string) =>
    spawnSync(process.execPath, ['src/lookup.js', 'schema', flag], { cwd: path, encoding: 'utf8' })
  appendFileSync(join(path, 'schema/legacy.xsd'), ' ')
  rmSync(join(path, 'schema/legacy.openapi.json'))
  expect(run('--check')).toMatchObject({
    status: 1,
    stdout: '',
    stderr: 'Stale: schema/legacy.openapi.json, schema/legacy.xsd. Run "npm run codegen".\n',
  })
  expect(run('--write').status).toBe(0)
  expect(run('--check').status).toBe(0)
})
