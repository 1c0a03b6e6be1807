// The program as a process, whose standard error another program reads.

import { once } from 'node:events'
import { expect, onTestFinished } from 'vitest'
import { ask } from './kit/load.ts'
import { holdPort, serve } from './kit/serving.ts'
import { test } from './kit/test.ts'
import { change } from './stores/sqlite/support.ts'

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
