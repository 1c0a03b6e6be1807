// The manifests of Kubernetes: by their published schemas, by each other, and by a gateway with the settings
// of their container, asked as the kubelet and Prometheus ask. No cluster runs them here.

import { readdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeTables } from '../../../src/stores/transfer.ts'
import { fill, sample, temporaryFolder } from '../../kit/gateway.ts'
import { installed } from '../../kit/install.ts'
import { originOf, serve } from '../../kit/serving.ts'
import { complaints, here, manifestsIn, read, typeErrors } from './manifests.ts'
import type {
  Autoscaler,
  Budget,
  Deployment,
  Kustomization,
  Manifest,
  Monitor,
  Policy,
  Service,
} from './shapes.ts'

const files = readdirSync(manifestsIn).filter((file) => file !== 'kustomization.yaml')
const all = files.flatMap((file) => read<readonly Manifest[]>(file))
const [deployment] = read<readonly [Deployment]>('deployment.yaml')
const [service, adminService] = read<readonly [Service, Service]>('service.yaml')
const [autoscaler] = read<readonly [Autoscaler]>('autoscaler.yaml')
const [budget] = read<readonly [Budget]>('disruption-budget.yaml')
const [policy] = read<readonly [Policy]>('network-policy.yaml')
const [monitor] = read<readonly [Monitor]>('service-monitor.yaml')
const { template } = deployment.spec
const { spec: pod } = template
const [container] = pod.containers
const labels = { 'app.kubernetes.io/name': 'lookup' }

describe.skipIf(!installed(here, 'kubernetes-models'))('the published schemas', () => {
  test('have nothing against them', () => {
    expect(all).toHaveLength(7)
    expect(complaints(all)).toEqual(all.map(() => null))
    expect(typeErrors(all)).toBe('')
  })

  test('would name a wrong value', () => {
    const wrong = { ...budget, spec: { ...budget.spec, minAvailable: true } }
    expect(complaints([wrong, { ...monitor, spec: {} }])).toEqual([
      expect.stringContaining('minAvailable'),
      expect.stringContaining('selector'),
    ])
  })

  test('would name an unknown key, and a word that is not allowed', () => {
    expect(typeErrors([{ ...budget, spec: { maxUnavailables: 1 } }])).toContain('maxUnavailables')
    const probe = { httpGet: { path: '/live', port: 'admin', timeout: 3 } }
    const wrong = { ...pod, containers: [{ ...container, livenessProbe: probe }] }
    const spec = { ...deployment.spec, template: { ...template, spec: wrong } }
    expect(typeErrors([{ ...deployment, spec }])).toContain('timeout')
  })
})

test('kustomize takes all of them', () => {
  const [{ resources, images }] = read<readonly [Kustomization]>('kustomization.yaml')
  expect(resources.toSorted()).toEqual(files.toSorted())
  expect(images.map(({ name }) => name)).toEqual([container.image])
})

test('all are about the same pods', () => {
  expect(template.metadata.labels).toEqual(labels)
  const selectors = [deployment, budget].map(({ spec }) => spec.selector.matchLabels)
  const bare = [service, adminService].map(({ spec }) => spec.selector)
  const [spread] = pod.topologySpreadConstraints
  for (const selector of [
    ...selectors,
    ...bare,
    policy.spec.podSelector.matchLabels,
    spread?.labelSelector.matchLabels,
  ])
    expect(selector).toEqual(labels)
  expect(adminService.metadata.labels).toMatchObject(monitor.spec.selector.matchLabels)
  expect(service.metadata.labels).not.toMatchObject(monitor.spec.selector.matchLabels)
  const { kind, metadata } = deployment
  expect(autoscaler.spec.scaleTargetRef).toMatchObject({ kind, name: metadata.name })
})

test('ports are named ports of the container', () => {
  const ports = new Map(container.ports.map(({ name, containerPort }) => [name, containerPort]))
  expect(Object.fromEntries(ports)).toEqual({ http: 4000, admin: 4001 })
  const used = [service, adminService].flatMap(({ spec }) => spec.ports.map(({ targetPort }) => targetPort))
  const opened = policy.spec.ingress.flatMap((rule) => rule.ports.map(({ port }) => port))
  for (const port of [...used, ...opened]) expect(ports.has(port), port).toBe(true)
  expect(adminService.spec.ports.map(({ name }) => name)).toEqual([monitor.spec.endpoints[0].port])
  // The admin port is for one namespace, and on no service that clients use.
  expect(service.spec.ports.map(({ targetPort }) => targetPort)).toEqual(['http'])
  expect(policy.spec.ingress.find((rule) => rule.ports[0].port === 'admin')?.from).toHaveLength(1)
})

test('the pod security standard "restricted" lets it in', () => {
  expect(pod.securityContext).toMatchObject({
    runAsNonRoot: true,
    runAsUser: expect.any(Number),
    seccompProfile: { type: 'RuntimeDefault' },
  })
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  for (const key of ['hostNetwork', 'hostPID', 'hostIPC']) expect(pod).not.toHaveProperty(key)
  for (const volume of pod.volumes) expect(Object.keys(volume)).toEqual(['name', 'secret'])
})

test('limits fit each other', () => {
  const env = new Map(container.env.map(({ name, value }) => [name, value]))
  const [, heap] = /^--max-old-space-size=(\d+)$/.exec(env.get('NODE_OPTIONS') ?? '') ?? []
  expect(container.resources.limits.memory).toBe(`${2 * Number(heap)}Mi`)
  // A stop takes up to 10 s.
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(container.lifecycle.preStop.sleep.seconds + 10)
  const paths = container.volumeMounts.map(({ mountPath }) => join(mountPath, 'url'))
  expect(paths).toEqual([env.get('DATABASE_URL_FILE')])
  // A node can be drained while all pods run.
  expect(autoscaler.spec.minReplicas).toBeGreaterThan(budget.spec.maxUnavailable)
})

test('a gateway with these settings answers probes and Prometheus, and has the metric', async () => {
  const { path: cwd, remove } = temporaryFolder()
  onTestFinished(remove)
  const database = { kind: 'sqlite', path: join(cwd, 'test.db') } as const
  await makeTables(database)
  await fill(database, 'users', sample.users)
  writeFileSync(join(cwd, 'url'), `sqlite:${database.path}\n`)
  const settings = container.env.map(({ name, value }) => [name, value])
  const env = { ...Object.fromEntries(settings), DATABASE_URL_FILE: join(cwd, 'url') }
  const { shown, stop } = await serve({ cwd, env })
  // The kubelet and Prometheus send the address of the pod.
  const ask = async (path: string) => {
    const sent = request(`${originOf(shown.Readiness)}${path}`, { headers: { host: '10.1.2.3:4001' } }).end()
    return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      sent.on('error', reject)
      sent.on('response', async (response) =>
        resolve({ status: response.statusCode, body: await text(response) }),
      )
    })
  }
  const { startupProbe, livenessProbe, readinessProbe } = container
  for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
    expect(httpGet).toEqual({ path: expect.any(String), port: 'admin' })
    expect((await ask(httpGet.path)).status, httpGet.path).toBe(200)
  }
  const { status, body } = await ask(monitor.spec.endpoints[0].path)
  expect(status).toBe(200)
  expect(body).toMatch(new RegExp(`^${autoscaler.spec.metrics[0].pods.metric.name} \\d`, 'm'))
  expect((await stop()).status).toBe(0)
})
