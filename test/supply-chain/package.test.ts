// The package, made, installed and started as its users do: it holds what it needs, and needs nothing else.

import { execFile, spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startAnswering } from '../kit/answering.ts'
import { temporaryFolder } from '../kit/gateway.ts'
import { lockedPackages, nameOf, npm, npmEnvironment, packageOf } from '../kit/npm.ts'
import { oldNode } from '../kit/programs.ts'
import { type ProcessOptions, runProcess } from '../kit/run-lookup.ts'
import { serve } from '../kit/serving.ts'
import { allowedLicences } from './allowed-licences.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { version } = packageOf(root)
const { path: workplace, remove } = temporaryFolder()
const clone = join(workplace, 'clone')
const tarball = join(workplace, `lookup-service-${version}.tgz`)
/** Where it is installed. */
const home = join(workplace, 'home')
const entry = join(home, 'node_modules/.bin/lookup')

beforeAll(async () => {
  // The package is made in a copy of the repository, with what a developer leaves lying about.
  const elsewhere = /^(?:node_modules|\.git|\.cache|coverage|dist|\.env|.*\.db)$/
  cpSync(root, clone, { recursive: true, filter: (path) => !elsewhere.test(basename(path)) })
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  for (const folder of ['coverage', 'dist/pages']) mkdirSync(join(clone, folder), { recursive: true })
  for (const file of ['.env', 'lookup.db', 'coverage/index.html', 'dist/old.js', 'dist/pages/old.html'])
    writeFileSync(join(clone, file), 'left')
  await npm(clone, 'pack', '--pack-destination', workplace)
  mkdirSync(home)
  // Without --prefix, npm looks for a project in the folders above.
  await npm(home, 'install', '--omit=dev', '--prefix', home, tarball)
}, 300_000)
afterAll(remove)

let cwd = ''
let removeCwd = () => {}
beforeEach(() => {
  ;({ path: cwd, remove: removeCwd } = temporaryFolder())
})
afterEach(() => removeCwd())

const run = (args: string[], input = '') => runProcess(args, { cwd, entry }, input)
const start = (options: Partial<ProcessOptions>, ...flags: string[]) =>
  serve({ cwd, entry, ...options }, ...flags)

