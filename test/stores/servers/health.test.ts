// Whether a server is used, as its queries and probes go.

import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, onTestFinished, test } from 'vitest'
import { errors } from '../../../src/stores/postgres/errors.ts'
import { watchHealth } from '../../../src/stores/servers/health.ts'

test('probes belong to no request, even those that one caused', async () => {
  const requests = new AsyncLocalStorage<string>()
  const probes: (string | undefined)[] = []
  const examine = async () => {
    probes.push(requests.getStore())
  }
  const health = watchHealth(
    '127.0.0.1:1',
    examine,
    () => {},
    () => {},
    errors,
  )
  onTestFinished(health.close)
  requests.run('a request', () => health.suspect())
  await expect.poll(() => probes, { timeout: 5000 }).toEqual([undefined, undefined])
})
