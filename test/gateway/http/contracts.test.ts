// The contracts that machines read, at their addresses: the published files, whatever is set.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const files = [
  ['schema.graphql', 'text/plain; charset=utf-8'],
  ['legacy.openapi.json', 'application/json; charset=utf-8'],
  ['legacy.xsd', 'application/xml; charset=utf-8'],
] as const

test.each(files)('%s is the published one, for every page', async (file, type) => {
  const address = `${gateway.url}/schema/${file}`
  const response = await fetch(address)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe(type)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(await response.text()).toBe(
    readFileSync(new URL(`../../../schema/${file}`, import.meta.url), 'utf8'),
  )
  const known = await fetch(address, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } })
  expect(known.status).toBe(304)
  const posted = await fetch(address, { method: 'POST' })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

test.each(['/schema', '/schema/', '/schema/sqlite.sql', '/schema/legacy.xsd/', '/schema/../legacy.xsd'])(
  '%s is nothing',
  async (path) => {
    expect((await fetch(gateway.url + path)).status).toBe(404)
  },
)

test('they describe the default dialect, and keep the schema where introspection is off', async () => {
  const other = await startGateway({ LEGACY_SERVICE_NAME: 'Acme', INTROSPECTION: 'off', EXPLORER: 'off' })
  onTestFinished(other.close)
  const read = async (file: string) => (await fetch(`${other.url}/schema/${file}`)).text()
  for (const file of ['legacy.xsd', 'legacy.openapi.json'])
    expect(await read(file)).toBe(readFileSync(new URL(`../../../schema/${file}`, import.meta.url), 'utf8'))
  expect((await fetch(`${other.url}/schema/schema.graphql`)).status).toBe(404)
})
