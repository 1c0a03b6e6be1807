// The example of a front end, built from the published schema, in a real browser and from another origin.

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { startAnswering } from '../kit/answering.ts'
import { startGatewayOver, temporaryFolder } from '../kit/gateway.ts'
import { installed } from '../kit/install.ts'
import { npmEnvironment } from '../kit/npm.ts'
import { test as base } from './browser.ts'

const folder = fileURLToPath(new URL('../../examples/frontend/', import.meta.url))
const manifest = join(folder, 'src/gql/persisted-documents.json')
const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' }

const npmRun = (env: NodeJS.ProcessEnv, ...args: string[]) =>
  promisify(execFile)('npm', ['run', ...args], { cwd: folder, env: { ...npmEnvironment(), ...env } })

/** A front end that was built for a gateway, and the page of it with the requests it sent to the gateway. */
const test = base
  .extend('built', { scope: 'file' }, async ({ shared: { path } }, { onCleanup }) => {
    // The gateway has the manifest before the front end is deployed.
    await npmRun({}, 'codegen')
    const only = { GRAPHQL_DOCUMENTS: manifest, GRAPHQL_ONLY_DOCUMENTS: 'on' }
    const gateway = await startGatewayOver({ DATABASE_URL: `sqlite:${path}`, ...only })
    const output = temporaryFolder()
    // Vitest sets NODE_ENV, which Vite heeds.
    const env = { VITE_GATEWAY: `${gateway.url}/graphql`, NODE_ENV: 'production' }
    await npmRun(env, 'build', '--', '--outDir', output.path, '--emptyOutDir')
    const site = await startAnswering(({ url = '/' }, response) => {
      const file = url === '/' ? '/index.html' : url
      response.setHeader('Content-Type', types[extname(file)] ?? 'text/plain')
      response.end(readFileSync(join(output.path, file)))
    })
    onCleanup(async () => {
      site.close()
      await gateway.close()
      output.remove()
    })
    return { gateway, site }
  })
  .extend('frontend', async ({ built: { gateway, site }, openPage }) => {
    gateway.observations.length = 0
    const watch = await openPage()
    const sent: URLSearchParams[] = []
    watch.page.on('request', (request) => {
      if (request.url().startsWith(gateway.url)) sent.push(new URL(request.url()).searchParams)
    })
    await watch.page.goto(site.url)
    return { ...watch, gateway, site, sent }
  })

const isThere = installed(folder, '@urql/exchange-persisted')

describe.skipIf(!isThere)('the front end', { timeout: 240_000 }, () => {
  test('shows users and releases with one request, and one query of each kind', async ({ frontend }) => {
    const { page, gateway, site, sent, hosts, complaints } = frontend
    const items = (list: number) => page.locator('ul').nth(list).locator('li')
    await page.getByText('Ada of the Hill').waitFor()
    expect(await items(0).allTextContents()).toEqual(['Ada of the Hill (Ada)', 'Søren Ærlig (søren)'])
    expect(await items(1).allTextContents()).toEqual([
      expect.stringContaining('(mallory), banned'),
      'Nobody is 99.',
    ])
    expect(await items(2).first().textContent()).toBe('Pocket Almanac 1.4.2')

    const observed = (type: string) => gateway.observations.filter((observation) => observation.type === type)
    // There is no preflight, though the page is of another origin: it is a plain GET.
    expect(observed('request')).toMatchObject([{ status: 200, about: { event: 'graphql', outcome: 'ok' } }])
    // In the order of the manifest, where codegen has sorted the fields.
    expect(observed('store-query')).toMatchObject([
      { lookup: 'apps-by-id', questions: 1, values: 3 },
      { lookup: 'users-by-id', questions: 2, values: 4 },
    ])
    const [asked, ...others] = sent
    expect([others, asked?.get('query')]).toEqual([[], null])
    expect(asked?.get('extensions')).toMatch(/"sha256Hash":"sha256:[0-9a-f]{64}"/)

    await page.getByLabel('Ids').fill('1:x')
    await page.getByText('Nobody is x.').waitFor()
    expect((await items(1).allTextContents())[0]).toBe('Ada of the Hill (Ada)')
    expect([...hosts].toSorted()).toEqual([gateway.url, site.url].map((url) => new URL(url).host).toSorted())
    expect(complaints).toEqual([])
  })

  test('sends one request for ids typed key by key, and says if the gateway is down', async ({
    frontend: { page, sent },
  }) => {
    await page.getByText('Ada of the Hill').waitFor()
    // The page's own clock stands still meanwhile.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    sent.length = 0
    await page.getByLabel('Ids').fill('')
    await page.getByLabel('Ids').pressSequentially('2:3:98')
    expect(sent).toEqual([])
    await page.clock.runFor(300)
    await expect.poll(() => sent.length).toBe(1)
    await page.clock.resume()
    await page.getByText('Nobody is 98.').waitFor()
    const variables = sent.map((search) => JSON.parse(search.get('variables') ?? ''))
    expect(variables).toMatchObject([{ guests: ['2', '3', '98'] }])
    await page.context().setOffline(true)
    await page.getByLabel('Ids').fill('1:2')
    await page.getByText('The gateway does not respond.').waitFor()
  })

  test('keeps its lists during a request, and shows the fields that have not failed', async ({
    frontend: { page, gateway },
  }) => {
    const texts = (list: number) => page.locator('ul').nth(list).locator('li').allTextContents()
    await page.getByText('Nobody is 99.').waitFor()
    const before = [await texts(0), await texts(1)]
    const release = Promise.withResolvers<void>()
    await page.route(`${gateway.url}/**`, async (route) => {
      const response = await route.fetch()
      const { data } = await response.json()
      await release.promise
      const message = 'The store does not respond.'
      const errors = [['guests'], ['makers', 0]].map((path) => ({ message, path }))
      const makers = [null, data.makers[1]]
      await route.fulfill({ response, json: { data: { ...data, guests: null, makers }, errors } })
    })
    await page.getByLabel('Ids').fill('1:2:98')
    await page.getByRole('status').waitFor()
    expect([await texts(0), await texts(1)]).toEqual(before)
    release.resolve()
    await page.getByText('The store does not respond.').waitFor()
    expect([await texts(0), await texts(1)]).toEqual([['User 1 is not available.', before[0]?.[1]], []])
  })
})
