// A host name that gets another address: connections move there, though the old address still answers.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../support/gateway.ts'
import { PostgresServer } from '../../support/postgres/server.ts'

const pool = new URL('../../../src/stores/postgres/pool.ts', import.meta.url).href

/** Asks twenty times a second, over a connection that lives for a second, at which address the server is. */
const program = `
  const { openPool } = await import('${pool}')
  const { url } = process.env
  const pool = openPool(() => ({ connectionString: url }), { max: 1, maxLifetimeSeconds: 1 })
  const question = { name: 'where', text: 'SELECT host(inet_server_addr())', values: [] }
  for (;;) {
    console.log(String((await pool.ask(question, 2000))[0]))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
`

// A namespace of its own has its own names.
const canUnshare = spawnSync('unshare', ['-m', 'true']).status === 0

test.skipIf(!canUnshare)('within the lifetime of a connection', { timeout: 30_000 }, async () => {
  const folder = temporaryFolder()
  onTestFinished(folder.remove)
  const settings = `listen_addresses = '127.0.0.1,127.0.0.2'\n`
  const server = await PostgresServer.start(inject('postgres').programs, undefined, settings)
  onTestFinished(() => server.stop())
  const rule = `host all all 127.0.0.0/8 trust\n`
  writeFileSync(join(server.folder, 'pg_hba.conf'), rule)
  await server.run('SELECT pg_reload_conf()')
  const hosts = join(folder.path, 'hosts')
  const name = (address: string) => writeFileSync(hosts, `${address} db.test\n`)
  name('127.0.0.1')
  const script = 'mount --bind "$hosts" /etc/hosts && exec "$node" --input-type=module -e "$program"'
  const env = {
    ...process.env,
    hosts,
    program,
    node: process.execPath,
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
