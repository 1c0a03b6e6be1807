// The example of a router, as its README says: two subgraphs, the composition and the router, each started by
// the example's own scripts.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway, temporaryFolder } from '../kit/gateway.ts'
import { installed } from '../kit/install.ts'
import { freePort } from '../kit/postgres/server.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const example = join(root, 'examples/federation/')

describe.skipIf(!installed(example, '@graphql-hive/gateway-runtime'))('the example of a router', () => {
  // It writes the supergraph beside itself: in a copy, so that the repository stays as it is.
  const { path: folder, remove } = temporaryFolder()
  const children: ChildProcess[] = []
  let gateway: Gateway
  let router = ''
  let env: NodeJS.ProcessEnv = {}

  /** Starts a script and waits for its first line. */
  async function start(script: string): Promise<string> {
    const child = spawn(process.execPath, fileOf(script), {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    for await (const line of createInterface(child.stdout)) return line
    throw new Error(`${script} has ended`)
  }
  /** The file that a script of package.json gives to Node. */
  const fileOf = (script: string): string[] => {
    const { scripts } = JSON.parse(readFileSync(join(example, 'package.json'), 'utf8'))
    return [join(folder, String(scripts[script]).replace(/^node /, ''))]
  }

  beforeAll(async () => {
    cpSync(example, folder, { recursive: true, filter: (path) => !path.endsWith('node_modules') })
    symlinkSync(join(example, 'node_modules'), join(folder, 'node_modules'))
    gateway = await startGateway({ FEDERATION: 'on', RATE_LIMIT: '14', TRUSTED_PROXIES: 'loopback' })
    const [posts, port] = [await freePort(), await freePort()]
    env = { LOOKUP_URL: `${gateway.url}/graphql`, POSTS_PORT: String(posts), PORT: String(port) }
    expect(await start('posts')).toBe('Posts are served.')
    const { stdout } = await promisify(execFile)(process.execPath, fileOf('compose'), { cwd: folder, env })
    expect(stdout).toBe('Wrote supergraph.graphql.\n')
    router = /http:\S+/.exec(await start('start'))?.[0] ?? ''
  })
  afterAll(async () => {
    await Promise.all(
      children.map(async (child) => {
        const ended = once(child, 'close')
        child.kill('SIGKILL')
        await ended
      }),
    )
    await gateway.close()
    remove()
  })

  const ask = async (query: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(router, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    })
    return response.json()
  }

  test('is typed', async () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    await expect(promisify(execFile)(process.execPath, [tsc, '-p', example])).resolves.toMatchObject({
      stdout: '',
    })
  })

  test('joins posts with the users of the gateway, by one query to its store', async () => {
    gateway.observations.length = 0
    expect(await ask('{ posts { title author { displayName } } }')).toEqual({
      // Hive's own: it is the router that cannot name a user who is gone.
      errors: [expect.objectContaining({ path: ['posts', 2, 'author', 'displayName'] })],
      data: {
        posts: [
          { title: 'A view from the hill', author: { displayName: 'Ada of the Hill' } },
          { title: 'Tides and tables', author: { displayName: 'Søren Ærlig' } },
          { title: 'By somebody who has left', author: null },
        ],
      },
    })
    expect(gateway.observations.filter(({ type }) => type === 'store-query')).toHaveLength(1)
  })

  test('tells the gateway which client asks, whose values are counted', async () => {
    const query = '{ users(values: ["1","2","3","4","5","6","7","8","9","10","11","12","13","14"]) { id } }'
    const of = async (client: string) => (await ask(query, { 'x-forwarded-for': client })).errors?.length ?? 0
    expect([await of('192.0.2.1'), await of('192.0.2.1')]).toEqual([0, 1])
    expect(await of('192.0.2.2')).toBe(0)
  })

  test('a gateway that is no subgraph is named', async () => {
    const other = await startGateway()
    const elsewhere = { ...env, LOOKUP_URL: `${other.url}/graphql` }
    const composed = promisify(execFile)(process.execPath, fileOf('compose'), { cwd: folder, env: elsewhere })
    await expect(composed).rejects.toThrow('Start the gateway with FEDERATION=on.')
    await other.close()
  })
})
