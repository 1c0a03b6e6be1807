// The program as a process: with an old Node, and with a standard error that is closed early.

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished } from 'vitest'
import { ask } from './kit/load.ts'
import { oldNode } from './kit/programs.ts'
import { entry } from './kit/run-lookup.ts'
import { holdPort, serve } from './kit/serving.ts'
import { test } from './kit/test.ts'
import { change } from './stores/sqlite/support.ts'

const old = oldNode()

test.skipIf(old === undefined)('an old Node is told in one line what to do', () => {
  for (const args of [[], ['serve'], ['--help']]) {
    const { status, stdout, stderr } = spawnSync(old ?? '', [entry, ...args], { encoding: 'utf8' })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(
      /^Lookup Service needs Node 24 or newer, and this is Node \d+\.\d+\.\d+\. .*npm install.*\n$/,
    )
  }
})

test('what was logged before a complaint is written before it', async ({ place }) => {
  await place.run(['migrate'])
  change(`${place.path}/lookup.db`, 'PRAGMA journal_mode = DELETE')
  const { port, release } = await holdPort()
  onTestFinished(release)
  const env = { PORT: String(port), ADMIN_PORT: '0' }
  const { status, stderr } = await place.runProcess(['serve'], { env })
  expect(status).toBe(1)
  expect(stderr).toMatch(/^\{[^\n]*"type":"database-warning"[^\n]*\}\nCannot listen [^\n]*\n$/)
})

test('a log whose reader has gone does not stop the gateway', async ({ place }) => {
  const { shown, process } = await serve({ cwd: place.path, env: { LOG_LEVEL: 'debug' } })
  process.stderr.destroy()
  for (let request = 1; request <= 5; request++)
    expect((await ask(shown['Legacy JSON'] ?? '')).status).toBe(200)
  process.kill('SIGTERM')
  expect(await once(process, 'exit')).toEqual([0, null])
})
