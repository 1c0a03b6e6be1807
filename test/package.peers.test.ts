// The package as users get it: `npm pack`, `npm install`, a start, and the commands.

import { execFile, spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from './kit/gateway.ts'
import { lockedPackages, nameOf, npm, npmEnvironment, packageOf } from './kit/npm.ts'
import { oldNode } from './kit/programs.ts'
import { runProcess } from './kit/run-lookup.ts'
import { serve } from './kit/serving.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { version, dependencies, allowScripts } = packageOf(root)
const { path: workplace, remove } = temporaryFolder()
const clone = join(workplace, 'clone')
const tarball = join(workplace, `lookup-service-${version}.tgz`)
const home = join(workplace, 'home')
const entry = join(home, 'node_modules/.bin/lookup')
const inside = join(home, 'node_modules/lookup-service')
const cwd = join(workplace, 'empty')

/** These licences only ask for attribution. A person reads any other licence first. */
const allowedLicences = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Python-2.0',
]

beforeAll(async () => {
  const ignored = /^(?:node_modules|\.git|coverage|dist|\.env|.*\.db)$/
  cpSync(root, clone, { recursive: true, filter: (path) => !ignored.test(basename(path)) })
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  for (const folder of ['coverage', 'dist']) mkdirSync(join(clone, folder), { recursive: true })
  for (const folder of [home, cwd]) mkdirSync(folder, { recursive: true })
  // A developer leaves such files behind; the package must not contain them.
  for (const file of ['.env', 'lookup.db', 'coverage/index.html', 'dist/old.js'])
    writeFileSync(join(clone, file), 'left behind')
  await npm(clone, 'pack', '--pack-destination', workplace)
  // Without --prefix, npm looks for a project in the parent folders.
  await npm(home, 'install', '--omit=dev', '--prefix', home, tarball)
}, 300_000)
afterAll(remove)

const run = (args: string[], input = '') => runProcess(args, { cwd, entry }, input)

test('the lock file has hashes and no origins, and one install script is allowed', () => {
  const locked = lockedPackages(join(root, 'package-lock.json'))
  for (const [place, { integrity, resolved }] of locked) {
    expect(integrity, place).toMatch(/^sha512-/)
    expect(resolved, place).toBeUndefined()
  }
  expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual(['node'])
})

test('runtime dependencies have exact versions and allowed licences', async () => {
  const locked = lockedPackages(join(root, 'package-lock.json'))
  for (const [name, wanted] of Object.entries(dependencies))
    expect(locked.get(`node_modules/${name}`)?.version, name).toBe(wanted)
  const installed: { name: string; license?: unknown }[] = JSON.parse(await npm(root, 'query', '.prod'))
  expect(installed.map(({ name }) => name)).toEqual(expect.arrayContaining(['graphql', 'pg-types']))
  const refused = installed.filter(({ license }) => !allowedLicences.some((allowed) => allowed === license))
  expect(refused.map(({ name, license }) => `${name}: ${license}`)).toEqual([])
})

test('the package has the program, contracts, tables and documentation, and no leftovers', () => {
  const files = globSync('**/*', { cwd: inside, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name).slice(inside.length + 1))
  expect(files).toEqual(
    expect.arrayContaining([
      'bin/lookup.js',
      'dist/lookup.js',
      'dist/LICENSES.txt',
      'schema/schema.graphql',
      'schema/legacy.xsd',
      'src/data/sample/users.jsonl',
      'src/pages/explorer/explorer.html',
      'docs/settings.md',
      'deploy/kubernetes/deployment.yaml',
      'README.md',
      'CHANGELOG.md',
      'LICENSE',
    ]),
  )
  const leftovers =
    /^(?:\.env|.*\.db|coverage\/.*|dist\/old\.js|test\/.*|src\/.*\.ts|schema\/operations\/.*)$/
  expect(files.filter((file) => leftovers.test(file))).toEqual([])
  expect(statSync(tarball).size).toBeLessThan(1_200_000)
})

