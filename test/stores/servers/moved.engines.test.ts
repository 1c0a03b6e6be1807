// A host name that gets another address: connections move there, though the old address still answers.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { engines } from '../../kit/engines.ts'
import { temporaryFolder } from '../../kit/gateway.ts'
import { canMount } from '../../kit/programs.ts'

const room = new URL('../../../src/stores/', import.meta.url).href

/** Asks twenty times a second, over a connection that lives for a second, and shows where that goes. */
const program = `
  const { kind, url } = process.env
  const { openPool } = await import('${room}servers/pool.ts')
  const { createLogin, lookupLimits } = await import('${room}servers/login.ts')
  const { connectionTo } = await import('${room}' + kind + '/connection.ts')
  const { errors } = await import('${room}' + kind + '/errors.ts')
  const { connect } = await import('${room}' + kind + '/session.ts')
  let address
  const watched = async (config, socket) => {
    const session = await connect(config, socket)
    address = socket.remoteAddress
    return session
  }
  const login = createLogin(() => connectionTo(url, lookupLimits(2000)))
  const pool = openPool(watched, errors, login, { max: 1, maxLifetimeSeconds: 1 })
  for (;;) {
    await pool.begin({ name: '', text: 'SELECT 1', values: [] }, 2000).rows
    console.log(address)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
`

// A namespace of its own has its own names.
describe.runIf(canMount()).for(engines)('$name', (engine) => {
  test('within the lifetime of a connection', { timeout: 30_000 }, async () => {
    const folder = temporaryFolder()
    onTestFinished(folder.remove)
    const server = await engine.startServer({ addresses: ['127.0.0.1', '127.0.0.2'] })
    onTestFinished(() => server.remove())
    const hosts = join(folder.path, 'hosts')
    const name = (address: string) => writeFileSync(hosts, `${address} db.test\n`)
    name('127.0.0.1')
    const script = 'mount --bind "$hosts" /etc/hosts && exec "$node" --input-type=module -e "$program"'
    const env = {
      ...process.env,
      ...{ hosts, program, kind: engine.kind, node: process.execPath },
      url: server.url().replace('127.0.0.1', 'db.test'),
    }
    const child = spawn('unshare', ['-m', 'sh', '-c', script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await ended
    })
    let shown = ''
    child.stdout.on('data', (data) => {
      shown += data
    })
    const last = () => shown.trimEnd().split('\n').at(-1)
    await expect.poll(last, { timeout: 10_000 }).toBe('127.0.0.1')
    name('127.0.0.2')
    await expect.poll(last, { timeout: 5000 }).toBe('127.0.0.2')
  })
})
