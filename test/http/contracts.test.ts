// The gateway serves the published contracts, whatever the settings are.

import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { test } from '../kit/test.ts'

const published = (file: string) => readFileSync(new URL(`../../schema/${file}`, import.meta.url), 'utf8')

test.for([
  ['schema.graphql', 'text/plain; charset=utf-8'],
  ['legacy.openapi.json', 'application/json; charset=utf-8'],
  ['legacy.xsd', 'application/xml; charset=utf-8'],
] as const)('%s is open to every page', async ([file, type], { gateway }) => {
  const address = `${gateway.url}/schema/${file}`
  const response = await fetch(address)
  expect([response.status, await response.text()]).toEqual([200, published(file)])
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': type,
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
  })
  const known = await fetch(address, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } })
  expect(known.status).toBe(304)
  const posted = await fetch(address, { method: 'POST' })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

test.for(['/schema', '/schema/', '/schema/sqlite.sql', '/schema/legacy.xsd/', '/schema/../legacy.xsd'])(
  '%s is nothing',
  async (path, { gateway }) => {
    expect((await fetch(gateway.url + path)).status).toBe(404)
  },
)

test('contracts describe the default dialect; INTROSPECTION=off hides the schema', async ({
  withSettings,
}) => {
  const { url } = await withSettings({ serviceName: 'Other', INTROSPECTION: 'off', EXPLORER: 'off' })
  for (const file of ['legacy.xsd', 'legacy.openapi.json'])
    expect(await (await fetch(`${url}/schema/${file}`)).text()).toBe(published(file))
  expect((await fetch(`${url}/schema/schema.graphql`)).status).toBe(404)
})
