// compose.yaml, as far as it can be checked without Docker: by the Compose Specification's schema, which
// dclint ships, and by what it says about the files and settings of this repository.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { temporaryFolder } from '../kit/gateway.ts'
import { file, interpolate, passwords, root, services, text, volumes } from './compose.ts'

const all = Object.entries(services)

/** Lints; the order of services and keys tells a story here. */
function lint(path: string) {
  const order = ['service-keys-order', 'services-alphabetical-order'].flatMap((rule) => [
    '--disable-rule',
    rule,
  ])
  const program = join(root, 'node_modules/.bin/dclint')
  const args = [program, path, '--max-warnings', '0', ...order]
  return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
}

test('it is valid', () => {
  expect(lint(file)).toMatchObject({ stdout: '\n', stderr: '', status: 0 })
})

test('a misspelt key would be noticed', () => {
  const { path, remove } = temporaryFolder()
  const misspelt = join(path, 'compose.yaml')
  writeFileSync(misspelt, text.replace('depends_on:', 'depend_on:'))
  expect(lint(misspelt)).toMatchObject({ stdout: expect.stringContaining('invalid-schema'), status: 1 })
  remove()
})

describe('passwords', () => {
  test.for(Object.keys(passwords))('%s must be given', (name) => {
    expect(() => interpolate({ ...passwords, [name]: undefined })).toThrow(
      new RegExp(`^${name}: .* needs? a password$`),
    )
  })

  test('none stands in it', () => {
    const given: readonly unknown[] = Object.values(passwords)
    const values = all.flatMap(([, { environment = {} }]) => Object.entries(environment))
    for (const [name, value] of values.filter(([name]) => /PASSWORD|SECRET|KEY|TOKEN/.test(name))) {
      expect(given, name).toContain(value)
    }
    for (const [name, value] of values.filter(([, value]) => URL.canParse(value))) {
      expect(given, name).toContain(new URL(value).password)
    }
  })
})

test('the proxy alone can be reached from outside, and not the port for operators', () => {
  const published = all.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]))
  expect(published).toEqual([['proxy', '127.0.0.1:8080:80']])
})

test('images are pinned by digest, and name the major or the stable branch that it is of', () => {
  const images = new Set(all.flatMap(([, { image }]) => image ?? []))
  expect([...images].sort()).toEqual([
    expect.stringMatching(/^nginx:1\.30@sha256:[\da-f]{64}$/),
    expect.stringMatching(/^postgres:18@sha256:[\da-f]{64}$/),
  ])
})

test('what is mounted is there', () => {
  const mounts = all.flatMap(([, service]) => (service.volumes ?? []).map((volume) => volume.split(':')))
  for (const [source = '', target] of mounts) {
    if (source.startsWith('./')) expect(existsSync(join(root, source)), source).toBe(true)
    else {
      expect(volumes).toHaveProperty(source)
      // Where the images of PostgreSQL 18 and later have their volume; before, it was …/data.
      expect(target).toBe('/var/lib/postgresql')
    }
  }
  expect(mounts).toHaveLength(7)
})

test('the settings of the gateways and of the one that makes tables are settings, and lead to services', () => {
  const reader = { user: 'lookup_reader', password: 'c3' }
  const owner = { user: 'lookup_owner', password: 'b2' }
  const read = (name: string) => {
    const config = readConfig({ environment: services[name]?.environment ?? {} })
    if (config.database.kind !== 'postgres') throw new Error('PostgreSQL it is')
    const { url, replicas } = config.database
    return [url, ...replicas].map((each) => {
      const { username: user, password, hostname, port, pathname } = new URL(each)
      expect({ port, pathname }).toEqual({ port: '5432', pathname: '/lookup' })
      return { user, password, hostname }
    })
  }
  expect(read('migrate')).toEqual([{ ...owner, hostname: 'primary' }])
  expect(read('gateway')).toEqual([
    { ...reader, hostname: 'primary' },
    { ...reader, hostname: 'standby' },
  ])
  expect(services.migrate?.command).toEqual(['migrate'])
  const hosts = [
    'primary',
    'standby',
    'gateway',
    ...all.flatMap(([, { depends_on = {} }]) => Object.keys(depends_on)),
  ]
  for (const host of hosts) expect(services).toHaveProperty(host)
  expect(readFileSync(join(root, 'deploy/nginx.conf'), 'utf8')).toContain(
    `server gateway:${readConfig({}).port} resolve`,
  )
})
