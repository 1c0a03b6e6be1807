// Pages of other sites may read everything and send nothing of their user's.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { exchange, type RawAnswer, requestFor } from './raw.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const ORIGIN = 'Origin: https://evil.example'
const send = (target: string, headers: readonly string[] = [], method = 'GET') =>
  exchange(gateway.url, requestFor(target, ['Host: gateway', ...headers], method))

function expectOpenWithoutCredentials({ headers }: RawAnswer) {
  expect(headers['access-control-allow-origin']).toBe('*')
  expect(headers).not.toHaveProperty('access-control-allow-credentials')
  expect(JSON.stringify(headers)).not.toContain('evil.example')
}

test.each([
  ['a look-up', '/?Event=ProfileLookup&Users=1'],
  ['a refused look-up', '/?Event=Nothing'],
  ['a GraphQL query', '/graphql?query={__typename}'],
  ['a refused GraphQL query', '/graphql?query={'],
  ['GraphQL without a query', '/graphql'],
])('%s is open to every origin, without credentials', async (_name, target) => {
  for (const headers of [[ORIGIN], ['Origin: null'], [ORIGIN, 'Cookie: a=b']]) {
    expectOpenWithoutCredentials(await send(target, headers))
  }
})

test.each(['/', '/graphql', '/nothing'])('%s never reflects an origin', async (target) => {
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS']) {
    const { headers } = await send(target, [ORIGIN, 'Accept: text/html', 'Content-Length: 0'], method)
    expect(JSON.stringify(headers)).not.toContain('evil.example')
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  }
})

describe('a preflight on /graphql', () => {
  const preflight = (method: string) =>
    send(
      '/graphql',
      [ORIGIN, `Access-Control-Request-Method: ${method}`, 'Access-Control-Request-Headers: content-type'],
      'OPTIONS',
    )

  test('allows what GraphQL needs', async () => {
    const answer = await preflight('POST')
    expect([200, 204]).toContain(answer.status)
    expectOpenWithoutCredentials(answer)
    const methods = answer.headers['access-control-allow-methods']?.split(/, */)
    expect(methods).toEqual(expect.arrayContaining(['GET', 'POST']))
    expect(answer.headers['access-control-allow-headers']?.toLowerCase()).toContain('content-type')
  })
  test('allows no other method', async () => {
    const { headers } = await preflight('DELETE')
    expect(headers['access-control-allow-methods']).toMatch(/POST/)
    expect(headers['access-control-allow-methods']).not.toMatch(/DELETE|\*/)
  })
})
