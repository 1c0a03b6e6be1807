// Over an old service that knows no apps: what is asked of users is answered, whatever else is asked.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGatewayOver } from '../../kit/gateway.ts'
import { hasProgram } from '../../kit/programs.ts'
import { type OldService, startOldService } from '../../old-service/start.ts'
import { ask } from './client.ts'

describe.skipIf(!hasProgram('php'))('an old service without apps', () => {
  let old: OldService
  let gateway: Omit<Gateway, 'database'>
  beforeAll(async () => {
    old = await startOldService({ withoutApps: true })
    gateway = await startGatewayOver({ DATABASE_URL: old.url })
  })
  afterAll(async () => {
    await gateway.close()
    await old.close()
  })

  test('leaves the users of a request', async () => {
    const query =
      '{ users(values: ["1", "99"]) { username } user(value: "3") { id } apps(ids: [1, 2]) { id } app(id: 1) { id } }'
    for (let use = 1; use <= 5; use++) {
      const { status, data, errors } = await ask(gateway, { query })
      expect(status).toBe(200)
      expect(data).toEqual({ users: [{ username: 'Ada' }, null], user: { id: '3' }, apps: null, app: null })
      expect(errors).toMatchObject([
        { path: ['apps'], extensions: { code: 'UNAVAILABLE' } },
        { path: ['app'], extensions: { code: 'UNAVAILABLE' } },
      ])
    }
  })

  test('fails a request for apps alone', async () => {
    const { status, headers, data, errors } = await ask(gateway, { query: '{ app(id: 1) { id } }' })
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toMatch(/^\d+$/)
    expect(data).toBeNull()
    expect(errors).toMatchObject([{ path: ['app'], extensions: { code: 'UNAVAILABLE' } }])
  })

  test('fails the legacy lookup of apps, and no other', async () => {
    const statusOf = async (query: string) => (await fetch(`${gateway.url}/?${query}`)).status
    expect(await statusOf('Event=AppLookup&Apps=1')).toBe(503)
    expect(await statusOf('Event=ProfileLookup&Users=1')).toBe(200)
  })
})
