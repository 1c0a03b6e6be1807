// HEALTH_PATH: readiness on the public port.

import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished } from 'vitest'
import { startGateway } from '../kit/gateway.ts'
import { test } from '../kit/test.ts'
import { exchange, requestFor } from './raw.ts'

test('it says whether lookups can be answered, without details, whatever RATE_LIMIT says', async () => {
  const { url, database, close } = await startGateway({ HEALTH_PATH: '/healthz', RATE_LIMIT: '1' })
  const writer = new DatabaseSync(database.path)
  onTestFinished(async () => {
    writer.close()
    await close()
  })
  const health = async () => {
    const { status, body } = await exchange(url, requestFor('/healthz?x=1'))
    return [status, body]
  }
  for (let time = 0; time < 3; time++) expect(await health()).toEqual([200, 'ready\n'])
  writer.exec('ALTER TABLE users RENAME TO hidden')
  expect(await health()).toEqual([503, 'not ready\n'])
  writer.exec('ALTER TABLE hidden RENAME TO users')
  expect(await health()).toEqual([200, 'ready\n'])
})

test('by default there is none', async ({ gateway }) => {
  expect(await exchange(gateway.url, requestFor('/healthz'))).toMatchObject({ status: 404 })
})
