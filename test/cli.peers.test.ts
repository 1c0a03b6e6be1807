import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parsePrometheus } from './gateway/observe/prometheus.ts'
import { oldNode } from './kit/programs.ts'
import { entry } from './kit/run-lookup.ts'
import { holdPort, serve } from './kit/serving.ts'
import { makeWorkplace, type Workplace } from './kit/workplace.ts'
import { change } from './stores/sqlite/support.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

const start = (env: Readonly<Record<string, string>> = {}) => serve({ cwd: place.path, env })

describe('a port that is taken', () => {
  test('is one line and exit 1', async () => {
    const { port, release } = await holdPort()
    const env = { PORT: String(port), ADMIN_PORT: '0', LOG_LEVEL: 'silent' }
    const { status, stdout, stderr } = await place.runProcess(['serve'], { env })
    release()
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toBe(
      `Cannot listen (listen EADDRINUSE: address already in use 127.0.0.1:${port}): the port is already in use. Stop the program that uses it, or choose another PORT.\n`,
    )
  })

  test('is told behind what was logged before', async () => {
    await place.run(['migrate'])
    change(`${place.path}/lookup.db`, 'PRAGMA journal_mode = DELETE')
    const { port, release } = await holdPort()
    const { status, stderr } = await place.runProcess(['serve'], {
      env: { PORT: String(port), ADMIN_PORT: '0' },
    })
    release()
    expect(status).toBe(1)
    expect(stderr).toMatch(/^\{[^\n]*"type":"database-warning"[^\n]*\}\nCannot listen [^\n]*\n$/)
  })

  test('by default, where it is the admin port, is a warning', async () => {
    const { release } = await holdPort(4001)
    // An empty text is as good as none.
    const { shown, stop } = await start({ ADMIN_PORT: '' })
    expect(Object.keys(shown)).not.toContain('Readiness')
    expect((await fetch(shown['Legacy JSON'] ?? '')).status).toBe(200)
    const { status, stderr } = await stop()
    release()
    expect(status).toBe(0)
    const warning = stderr.split('\n').find((line) => line.includes('admin-skipped')) ?? '{}'
    expect(JSON.parse(warning)).toMatchObject({ level: 'warn', reason: expect.stringContaining('4001') })
  })

  test('by choice, where it is the admin port, is one line and exit 1', async () => {
    const { port, release } = await holdPort()
    const env = { PORT: '0', ADMIN_PORT: String(port), LOG_LEVEL: 'silent' }
    const { status, stdout, stderr } = await place.runProcess(['serve'], { env, timeout: 5000 })
    release()
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(
      new RegExp(`^Cannot listen .*:${port}\\): .* is already in use\\. .* choose another ADMIN_PORT\\.\n$`),
    )
  })

  test('is told from an address that this machine does not have', async () => {
    const { status, stderr } = await place.runProcess(['serve', '--host', '192.0.2.1', '--port', '0'])
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(
        /^Cannot listen .*192\.0\.2\.1.*: this machine does not have the address\. Choose another HOST\.\n$/,
      ),
    })
  })
})

describe('the admin port', () => {
  const paths = ['/live', '/ready', '/metrics'] as const
  const base = (address = '') => new URL(address).origin

  test('says it is live, ready only while the data can be reached, and counts', async () => {
    const { shown } = await start()
    const admin = base(shown.Readiness)
    const statuses = () => Promise.all(paths.map(async (path) => (await fetch(admin + path)).status))
    await fetch(shown['Legacy JSON'] ?? '')
    expect(await statuses()).toEqual([200, 200, 200])
    const metrics = parsePrometheus(await (await fetch(`${admin}/metrics`)).text())
    expect(metrics.get('lookup_requests_total{event="ProfileLookup",format="JSON",outcome="ok"}')).toBe(1)

    change(`${place.path}/lookup.db`, 'ALTER TABLE users RENAME TO gone')
    expect(await statuses()).toEqual([200, 503, 200])
    const refused = await fetch(shown['Legacy JSON'] ?? '')
    expect(refused.status).toBe(503)
    expect(await refused.text()).toContain('"Unavailable"')

    change(`${place.path}/lookup.db`, 'ALTER TABLE gone RENAME TO users')
    expect(await statuses()).toEqual([200, 200, 200])
  })

  test('answers nothing else, and the public port answers none of it', async () => {
    const { shown } = await start()
    for (const path of [
      '/',
      '/graphql',
      '/ready/',
      '/live?x',
      '/constructor',
      '/?Event=ProfileLookup&Users=1',
    ]) {
      expect((await fetch(base(shown.Readiness) + path)).status).toBe(404)
    }
    for (const path of paths) expect((await fetch(base(shown.Explorer) + path)).status).toBe(404)
  })
})

test('a log whose reader has gone does not stop the gateway', async () => {
  const { shown, process } = await start({ LOG_LEVEL: 'debug' })
  process.stderr.destroy()
  for (let request = 1; request <= 5; request++) {
    const { status } = await fetch(shown['Legacy JSON'] ?? '')
    expect(status).toBe(200)
  }
  process.kill('SIGTERM')
  expect(await once(process, 'exit')).toEqual([0, null])
})

describe('an old Node', () => {
  const old = oldNode()

  test.skipIf(old === undefined)('is told in one line what to do', () => {
    for (const args of [[], ['serve'], ['--help']]) {
      const { status, stdout, stderr } = spawnSync(old ?? '', [entry, ...args], { encoding: 'utf8' })
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
      expect(stderr).toMatch(
        /^Lookup Service needs Node 24 or newer, and this is Node \d+\.\d+\.\d+\. .*npm install.*\n$/,
      )
    }
  })
})