test('every dependency in the bundle is named with an allowed licence', () => {
  const code = globSync('dist/*.js', { cwd: inside }).map((file) => readFileSync(join(inside, file), 'utf8'))
  const parts = code.flatMap((text) => [...text.matchAll(/^\/\/ (\S*\bnode_modules\/\S+)$/gm)])
  const names = parts.map(([, path = '']) => nameOf(path).match(/^(?:@[^/]+\/)?[^/]+/)?.[0])
  const named = [
    ...readFileSync(join(inside, 'dist/LICENSES.txt'), 'utf8').matchAll(/^(\S+) \d\S*, by .*: (.*)$/gm),
  ]
  expect(new Set(named.map(([, name]) => name))).toEqual(new Set(names))
  for (const [, name, licence] of named) expect(allowedLicences, name).toContain(licence)
})

test('the installed gateway makes its data and responds on every page', async () => {
  const { shown, stop } = await serve({ cwd, entry })
  const textOf = async (label: string, accept = '*/*') =>
    (await fetch(shown[label] ?? '', { headers: { accept } })).text()
  expect(shown.Data).toBe('lookup.db, just made with sample data')
  expect(await textOf('Legacy JSON')).toMatch(/^\{"1":\{"Id":1,"Username":"Ada",/)
  expect(await textOf('Legacy XML')).toMatch(/^<\?xml version="1\.0"\?>\n<ServiceAPI><Data Value="1">/)
  expect(await textOf('Explorer', 'text/html')).toContain('<title>')
  expect(await textOf('Operations', 'text/html')).toContain('Lookups are answered.')
  expect(await textOf('Readiness')).toBe('ready\n')
  const post = async (query: string) => {
    const headers = { 'content-type': 'application/json' }
    return (
      await fetch(shown.GraphiQL ?? '', { method: 'POST', headers, body: JSON.stringify({ query }) })
    ).text()
  }
  expect(await post('{ users(values: ["1"]) { username } }')).toBe('{"data":{"users":[{"username":"Ada"}]}}')
  // A fragment is not on the fast path: Yoga, a package of its own, runs this operation.
  expect(await post('{ a: users(values: ["1"]) { ...f } } fragment f on User { __typename }')).toBe(
    '{"data":{"a":[{"__typename":"User"}]}}',
  )
  expect(await stop()).toMatchObject({ status: 0 })
})

test('the installed commands import, export and print the schema', async () => {
  const line = readFileSync(join(root, 'src/data/sample/users.jsonl'), 'utf8').split('\n')[0] ?? ''
  const database = ['--database', 'sqlite:own.db']
  expect(await run(['migrate', ...database])).toMatchObject({ status: 0 })
  const imported = await run(['import', 'users', '-', '--format', 'jsonl', ...database], `${line}\n`)
  expect(imported).toMatchObject({ status: 0, stderr: '' })
  expect(JSON.parse((await run(['export', 'users', ...database])).stdout)).toEqual(JSON.parse(line))
  expect(await run(['schema', '--check'])).toEqual({ status: 0, stdout: '', stderr: '' })
})

test('npx finds both names of the command', async () => {
  for (const name of ['lookup', 'lookup-service'])
    expect(await npm(home, 'exec', '--offline', '--', name, '--version')).toBe(`${version}\n`)
})

test('the oldest supported Node runs it', async () => {
  const node = join(workplace, 'node-24')
  mkdirSync(node)
  writeFileSync(join(node, 'package.json'), '{ "private": true, "allowScripts": { "node": true } }')
  await npm(node, 'install', '--prefix', node, 'node@24')
  const bin = join(node, 'node_modules/.bin')
  const env = { ...npmEnvironment(), PATH: `${bin}:${process.env.PATH}` }
  const { stdout } = await promisify(execFile)(join(bin, 'node'), ['--version'])
  expect(stdout).toMatch(/^v24\./)
  const check = await promisify(execFile)(
    join(bin, 'node'),
    [join(inside, 'bin/lookup.js'), 'schema', '--check'],
    {
      cwd,
      env,
    },
  )
  expect(check).toEqual({ stdout: '', stderr: '' })
}, 120_000)

const old = oldNode()
test.skipIf(old === undefined)('an older Node gets one line that says what to do', () => {
  for (const args of [[], ['serve'], ['--help']]) {
    const { status, stdout, stderr } = spawnSync(old ?? '', [entry, ...args], { encoding: 'utf8' })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(/^Lookup Service needs Node 24 or newer, and this is Node \d+\.\d+\.\d+\. .*\n$/)
  }
})
