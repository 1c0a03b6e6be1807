// What compose.yaml lets each service do: as little as it needs.

import { describe, expect, test } from 'vitest'
import { networks, type Service, services } from './compose.ts'

const all = Object.entries(services)
const service = (name: string): Service => services[name] ?? {}
const limitsOf = ({ deploy }: Service) => deploy?.resources?.limits ?? {}
const mebibytes = (size: unknown) =>
  Number.parseInt(String(size), 10) * (String(size).endsWith('G') ? 1024 : 1)

describe.each(all)('%s', (name, settings) => {
  test('has no rights that it does not need', () => {
    expect(settings).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    for (const key of ['cap_add', 'privileged', 'devices', 'pid', 'ipc', 'network_mode', 'group_add'])
      expect(settings, key).not.toHaveProperty(key)
    // The Dockerfile names the user of the image that is built here.
    expect(settings.user).toBe({ primary: 'postgres', standby: 'postgres', proxy: 'nginx' }[name])
  })

  test('has limits', () => {
    expect(limitsOf(settings)).toEqual({
      memory: expect.stringMatching(/^\d+[MG]$/),
      pids: expect.any(Number),
    })
    for (const mount of settings.tmpfs ?? []) expect(mount).toMatch(/^\/[a-z/]+:(?:.*,)?size=\d+m$/)
  })

  test('shares a network with what it waits for', () => {
    for (const other of Object.keys(settings.depends_on ?? {})) expect(shared(name, other)).not.toEqual([])
  })
})

/** The networks on which one service reaches another. */
function shared(one: string, other: string): string[] {
  return (service(one).networks ?? []).filter((network) => service(other).networks?.includes(network))
}

test('the proxy reaches the gateways, these the databases, and the databases nothing outside', () => {
  expect(shared('proxy', 'gateway')).toEqual(['front'])
  for (const database of ['primary', 'standby']) {
    expect(shared('proxy', database)).toEqual([])
    expect(shared('gateway', database)).toEqual(['back'])
    expect(service(database).networks).toEqual(['back'])
  }
  expect(networks).toEqual({ front: null, back: { internal: true } })
})

test.each(['gateway', 'migrate'])('the heap of %s leaves half of its memory to what is outside', (name) => {
  const [, heap] = /^--max-old-space-size=(\d+)$/.exec(service(name).environment?.NODE_OPTIONS ?? '') ?? []
  expect(2 * Number(heap)).toBe(mebibytes(limitsOf(service(name)).memory))
})

test('PostgreSQL has room for its default settings', () => {
  // max_connections = 100, shared_buffers = 128 MB, work_mem = 4 MB.
  expect(limitsOf(service('primary')).pids).toBeGreaterThan(100)
  expect(mebibytes(limitsOf(service('primary')).memory)).toBeGreaterThan(128 + 100 * 4)
})

test('a Prometheus beside the gateways may ask for the name of their service', () => {
  expect(service('gateway').environment?.ADMIN_HOSTS).toBe('gateway')
})
