// The explorer of an unusual gateway: lookups have another path, a proxy serves all below a prefix, GraphQL
// runs only trusted documents, and pages are off.

import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { test as base, settled } from './visit.ts'

const test = base.extend('below', async ({ place, visit, withSettings }) => {
  place.write('documents.json', '{"trusted": "{ __typename }"}')
  const gateway = await withSettings({
    ...{ LEGACY_PATHS: "/it's.php", serviceName: 'Acme', chatMethod: 'messenger' },
    ...{ GRAPHIQL: 'off', INTROSPECTION: 'off', GRAPHQL_ONLY_DOCUMENTS: 'on' },
    GRAPHQL_DOCUMENTS: join(place.path, 'documents.json'),
  })
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers, url: target = '' } = incoming
    // Any other path has no gateway behind it.
    const path = target.startsWith('/prefix/') ? target.slice('/prefix'.length) : '/nowhere'
    incoming.pipe(
      request(gateway.url, { path, method, headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 500, response.headers)
        response.pipe(outgoing)
      }),
    )
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const { port } = proxy.address() as AddressInfo // a TCP server's address is no string
  const url = `http://127.0.0.1:${port}/prefix`
  return { url, at: await visit({ url }) }
})

describe('the explorer', () => {
  test('looks up below the prefix, at the path of the gateway, in its dialect', async ({ below }) => {
    const { at, url } = below
    expect(await at.status.textContent()).toBe('2 of 2 found.')
    const options = at.control('MethodOfAccessingUserInformation').locator('option')
    expect(await options.allInnerTexts()).toEqual(['id', 'username', 'messenger'])
    await at.control('Event').selectOption('AppLookup')
    await at.control('Format').selectOption('XML')
    await settled(at.page)
    expect(await at.body.textContent()).toMatch(/<AcmeAPI>.*<AcmeDownloadLink>/s)
    expect(await at.textOf('curl')).toBe(
      String.raw`curl '${url}/it'\''s.php?Event=AppLookup&Apps=1:2&Format=XML'`,
    )
    expect(await at.row('Dialect').textContent()).toContain('serviceName: "Acme"\nchatMethod: "messenger"')
    at.expectNothingElse()
  })

  test('links to nothing that is off', async ({ below: { at } }) => {
    const links = at.page.getByRole('link')
    expect(await links.allInnerTexts()).toEqual(['legacy.openapi.json', 'legacy.xsd'])
  })
})
