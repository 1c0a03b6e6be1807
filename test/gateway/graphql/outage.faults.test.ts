// GraphQL over a store that cannot answer: said once, and not waited for again when the request is put
// differently.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { type PostgresGateway, startGatewayOnPostgres } from '../../kit/postgres/gateway.ts'

let gateway: PostgresGateway
beforeEach(async () => {
  gateway = await startGatewayOnPostgres({ DATABASE_TIMEOUT: '300' })
})
afterEach(() => gateway.close())

async function post(query: string) {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: await response.json(),
  }
}
const failures = () => gateway.observations.filter(({ type }) => type === 'store-failed').length

test('one outage is one query, interpreted or compiled', async () => {
  const query = '{ users(values: ["1"]) { username } }'
  // Interpreted at first, and compiled after some uses.
  for (let use = 1; use <= 6; use++) expect(await post(query)).toMatchObject({ status: 200 })
  await gateway.database.run('ALTER TABLE users RENAME TO gone')
  for (const asked of [query, '{ again: users(values: ["1"]) { username } }']) {
    const before = failures()
    const { status, retryAfter, body } = await post(asked)
    expect(status).toBe(503)
    expect(retryAfter).toMatch(/^\d+$/)
    expect(body).toMatchObject({ data: null, errors: [{ extensions: { code: 'UNAVAILABLE' } }] })
    expect(failures() - before).toBe(1)
  }
  await gateway.database.run('ALTER TABLE gone RENAME TO users')
  await expect.poll(async () => (await post(query)).status).toBe(200)
})

test('one that takes long is waited for once', async () => {
  const query = '{ users(values: ["1"]) { username } }'
  for (let use = 1; use <= 6; use++) await post(query)
  await gateway.database.run('BEGIN; LOCK TABLE users')
  const locked = gateway.database.run('SELECT pg_sleep(1.2); COMMIT')
  const started = performance.now()
  expect(await post(query)).toMatchObject({ status: 503 })
  expect(performance.now() - started).toBeLessThan(900)
  expect(failures()).toBe(1)
  await locked
})
