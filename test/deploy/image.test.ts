// The Dockerfile's steps, run without Docker in a folder of their own: what comes of them runs as an image
// would.

import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, globSync, mkdirSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ask } from '../gateway/legacy/support/ask.ts'
import { temporaryFolder } from '../kit/gateway.ts'
import { lockedPackages, npmEnvironment } from '../kit/npm.ts'
import { outcomeOf } from '../kit/run-lookup.ts'
import { startFlags } from '../kit/start-flags.ts'
import { buildImage, type Image } from './dockerfile.ts'

const context = fileURLToPath(new URL('../..', import.meta.url))
const { path: workplace, remove } = temporaryFolder()
/** What the base image brings: Node, and a user with a home. */
const base = join(workplace, 'base')
/** A user who has no rights here, as the image's user has none there. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
const PATH = `${join(base, 'usr/local/bin')}:${process.env.PATH}`

let image: Image
beforeAll(() => {
  mkdirSync(join(base, 'usr/local/bin'), { recursive: true })
  copyFileSync(process.execPath, join(base, 'usr/local/bin/node'))
  mkdirSync(join(base, 'home/node'), { recursive: true })
  chmodSync(workplace, 0o755)
  // In the image it is that user's own.
  chmodSync(join(base, 'home/node'), 0o777)
  image = buildImage({ context, base, workplace, env: { ...npmEnvironment(), PATH }, user: nobody })
}, 300_000)
afterAll(remove)

test('it holds the service and what that needs, and nothing else', () => {
  const app = join(image.root, 'app')
  expect(readdirSync(app).sort()).toEqual([
    '.npmrc',
    'deploy',
    'dist',
    'node_modules',
    'package-lock.json',
    'package.json',
    'schema',
    'src',
  ])
  const packages = lockedPackages(join(context, 'package-lock.json'))
  const installed = [...lockedPackages(join(app, 'node_modules/.package-lock.json')).keys()]
  expect(installed).toContain('node_modules/graphql')
  for (const name of installed) {
    expect(packages.get(name)?.dev, name).toBeUndefined()
    expect(packages.get(name)?.hasInstallScript, name).toBeUndefined()
  }
})

test('it listens to the world, as a user without rights, and no shell stands between it and its signals', () => {
  const { FROM, USER, EXPOSE } = image.says
  expect({ USER, EXPOSE }).toEqual({ USER: 'node', EXPOSE: '4000 4001' })
  expect(FROM).toMatch(/^node:26-slim@sha256:[\da-f]{64}$/)
  expect(image.env).toEqual({
    ...{ NODE_ENV: 'production', HOST: '0.0.0.0', ADMIN_HOST: '0.0.0.0' },
    NODE_OPTIONS: '--max-old-space-size=512',
    NODE_COMPILE_CACHE: join(image.root, 'home/node/compile-cache'),
  })
  const [program, ...flags] = image.command('ENTRYPOINT')
  expect(program).toBe('node')
  // What a container may take is the operator's to say: that one is in NODE_OPTIONS.
  expect([image.env.NODE_OPTIONS, ...flags.slice(0, -1)].toSorted()).toEqual(startFlags.toSorted())
})

test('it answers, is healthy, and ends in good order', { timeout: 60_000 }, async () => {
  const here = { HOST: '127.0.0.1', PORT: '0', ADMIN_HOST: '127.0.0.1', ADMIN_PORT: '0' }
  const options = { cwd: image.folder, env: { PATH, ...image.env, ...here }, ...nobody }
  const [program = '', ...flags] = image.command('ENTRYPOINT', 'CMD')
  const child = spawn(program, flags, { ...options, timeout: 60_000, killSignal: 'SIGKILL' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const outcome = outcomeOf(child)
  const welcome = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (data) => {
      text += data
      if (/^ {2}Data .*\n/m.test(text)) resolve(text)
    })
    outcome.then(({ stderr }) => reject(new Error(stderr)), reject)
  })
  expect(welcome).toMatch(/ Data +lookup\.db, just made with sample data\n/)
  const port = (label: string) => new RegExp(`${label} +http://localhost:(\\d+)/`).exec(welcome)?.[1] ?? ''

  const answer = await ask(`http://127.0.0.1:${port('Legacy JSON')}`, '/?Event=ProfileLookup&Users=1')
  expect(answer).toMatchObject({ status: 200, body: expect.stringMatching(/^\{"1":\{"Id":1,/) })

  const health = (adminPort: string) => {
    const [checker = '', ...words] = image.command('HEALTHCHECK')
    return spawnSync(checker, words, { ...options, env: { ...options.env, ADMIN_PORT: adminPort } }).status
  }
  expect(health(port('Readiness'))).toBe(0)
  child.kill('SIGTERM')
  expect(await outcome).toMatchObject({ status: 0 })
  expect(health(port('Readiness'))).toBe(1)
})

test('a new container finds its code compiled, in a file system that is read-only', () => {
  const cache = join(image.root, 'home/node/compile-cache')
  // Without a right to write: root is not asked for it, the image's user is.
  for (const path of globSync('**/*', { cwd: cache })) chmodSync(join(cache, path), 0o555)
  const [program = '', ...flags] = image.command('ENTRYPOINT')
  const env = { PATH, ...image.env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
  const lookUp = (...args: string[]) =>
    spawnSync(program, [...flags, ...args], { cwd: image.folder, env, encoding: 'utf8', ...nobody }).stderr
  const commands = [
    ['schema'],
    ['export', 'users'],
    ['export', 'users', '--database', 'mysql://127.0.0.1:1/x'],
  ]
  const said = commands.map((args) => lookUp(...args)).join('')
  const asked = [...said.matchAll(/ cache for \S+ (\S+)\.\.\.\[/g)].map(([, file = '']) => basename(file))
  const taken = [...said.matchAll(/ for \S+ (\S+) was accepted/g)].map(([, file = '']) => basename(file))
  expect(taken).toEqual(
    expect.arrayContaining(['lookup.js', 'start.js', 'graphql.js', 'create_pool_cluster.js']),
  )
  expect(asked.filter((file) => !taken.includes(file))).toEqual([])
})
