// The explorer of an unusual gateway: lookups have another path, a proxy serves it all below a prefix,
// GraphQL runs only trusted documents, and pages are switched off.

import { writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startGateway, temporaryFolder } from '../../kit/gateway.ts'
import { hasProgram } from '../../kit/programs.ts'
import { gatewayAndBrowser, settled, visit } from './visit.ts'

const folder = temporaryFolder()
afterAll(folder.remove)
const manifest = join(folder.path, 'documents.json')
writeFileSync(manifest, '{"trusted": "{ __typename }"}')
const onlyDocuments = { GRAPHQL_DOCUMENTS: manifest, GRAPHQL_ONLY_DOCUMENTS: 'on' }
const note = 'runs only the documents of its manifest (GRAPHQL_ONLY_DOCUMENTS)'

describe.skipIf(!hasProgram('chromium'))('the explorer', () => {
  const its = gatewayAndBrowser({
    LEGACY_PATHS: "/it's.php",
    LEGACY_SERVICE_NAME: 'Acme',
    LEGACY_CHAT_METHOD: 'messenger',
    GRAPHIQL: 'off',
    INTROSPECTION: 'off',
    ...onlyDocuments,
  })
  let proxy: Server
  let url: string
  beforeAll(async () => {
    proxy = createServer((incoming, outgoing) => {
      const { method, headers, url: target = '' } = incoming
      // Any other path has no gateway behind it.
      const path = target.startsWith('/prefix/') ? target.slice('/prefix'.length) : '/nowhere'
      incoming.pipe(
        request(its.gateway.url, { path, method, headers }, (response) => {
          outgoing.writeHead(response.statusCode ?? 500, response.headers)
          response.pipe(outgoing)
        }),
      )
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const { port } = proxy.address() as AddressInfo // a TCP server's address is no string
    url = `http://127.0.0.1:${port}/prefix`
  })
  afterAll(() => {
    proxy.closeAllConnections()
    proxy.close()
  })

  test('looks up below the prefix, at the path of the gateway, in its dialect', async () => {
    const at = await visit(its.browser, url)
    expect(await at.status.textContent()).toBe('2 of 2 found.')
    const options = at.control('MethodOfAccessingUserInformation').locator('option')
    expect(await options.allInnerTexts()).toEqual(['id', 'username', 'messenger'])
    await at.control('Event').selectOption('AppLookup')
    await at.control('Format').selectOption('XML')
    await settled(at.page)
    expect(await at.body.textContent()).toMatch(/<AcmeAPI>.*<AcmeDownloadLink>/s)
    expect(await at.page.getByLabel('curl', { exact: true }).textContent()).toBe(
      String.raw`curl '${url}/it'\''s.php?Event=AppLookup&Apps=1:2&Format=XML'`,
    )
    expect(await at.row('Settings changed').textContent()).toContain(
      'LEGACY_SERVICE_NAME=Acme\nLEGACY_CHAT_METHOD=messenger',
    )
    at.expectNothingElse()
    await at.page.context().close()
  })

  test('links to nothing that is switched off, and names the trusted documents', async () => {
    const at = await visit(its.browser, url)
    const links = at.page.getByRole('link')
    expect(await links.allInnerTexts()).toEqual(['legacy.openapi.json', 'legacy.xsd'])
    await at.page.getByText(note).waitFor()
    for (const link of await links.all()) {
      const address = await link.evaluate((anchor) => anchor instanceof HTMLAnchorElement && anchor.href)
      expect((await fetch(String(address))).status).toBe(200)
    }
    await at.page.context().close()
  })
})

test('pages say that only trusted documents run, and are not there when they are switched off', async () => {
  const pageOf = async (path: string, settings: Readonly<Record<string, string>>) => {
    const gateway = await startGateway(settings)
    const response = await fetch(`${gateway.url}${path}`, { headers: { accept: 'text/html' } })
    const text = await response.text()
    await gateway.close()
    return text
  }
  expect(await pageOf('/', { GRAPHQL_DOCUMENTS: manifest })).not.toContain(note)
  expect(await pageOf('/graphql', onlyDocuments)).toContain('Only trusted documents run')
  expect(await pageOf('/graphql', { GRAPHQL_DOCUMENTS: manifest })).not.toContain('Only trusted documents')
  expect(await pageOf('/', { EXPLORER: 'off' })).toContain('MissingParameter')
  expect(await pageOf('/explain', { EXPLORER: 'off' })).toContain('NotFound')
})
