// Conformance with GraphQL over HTTP: the audits of the `graphql-http` package, against a gateway on a
// socket, on the fast path and by Yoga.

import { serverAudits } from 'graphql-http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { note } from '../../kit/figures.ts'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { forYoga } from './client.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const url = () => `${gateway.url}/graphql`
const audits = serverAudits({ url })
const byYoga = serverAudits({ url, fetchFn: (to: string, init?: RequestInit) => fetch(...forYoga(to, init)) })

let passed = 0

// The requirement is part of the name. A SHOULD that fails is only a `warn` to the package; here it is a
// failure.
describe.each([
  ['the fast path', audits],
  ['Yoga', byYoga],
])('%s', (_way, all) => {
  test.each(all.map(({ id, name, fn }) => ({ title: `${id} ${name}`, fn })))('$title', async ({ fn }) => {
    const result = await fn()
    expect(result.status === 'ok' ? 'ok' : result.reason).toBe('ok')
    passed++
  })
})

// A new version of the package may bring more; fewer would mean that some are silently no longer asked.
test('there are at least 61 audits, and all of them pass', (context) => {
  expect(audits.length).toBeGreaterThanOrEqual(61)
  note(context, {
    promise: 8,
    what: 'audits of GraphQL over HTTP (graphql-http), MUST and SHOULD alike',
    bound: 'all 61',
    measured: `${passed} of ${2 * audits.length}`,
  })
  expect(passed).toBe(2 * audits.length)
})
