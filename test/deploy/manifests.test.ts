// Dockerfile, compose.yaml, the manifests of Kubernetes and `docker run`: what they say about this repository.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../../src/config.ts'
import { createMetrics } from '../../src/gateway/observe/metrics.ts'
import { settings } from '../../src/settings.ts'
import { startFlags } from '../kit/start-flags.ts'
import { root } from './systemd.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const { port, adminPort } = readConfig({})

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly environment?: Readonly<Record<string, string>>
        readonly ports?: readonly string[]
        readonly volumes?: readonly string[]
        readonly depends_on?: object
      }
    >
  >
}

/** Settings of the gateway; Node has its own. */
function expectSettings(names: readonly string[]): void {
  expect(names.length).toBeGreaterThan(0)
  for (const name of names.filter((name) => !name.startsWith('NODE_'))) expect(settings).toHaveProperty(name)
}

test('Dockerfile: its files are in the context, its settings and ports are those of the gateway', () => {
  const text = read('Dockerfile')
  const context = read('.dockerignore')
  for (const [, paths = ''] of text.matchAll(/^COPY (?!--from)(.*)$/gm))
    for (const path of paths.split(' ').slice(0, -1)) {
      expect(existsSync(join(root, path)), path).toBe(true)
      expect(context).toContain(`!${path.split('/')[0]}\n`)
    }
  const env = [...text.matchAll(/^ENV (.*)$/gm)].flatMap(([, pairs = '']) => pairs.split(' '))
  expectSettings(env.map((pair) => pair.split('=')[0] ?? ''))
  expect(text).toContain(`EXPOSE ${port} ${adminPort}\n`)
  // The limit of the heap is in NODE_OPTIONS, where operators can replace it.
  const flags = [...(text.match(/^(?:ENTRYPOINT|ENV NODE_OPTIONS).*$/gm) ?? [])].join(' ').match(/--[\w=-]+/g)
  expect(flags?.toSorted()).toEqual(startFlags.toSorted())
})

test('compose.yaml: its settings are settings, its files are there, and only the proxy is published', () => {
  const text = read('compose.yaml')
  const { services }: Compose = parse(text, { merge: true })
  for (const name of ['migrate', 'gateway']) expectSettings(Object.keys(services[name]?.environment ?? {}))
  // A password must be given: there is no default.
  for (const [variable] of text.matchAll(/\$\{[^}]*\}/g)) expect(variable).toMatch(/^\$\{\w+_PASSWORD:\?/)
  for (const [name, { ports = [], volumes = [], depends_on = {} }] of Object.entries(services)) {
    expect(ports).toEqual(name === 'proxy' ? ['127.0.0.1:8080:80'] : [])
    for (const other of Object.keys(depends_on)) expect(services).toHaveProperty(other)
    for (const source of volumes.map((volume) => volume.split(':')[0] ?? ''))
      if (source.startsWith('./')) expect(existsSync(join(root, source)), source).toBe(true)
  }
  expect(read('deploy/nginx.conf')).toContain(`server gateway:${port} resolve`)
})

test('Kubernetes: its settings, ports, paths and metrics are those of the gateway', async () => {
  const folder = 'deploy/kubernetes'
  const files = readdirSync(join(root, folder)).filter((file) => file !== 'kustomization.yaml')
  for (const file of files)
    for (const { errors } of parseAllDocuments(read(`${folder}/${file}`))) expect(errors, file).toEqual([])
  const { resources }: { readonly resources: readonly string[] } = parse(read(`${folder}/kustomization.yaml`))
  expect(resources.toSorted()).toEqual(files.toSorted())
  const deployment = read(`${folder}/deployment.yaml`)
  expectSettings([...deployment.matchAll(/name: ([A-Z_]+), value/g)].map(([, name = '']) => name))
  expect(deployment).toContain(`name: http, containerPort: ${port} `)
  expect(deployment).toContain(`name: admin, containerPort: ${adminPort} `)
  const all = files.map((file) => read(`${folder}/${file}`)).join('')
  expect(new Set(all.match(/(?<= path: )\/\w+/g))).toEqual(new Set(['/live', '/ready', '/metrics']))
  const metrics = await createMetrics().read({ inFlight: 0, storeReady: true })
  const [, metric] = /metric: \{ name: (\w+) \}/.exec(all) ?? []
  expect(metrics.map(({ name }) => name)).toContain(metric)
})

test('docker run: the options are those of the image, and settings', () => {
  const text = read('docs/deploy.md').replaceAll(/ \\\n */g, ' ')
  const runs = text.split('\n').filter((line) => line.startsWith('docker run '))
  expect(runs).toHaveLength(2)
  for (const line of runs)
    expect([...line.matchAll(/--publish 127\.0\.0\.1:\d+:(\d+) /g)].map(([, to]) => Number(to))).toEqual([
      port,
    ])
  expectSettings(runs.flatMap((line) => [...line.matchAll(/--env (\w+)=/g)].map(([, name = '']) => name)))
})