test('it holds the program, the contracts and tables, and nothing else', () => {
  const filesOf = (folder: string) =>
    // Not in the repository itself, where other tests make files meanwhile.
    globSync('**/*', { cwd: join(clone, folder), withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(`${clone}/`.length))
  // The program is what it was bundled into; beside it is what it reads.
  const readByIt = filesOf('src').filter(
    (file) => /\.(?:jsonl|html|css|generated\.js)$/.test(file) && !file.startsWith('src/gateway/explorer/'),
  )
  const threads = ['left', 'write'].map((name) => `dist/${name}-thread.js`)
  const schema = filesOf('schema').filter((file) => !file.startsWith('schema/operations/'))
  // What is installed or generated beside examples is theirs.
  const beside = ['docs', 'deploy', 'examples'].flatMap((folder) =>
    filesOf(folder).filter((file) => !/^docs\/\w+\.ts$|\/node_modules\/|\/src\/gql\//.test(file)),
  )
  const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'bench/README.md']
  const expected = ['LICENSE', 'package.json', 'bin/lookup.js', ...pages, ...readByIt, ...schema, ...beside]

  const { stdout } = spawnSync('tar', ['-tzf', tarball], { encoding: 'utf8' })
  const files = stdout.trim().split('\n')
  const isProgram = (file: string) => file.startsWith('package/dist/')
  expect(files.filter((file) => !isProgram(file)).toSorted()).toEqual(
    expected.map((file) => `package/${file}`).toSorted(),
  )
  const program = files.filter(isProgram).map((file) => file.slice('package/'.length))
  expect(program).toEqual(expect.arrayContaining(['dist/lookup.js', 'dist/LICENSES.txt', ...threads]))
  expect(program.length).toBeLessThan(120)
  expect(program.filter((file) => !/^dist\/(?:[\w-]+\.js|LICENSES\.txt)$/.test(file))).toEqual([])
  // Strays are in the lists above; this is for a file that grows by accident. In November 2026 the package
  // was 1,110,000 bytes: 730,000 are the program with the dependencies that are part of it, and the rest are
  // the documentation with its pictures, what operators deploy it with, and the examples.
  expect(statSync(tarball).size).toBeLessThan(1_200_000)
  const listed = spawnSync('tar', ['-tvzf', tarball], { encoding: 'utf8' }).stdout.trim().split('\n')
  const sizes = listed.map((line) => Number(line.split(/ +/)[2]))
  expect(sizes).toHaveLength(files.length)
  // The lock file of an example is as long as what it locks. The largest of the others is a picture.
  const others = sizes.filter((_, at) => !/\/package-lock\.json$|package\/dist\//.test(listed[at] ?? ''))
  expect(Math.max(...others)).toBeLessThan(65_000)
})

describe('the dependencies that are part of it', () => {
  const inside = join(home, 'node_modules/lookup-service')
  const code = () =>
    globSync('dist/*.js', { cwd: inside }).map((file) => readFileSync(join(inside, file), 'utf8'))

  test('are named with their licences, which are allowed', () => {
    const parts = code().flatMap((text) => [...text.matchAll(/^\/\/ (\S*\bnode_modules\/\S+)$/gm)])
    const names = parts.map(([, path = '']) => nameOf(path).match(/^(?:@[^/]+\/)?[^/]+/)?.[0])
    expect(names).toEqual(expect.arrayContaining(['graphql', 'graphql-yoga', '@pothos/core', 'commander']))
    const licences = readFileSync(join(inside, 'dist/LICENSES.txt'), 'utf8')
    for (const name of new Set(names)) expect(licences).toContain(`${name} `)
    const named = [...licences.matchAll(/^(\S+) \d\S*, by .*: (.*)$/gm)]
    expect(new Set(named.map(([, name]) => name))).toEqual(new Set(names))
    for (const [, name, licence] of named) expect(allowedLicences, name).toContain(licence)
  })

  test('are not looked for, and the others are installed beside it', () => {
    const imported = code().flatMap((text) => [
      ...text.matchAll(/^(?:import|export) [^;"]*?(?:from )?"([@\w][^"]*)"|\bimport\("([@\w][^"]*)"\)/gm),
    ])
    const names = imported
      .map(([, fixed, lazy]) => fixed ?? lazy ?? '')
      .filter((name) => !/^node:/.test(name))
    expect(names).toEqual(expect.arrayContaining(['pg', 'mysql2', 'pino', '@graphql-yoga/render-graphiql']))
    const { dependencies } = packageOf(root)
    const packages = names.map((name) => name.match(/^(?:@[^/]+\/)?[^/]+/)?.[0] ?? '')
    expect(packages.filter((name) => !(name in dependencies))).toEqual([])
  })
})

test('links between its pages lead to files that it has', () => {
  const inside = join(home, 'node_modules/lookup-service')
  const pages = ['README.md', ...globSync('docs/*.md', { cwd: inside })]
  expect(pages.length).toBeGreaterThan(20)
  const broken = pages.flatMap((page) =>
    [...readFileSync(join(inside, page), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]+)/g)]
      .map(([, target = '']) => join(dirname(page), target))
      .filter((target) => !existsSync(join(inside, target)))
      .map((target) => `${page}: ${target}`),
  )
  expect(broken).toEqual([])
})

test('nothing runs while it is installed', () => {
  const installed = lockedPackages(join(home, 'package-lock.json'))
  expect([...installed.keys()]).toEqual(expect.arrayContaining(['node_modules/graphql', 'node_modules/pg']))
  for (const [place, { hasInstallScript }] of installed) expect(hasInstallScript, place).toBeUndefined()
})

test('npx finds it, by both of its names', async () => {
  expect(await npm(home, 'exec', '--offline', '--', 'lookup', '--version')).toBe(`${version}\n`)
  expect(await npm(home, 'exec', '--offline', '--', 'lookup-service', '--version')).toBe(`${version}\n`)
})

test('in a clone, npx runs the sources: nothing is built before', async () => {
  const fresh = join(workplace, 'sources')
  for (const part of ['bin', 'src', 'schema', 'package.json'])
    cpSync(join(root, part), join(fresh, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(fresh, 'node_modules'))
  expect(await npm(fresh, 'exec', '--offline', '--', 'lookup', '--version')).toBe(`${version}\n`)
})

describe.each(['24', '26'])('installed globally, on Node %s', (major) => {
  test('it serves, imports and probes', async () => {
    const node = join(workplace, `node-${major}`)
    mkdirSync(node)
    writeFileSync(join(node, 'package.json'), '{ "private": true, "allowScripts": { "node": true } }')
    await npm(node, 'install', '--prefix', node, `node@${major}`)
    const bin = join(node, 'node_modules/.bin')
    await npm(node, 'install', '--global', '--omit=dev', '--prefix', node, tarball)
    const command = join(node, 'bin/lookup')
    const env = { ...npmEnvironment(), PATH: `${bin}:${process.env.PATH}`, PORT: '0', ADMIN_PORT: '0' }
    const ask = (...args: string[]) => promisify(execFile)(command, args, { cwd, env })
    const { stdout: running } = await promisify(execFile)(join(bin, 'node'), ['--version'])
    expect(running).toMatch(new RegExp(`^v${major}\\.`))

    const gateway = spawn(command, ['serve'], { cwd, env })
    onTestFinished(() => void gateway.kill())
    const url = await new Promise<string>((resolve, reject) => {
      gateway.once('exit', () => reject(new Error('it ended')))
      gateway.stdout.on('data', (data) => {
        const address = /Legacy JSON +(\S+)\?/.exec(String(data))?.[1]
        if (address !== undefined) resolve(address)
      })
    })
    expect(await (await fetch(`${url}?Event=ProfileLookup&Users=1`)).text()).toMatch(/^\{"1":/)
    const users = join(root, 'src/data/sample/users.jsonl')
    expect((await ask('import', 'users', users, '--replace')).stdout).toMatch(/^Imported 14 users/)
    expect((await ask('probe', url, '--rate', '1000')).stdout).toContain('# behaviour')
  }, 120_000)
})

test('in an empty folder it makes its data, and answers on every page', async () => {
  const { shown, stop } = await start({})
  expect(shown.Data).toBe('lookup.db, just made with sample data')
  const textOf = async (label: string, init?: RequestInit) => (await fetch(shown[label] ?? '', init)).text()
  const html = { headers: { accept: 'text/html' } }
  expect(await textOf('Legacy JSON')).toMatch(/^\{"1":\{"Id":1,"Username":"Ada",/)
  expect(await textOf('Legacy XML')).toMatch(
    /^<\?xml version="1\.0"\?>\n<ServiceAPI><Data Value="1"><Id>1<\/Id>/,
  )
  expect(await textOf('GraphiQL', html)).toContain('<title>')
  expect(await textOf('Explorer', html)).toContain('<title>')
  expect(await textOf('Operations', html)).toContain('Ready.</strong> Lookups are answered.')
  expect(await textOf('Readiness')).toBe('ready\n')
  const ask = (query: string) =>
    textOf('GraphiQL', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
  expect(await ask('{ users(values: ["1"]) { username } }')).toBe('{"data":{"users":[{"username":"Ada"}]}}')
  // One that goes the long way, with a package of its own.
  expect(await ask('{ a: users(values: ["1"]) { ...f } } fragment f on User { __typename }')).toBe(
    '{"data":{"a":[{"__typename":"User"}]}}',
  )
  expect(await stop()).toMatchObject({ status: 0 })
})

test('it compares its answers with those of an old service', async () => {
  const old = await startAnswering((_, response) => void response.end('{"1":{"Id":1.0}}'))
  onTestFinished(old.close)
  const { shown, stop } = await start({ env: { SHADOW_URL: old.url, SHADOW_SAMPLE: '1' } })
  await (await fetch(shown['Legacy JSON'] ?? '')).text()
  const metrics = new URL('/metrics', shown.Readiness)
  await expect
    .poll(async () => (await fetch(metrics)).text(), { timeout: 10_000 })
    .toMatch(/^lookup_shadow_comparisons_total\{result="different"\} 1$/m)
  expect((await stop()).status).toBe(0)
})

test('what fills the compile cache of the image runs', () => {
  const program = join(home, 'node_modules/lookup-service/deploy/fill-compile-cache.js')
  const env = { ...process.env, NODE_COMPILE_CACHE: join(cwd, 'cache') }
  expect(spawnSync(process.execPath, [program], { env, encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  })
  expect(globSync('cache/**/*', { cwd }).length).toBeGreaterThan(10)
})

test('an access log is written', async () => {
  const { shown, stop } = await start({ env: { ACCESS_LOG: 'access.log' } })
  await fetch(shown['Legacy JSON'] ?? '')
  await stop()
  expect((await run(['census', 'access.log'])).stdout).toContain('from 1 client.')
})

test('two workers', async () => {
  const { shown, stop } = await start({}, '--workers', '2')
  expect(await (await fetch(shown['Legacy JSON'] ?? '')).text()).toMatch(/^\{"1":/)
  expect((await stop()).status).toBe(0)
})

describe('the other commands', () => {
  test('migrate, import and export', async () => {
    const line = readFileSync(join(root, 'src/data/sample/users.jsonl'), 'utf8').split('\n')[0]
    const database = ['--database', 'sqlite:own.db']
    expect(await run(['migrate', ...database])).toMatchObject({ status: 0, stderr: '' })
    const imported = await run(['import', 'users', '-', '--format', 'jsonl', ...database], `${line}\n`)
    expect(imported).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse((await run(['export', 'users', ...database])).stdout)).toEqual(JSON.parse(line ?? ''))
  })

  test('schema, and whether what is beside it is up to date', async () => {
    const published = readFileSync(join(root, 'schema/schema.graphql'), 'utf8')
    expect(await run(['schema'])).toEqual({ status: 0, stdout: published, stderr: '' })
    expect(await run(['schema', '--check'])).toEqual({ status: 0, stdout: '', stderr: '' })
  })
})

const old = oldNode()
test.skipIf(old === undefined)('an old Node is told in one line what to do', () => {
  const { status, stdout, stderr } = spawnSync(old ?? '', [entry, 'serve'], { encoding: 'utf8' })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/^Lookup Service needs Node 24 or newer, and this is Node \d+\.\d+\.\d+\. .*\n$/)
})
