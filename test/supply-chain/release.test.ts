// A release: what must agree before it, and that the package is published from its workflow only.

import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { temporaryFolder } from '../kit/gateway.ts'
import { npmEnvironment, packageOf } from '../kit/npm.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { version } = packageOf(root)
const snapshot = `test/gateway/graphql/schema-${version}.graphql`

describe('.ci/release', () => {
  let tree = ''
  let remove = () => {}
  beforeEach(() => {
    ;({ path: tree, remove } = temporaryFolder())
    mkdirSync(join(tree, 'test/gateway/graphql'), { recursive: true })
    for (const part of ['.ci', 'package.json', 'deploy/kubernetes', 'schema'])
      cpSync(join(root, part), join(tree, part), { recursive: true })
    cpSync(join(root, 'schema/schema.graphql'), join(tree, snapshot))
    writeFileSync(join(tree, 'CHANGELOG.md'), `# Changelog\n\n## ${version}\n\n- More.\n\n## 0.0.1\n`)
    edit('deploy/kubernetes/kustomization.yaml', /newTag: .*/, `newTag: ${version}`)
  })
  afterEach(() => remove())

  const edit = (file: string, from: string | RegExp, to: string) => {
    const before = readFileSync(join(tree, file), 'utf8')
    expect(before).toMatch(from)
    writeFileSync(join(tree, file), before.replace(from, to))
  }
  const check = (...args: string[]) => {
    const { status, stderr } = spawnSync(join(tree, '.ci/release'), args, { encoding: 'utf8' })
    return { status, stderr }
  }

  test('passes where all agree', () => {
    expect(check(`v${version}`)).toEqual({ status: 0, stderr: '' })
  })

  test.each<[string, () => void, string]>([
    [
      'a changelog without the version',
      () => edit('CHANGELOG.md', version, '0.0.2'),
      'CHANGELOG.md has no section',
    ],
    [
      'changes that are not released',
      () => edit('CHANGELOG.md', '# Changelog\n', '# Changelog\n\n## Unreleased\n'),
      'CHANGELOG.md has a section "Unreleased"',
    ],
    [
      'manifests with another tag',
      () => edit('deploy/kubernetes/kustomization.yaml', /newTag: .*/, `newTag: ${version}1`),
      'deploy/kubernetes/kustomization.yaml has another tag',
    ],
    ['a schema that is not kept', () => rmSync(join(tree, snapshot)), `${snapshot} is missing or old`],
    [
      'a schema that has changed since',
      () => edit('schema/schema.graphql', 'type Query', 'type Old { id: ID } type Query'),
      `${snapshot} is missing or old`,
    ],
  ])('refuses %s', (_name, spoil, message) => {
    spoil()
    const { status, stderr } = check(`v${version}`)
    expect(status).toBe(1)
    expect(stderr).toMatch(/^.+\n$/)
    expect(stderr).toContain(message)
  })

  test.each([version, `v${version}1`, 'main'])('refuses the tag %s', (tag) => {
    expect(check(tag)).toEqual({
      status: 1,
      stderr: `The tag is ${tag}, and package.json has version ${version}. Tag v${version}.\n`,
    })
  })

  test('needs a tag', () => {
    expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining('Usage: .ci/release TAG') })
  })
})

describe('npm publish', () => {
  const { path: clone, remove } = temporaryFolder()
  afterAll(remove)
  cpSync(root, clone, { recursive: true, filter: (path) => !/\/(?:node_modules|\.git|\.cache)$/.test(path) })
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))

  /** `npm publish` to a registry of our own, and what that was sent. */
  async function publish(...flags: string[]) {
    const sent: string[] = []
    const registry = createServer((request, response) => {
      sent.push(`${request.method} ${request.url}`)
      request.resume()
      response
        .writeHead(request.method === 'GET' ? 404 : 201, { 'Content-Type': 'application/json' })
        .end('{}')
    })
    await once(registry.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void registry.close())
    const address = registry.address()
    if (address === null || typeof address === 'string') throw new Error('The registry has no port.')
    const { port } = address
    const place = `//127.0.0.1:${port}/`
    const args = [
      'publish',
      '--loglevel',
      'notice',
      '--registry',
      `http:${place}`,
      `--${place}:_authToken=none`,
      ...flags,
    ]
    const done = await promisify(execFile)('npm', args, { cwd: clone, env: npmEnvironment() }).then(
      ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ status: code, stdout, stderr }),
    )
    return { ...done, sent }
  }

  test('--dry-run lists what would be published, and warns of nothing', async () => {
    const { status, stdout, stderr, sent } = await publish('--dry-run')
    expect(status, stderr).toBe(0)
    expect(stdout).toContain(`+ lookup-service@${version}`)
    expect(stderr).toContain(`lookup-service-${version}.tgz`)
    expect(stderr).toContain('dist/lookup.js')
    expect(stderr).not.toMatch(/npm warn/)
    expect(sent.filter((request) => !request.startsWith('GET '))).toEqual([])
  })

  test('fails outside of the workflow: it cannot say where the package comes from', async () => {
    const { status, stderr, sent } = await publish()
    expect(status).toBe(1)
    expect(stderr).toContain('provenance')
    expect(sent.filter((request) => !request.startsWith('GET '))).toEqual([])
  })
})

test('the workflow checks the tag, runs the tests first, and may ask for an identity only there', () => {
  const workflow = parse(readFileSync(join(root, '.github/workflows/publish.yml'), 'utf8'))
  expect(workflow.on).toEqual({ release: { types: ['published'] } })
  expect(workflow.permissions).toEqual({ contents: 'read' })
  expect(workflow.jobs.test).toEqual({ uses: './.github/workflows/ci.yml' })
  const { needs, permissions, steps } = workflow.jobs.publish
  expect({ needs, permissions }).toEqual({
    needs: 'test',
    permissions: { contents: 'read', 'id-token': 'write' },
  })
  const commands = steps.flatMap(({ run }: { run?: string }) => run ?? [])
  expect(commands.at(0)).toBe('.ci/release "$GITHUB_REF_NAME"')
  expect(commands.at(-1)).toBe('npm publish')
  expect(packageOf(root)).toMatchObject({ publishConfig: { access: 'public', provenance: true } })
})
