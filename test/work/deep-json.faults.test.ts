// Parsing JSON that ends within thousands of open lists damages the memory of the process (Node 26.10): it is
// never parsed.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { exchange, requestFor } from '../gateway/http/raw.ts'
import { type GatewayProcess, startGatewayProcess } from '../kit/gateway-process.ts'
import { posted } from './hostile-graphql.ts'

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGatewayProcess({})
})
afterAll(() => gateway.close())

const open = (times: number) => `${'[0,'.repeat(times)}0`

test.each([
  ['a body', posted(open(15_000))],
  ['a body that another client sends', posted(open(15_000), 'application/json; a=b', 'application/*')],
  ['variables', posted(`{"query":"{__typename}","variables":${open(15_000)}`)],
  ['extensions', posted(`{"query":"{__typename}","extensions":{"a":${open(15_000)}`)],
  ['variables in a query string', requestFor(`/graphql?query={__typename}&variables=${open(4_000)}`)],
  [
    'variables in a query string, escaped',
    requestFor(`/graphql?query={__typename}&variables=${'%5B0,'.repeat(3_000)}0`),
  ],
  ['variables in a form', posted(`variables=${open(15_000)}&query={a}`, 'application/x-www-form-urlencoded')],
])('%s', async (_what, request) => {
  for (let time = 0; time < 30; time++) expect((await exchange(gateway.url, request)).status).toBe(400)
  const { body } = await exchange(gateway.url, request)
  expect(body).toContain('The JSON of a request may be nested 100 levels deep. This one is deeper.')
  expect((await exchange(gateway.url, requestFor('/?Event=ProfileLookup&Users=1'))).status).toBe(200)
})
