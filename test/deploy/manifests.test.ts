// Dockerfile, compose.yaml, Kubernetes, systemd and `docker run`: the settings, ports, files and limits that
// they name are those of the gateway.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../../src/config/config.ts'
import { settings } from '../../src/config/settings.ts'
import { createMetrics } from '../../src/observe/metrics.ts'
import { root } from '../kit/documentation.ts'
import { startFlags } from '../kit/start-flags.ts'

const kubernetes = 'deploy/kubernetes'
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const all = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, found = '']) => found)
const { port, adminPort, maxConnections } = readConfig({})

test.for([
  ['Dockerfile', /(?:^ENV | )([A-Z_]+)=/gm],
  ['compose.yaml', /^ {4,6}([A-Z_]+): /gm],
  [`${kubernetes}/deployment.yaml`, /name: ([A-Z_]+), value/g],
  ['docs/deploy.md', /--env (\w+)=/g],
] as const)('the settings of %s are settings', ([file, pattern]) => {
  // Others are of Node and PostgreSQL.
  const names = all(read(file), pattern).filter(
    (name) => !/^(?:NODE_|POSTGRES_|PG|PRIMARY$)|_PASSWORD$/.test(name),
  )
  expect(names.length).toBeGreaterThan(0)
  const isFileOfSecret = (name: string) => settings.get(name.replace(/_FILE$/, ''))?.isSecret === true
  expect(names.filter((name) => !settings.has(name) && !isFileOfSecret(name))).toEqual([])
})

test.for([
  ['Dockerfile', `EXPOSE ${port} ${adminPort}\n`],
  ['deploy/nginx.conf', `server gateway:${port} resolve`],
  [`${kubernetes}/deployment.yaml`, `name: http, containerPort: ${port} `],
  [`${kubernetes}/deployment.yaml`, `name: admin, containerPort: ${adminPort} `],
  ['docs/deploy.md', `:${port} `],
] as const)('%s has the port in "%s"', ([file, text]) => {
  expect(read(file)).toContain(text)
})

test('Dockerfile copies files of its context, and starts Node with the flags of npm start', () => {
  const text = read('Dockerfile')
  for (const paths of all(text, /^COPY (?!--from)(.*)$/gm))
    for (const path of paths.split(' ').slice(0, -1)) {
      expect(existsSync(join(root, path)), path).toBe(true)
      expect(read('.dockerignore')).toContain(`!${path.split('/')[0]}\n`)
    }
  // The limit of the heap is in NODE_OPTIONS, where operators can replace it.
  const flags = text
    .match(/^(?:ENTRYPOINT|ENV NODE_OPTIONS).*$/gm)
    ?.join(' ')
    .match(/--[\w=-]+/g)
  expect(flags?.toSorted()).toEqual(startFlags.toSorted())
})

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly ports?: readonly string[]
        readonly volumes?: readonly string[]
        readonly depends_on?: object
      }
    >
  >
}

test('compose.yaml mounts files that are there, asks for passwords, and publishes the proxy alone', () => {
  const text = read('compose.yaml')
  for (const [variable] of text.matchAll(/\$\{[^}]*\}/g)) expect(variable).toMatch(/^\$\{\w+_PASSWORD:\?/)
  const { services }: Compose = parse(text, { merge: true })
  for (const [name, { ports = [], volumes = [], depends_on = {} }] of Object.entries(services)) {
    expect(ports).toEqual(name === 'proxy' ? ['127.0.0.1:8080:80'] : [])
    for (const other of Object.keys(depends_on)) expect(services).toHaveProperty(other)
    for (const source of volumes.map((volume) => volume.split(':')[0] ?? ''))
      if (source.startsWith('./')) expect(existsSync(join(root, source)), source).toBe(true)
  }
})

test('Kubernetes reads valid files, and asks for paths and a metric of the gateway', async () => {
  const files = readdirSync(join(root, kubernetes)).filter((file) => file !== 'kustomization.yaml')
  const texts = files.map((file) => read(`${kubernetes}/${file}`))
  for (const text of texts) for (const { errors } of parseAllDocuments(text)) expect(errors).toEqual([])
  expect(parse(read(`${kubernetes}/kustomization.yaml`)).resources.toSorted()).toEqual(files.toSorted())
  expect(new Set(all(texts.join(''), / path: (\/\w+)/g))).toEqual(new Set(['/live', '/ready', '/metrics']))
  const metrics = await createMetrics().read({ inFlight: 0, storeReady: true })
  const [metric] = all(texts.join(''), /metric: \{ name: (\w+) \}/g)
  expect(metrics.map(({ name }) => name)).toContain(metric)
})

test('the unit of systemd has the flags of npm start, and limits that fit the defaults', () => {
  const unit = read('deploy/systemd/lookup.service')
  const lineOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''
  const command = `/usr/bin/node ${startFlags.join(' ')} /opt/lookup/node_modules/.bin/lookup serve`
  expect(lineOf('ExecStart')).toBe(command)
  // Connections take three quarters of the files at most.
  expect((Number(lineOf('LimitNOFILE')) * 3) / 4).toBeGreaterThanOrEqual(maxConnections)
  // A stop takes up to 10 s.
  expect(Number(lineOf('TimeoutStopSec'))).toBeGreaterThan(10)
  const [heap] = all(command, /--max-old-space-size=(\d+)/g)
  expect(lineOf('MemoryMax')).toBe(`${(Number(heap) * 2) / 1024}G`)
})

test('containers have the flags of npm start, and twice the memory of the heap', () => {
  const dockerfile = read('Dockerfile')
  const [heap] = all(dockerfile, /^ENV NODE_OPTIONS=--max-old-space-size=(\d+)$/gm)
  const entry = [...dockerfile.matchAll(/"(--[\w-]+=\d+)"/g)].map(([, flag]) => flag)
  expect(new Set([...entry, `--max-old-space-size=${heap}`])).toEqual(new Set(startFlags))
  const memory = `${(Number(heap) * 2) / 1024}G`
  expect(read('deploy/kubernetes/deployment.yaml')).toContain(`limits: { memory: ${memory}i }`)
  expect(all(read('compose.yaml'), /limits: \{ memory: (\w+), pids: 64 \}/g)).toEqual([memory, memory])
  for (const file of ['deploy/kubernetes/deployment.yaml', 'compose.yaml'])
    expect(read(file)).not.toContain('max-old-space-size')
})
