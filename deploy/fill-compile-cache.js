// Fills Node's compile cache, which NODE_COMPILE_CACHE names: starts the gateway, asks it once in each way,
// and stops it. The Dockerfile runs it, so that a new container finds its code compiled. Node keeps a cache
// for each user, each version of Node, each kind of processor and some of Node's options, which are those
// that this program is started with. Where another one runs, a start takes a little longer.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../dist/lookup.js', import.meta.url))
const cwd = mkdtempSync(join(tmpdir(), 'lookup-'))
const local = { HOST: '127.0.0.1', PORT: '0', ADMIN_HOST: '127.0.0.1', ADMIN_PORT: '0' }
const env = { ...process.env, ...local, LOG_LEVEL: 'warn' }

/** @param url that nothing listens at: what reaches such a server is loaded all the same */
async function fail(url) {
  const args = [...process.execArgv, program, 'export', 'users', '--database', url]
  await once(spawn(process.execPath, args, { cwd, env, stdio: 'ignore' }), 'exit')
}

async function serve() {
  const child = spawn(process.execPath, [...process.execArgv, program, 'serve'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const welcome = await Promise.race([once(child.stdout, 'data'), exited.then(() => null)])
  if (welcome === null)
    throw new Error('The gateway ended before it listened. Is dist/ there? Run "npm run build".')
  const addressOf = (label) => new RegExp(`${label} +(\\S+)`).exec(String(welcome[0]))?.[1]
  const ask = async (label, request) => (await fetch(addressOf(label), request)).text()
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ query: '{ users(values: ["1"]) { username } }' })
  // An operation that is asked for often is compiled, by what is loaded then.
  for (let times = 0; times < 5; times++) {
    await ask('Legacy JSON')
    await ask('Legacy XML')
    await ask('GraphiQL', { method: 'POST', headers, body })
  }
  await ask('Readiness')
  child.kill()
  const [status] = await exited
  if (status !== 0) throw new Error(`The gateway ended with status ${status}.`)
}

try {
  await serve()
  for (const kind of ['postgres', 'mysql']) await fail(`${kind}://127.0.0.1:1/none`)
} finally {
  rmSync(cwd, { recursive: true })
}
