// A low limit of open files: the gateway logs a warning and refuses connections in time, so that the admin
// port still responds.

import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { ask } from '../kit/load.ts'
import { readLog } from '../kit/log.ts'
import { entry } from '../kit/run-lookup.ts'
import { originOf } from '../kit/serving.ts'
import { test } from '../kit/test.ts'

test('200 clients of a process that may open 64 files', async ({ place }) => {
  const script = 'ulimit -n 64; exec "$0" "$@"'
  const env = { PATH: process.env.PATH, PORT: '0', ADMIN_PORT: '0' }
  const gateway = spawn('sh', ['-c', script, process.execPath, entry, 'serve'], { cwd: place.path, env })
  onTestFinished(() => void gateway.kill('SIGKILL'))
  const log = readLog(gateway.stderr)
  const started = log.next('started', 40_000)
  const refused = log.next('connections-refused', 40_000)
  const { address, admin } = await started
  expect(log.of('setting-warning')).toMatchObject([{ reason: expect.stringContaining('ulimit -n') }])
  const { hostname, port } = new URL(originOf(String(address)))
  for (let client = 0; client < 200; client++) {
    const socket = connect(Number(port), hostname).on('error', () => {})
    onTestFinished(() => void socket.destroy())
  }
  expect(Number((await refused).count)).toBeGreaterThan(100)
  expect((await ask(`${originOf(String(admin))}/ready`)).status).toBe(200)
})
