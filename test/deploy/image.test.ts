// The Dockerfile's steps, run without Docker in a folder of their own: what comes of them runs as an image
// would.

import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ask } from '../gateway/legacy/support/ask.ts'
import { temporaryFolder } from '../support/gateway.ts'
import { lockedPackages, npmEnvironment } from '../support/npm.ts'
import { outcomeOf } from '../support/run-lookup.ts'
import { buildImage, type Image } from './dockerfile.ts'

const context = fileURLToPath(new URL('../..', import.meta.url))
const { path: root, remove } = temporaryFolder()
/** A user who has no rights here, as the image's user has none there. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
const PATH = `${join(root, 'usr/local/bin')}:${process.env.PATH}`

let image: Image
beforeAll(() => {
  // What the base image brings: Node, and a user with a home.
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true })
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'))
  mkdirSync(join(root, 'home/node'), { recursive: true })
  chmodSync(root, 0o755)
  if (nobody.uid !== undefined) chownSync(join(root, 'home/node'), nobody.uid, nobody.gid)
  image = buildImage({ context, root, env: { ...npmEnvironment(), PATH } })
}, 300_000)
afterAll(remove)

test('it holds the service and what that needs, and nothing else', () => {
  const app = join(root, 'app')
  expect(readdirSync(app).sort()).toEqual([
    '.npmrc',
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
  })
  expect(image.command('ENTRYPOINT', 'CMD')[0]).toBe('node')
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
