// Failures on our side: an outage says so, and anything unforeseen is one fixed text here and one line in the log.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../support/gateway.ts'
import { ask } from './client.ts'
import { corrupt } from './execution-support.ts'

let gateway: Gateway
beforeEach(async () => {
  gateway = await startGateway()
})
afterEach(() => gateway.close())

const query = '{ users(values: ["1", "99"]) { username } }'
const secrets = /sqlite|users_|no such table|SELECT|ERR_|node_modules|\.ts\b|\/tmp|\/src|\bat \S+:\d|gone/i

describe('an error nobody foresaw', () => {
  // No import lets such a number in, and the driver throws on reading it.
  const poison = `INSERT INTO users VALUES (50, 'p', 'p', NULL, 'P', 1, 9007199254740993, 1, 0)`
  const poisoned = '{ users(values: ["1", "50"]) { joinDate } }'

  test('is one fixed text and an id', async () => {
    corrupt(gateway, poison)
    for (let use = 1; use <= 5; use++) {
      const { text, data, errors } = await ask(gateway, { query: poisoned })
      expect(data ?? null).toBeNull()
      expect(errors).toHaveLength(1)
      expect(errors?.[0]).toMatchObject({
        message: 'Something went wrong on our side. The operator can find the reason in the log.',
        extensions: { code: 'INTERNAL', requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      })
      expect(Object.keys(errors?.[0]?.extensions ?? {}).toSorted()).toEqual(['code', 'requestId'])
      expect(text).not.toMatch(secrets)
    }
  })

  test('is observed under the id the answer carries', async () => {
    corrupt(gateway, poison)
    const { errors } = await ask(gateway, { query: poisoned })
    const observed = gateway.observations.filter((observation) => observation.type === 'unexpected')
    expect(observed).toHaveLength(1)
    expect(observed[0]?.requestId).toBe(errors?.[0]?.extensions?.requestId)
    expect(String(observed[0]?.error)).toMatch(/out of range|too large/i)
  })

  test('leaves other requests alone', async () => {
    corrupt(gateway, poison)
    expect((await ask(gateway, { query })).data).toEqual({ users: [{ username: 'Ada' }, null] })
  })
})

describe('an outage of the store', () => {
  const queries = [
    query,
    '{ users(by: USERNAME, values: ["ada"]) { id } }',
    '{ users(by: CHAT, values: ["x"]) { id } }',
  ]

  test.each(queries)('is 503 for %s', async (asked) => {
    corrupt(gateway, 'ALTER TABLE users RENAME TO gone')
    for (let use = 1; use <= 5; use++) {
      const { status, headers, text, data, errors } = await ask(gateway, { query: asked })
      expect(status).toBe(503)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(data ?? null).toBeNull()
      expect(errors).toHaveLength(1)
      expect(errors?.[0]?.extensions).toEqual({ code: 'UNAVAILABLE' })
      expect(errors?.[0]?.message).toMatch(/cannot be reached/)
      expect(text).not.toMatch(secrets)
    }
  })

  test.each(['application/json', '*/*', 'application/graphql-response+json'])(
    'is 503 for %s',
    async (accept) => {
      corrupt(gateway, 'ALTER TABLE users RENAME TO gone')
      const headers = { 'content-type': 'application/json', accept }
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ query }),
      })
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).not.toBeNull()
    },
  )

  test('of half of the data is no answer with the other half', async () => {
    corrupt(gateway, 'ALTER TABLE users RENAME TO gone')
    const both = await ask(gateway, { query: '{ apps(ids: [1]) { id } users(values: ["1"]) { id } }' })
    expect(both.status).toBe(503)
    expect(both.data ?? null).toBeNull()
    expect((await ask(gateway, { query: '{ apps(ids: [1]) { id } }' })).data).toEqual({ apps: [{ id: '1' }] })
  })

  test('is observed, and over when it is over', async () => {
    corrupt(gateway, 'ALTER TABLE users RENAME TO gone')
    expect((await ask(gateway, { query })).status).toBe(503)
    expect(gateway.observations.map(({ type }) => type)).toContain('store-failed')
    corrupt(gateway, 'ALTER TABLE gone RENAME TO users')
    expect((await ask(gateway, { query })).data).toEqual({ users: [{ username: 'Ada' }, null] })
  })

  test('does not touch what needs no data', async () => {
    corrupt(gateway, 'DROP TABLE users; DROP TABLE apps')
    expect((await ask(gateway, { query: '{ __typename __schema { queryType { name } } }' })).status).toBe(200)
    expect((await ask(gateway, { query: '{ users(values: []) { id } }' })).status).toBe(200)
    expect((await ask(gateway, { query: '{ apps(ids: [1]) { id } }' })).status).toBe(503)
  })
})
