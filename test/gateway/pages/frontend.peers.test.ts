// The example of a new front end, built from the published schema and run in a real browser, from another
// origin.

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Kind, parse, print, visit } from 'graphql'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway, temporaryFolder } from '../../kit/gateway.ts'
import { installed } from '../../kit/install.ts'
import { npmEnvironment } from '../../kit/npm.ts'
import { hasProgram } from '../../kit/programs.ts'
import { openBrowser, type Watch, watchedPage } from './browser.ts'

const folder = fileURLToPath(new URL('../../../examples/frontend/', import.meta.url))
const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' }

/** Serves what was built. */
async function serveFolder(path: string): Promise<{ server: Server; origin: string }> {
  const server = createServer(async ({ url = '/' }, response) => {
    const file = url === '/' ? '/index.html' : url
    response.setHeader('Content-Type', types[extname(file)] ?? 'text/plain')
    response.end(await readFile(join(path, file)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server's address is no string
  return { server, origin: `http://127.0.0.1:${port}` }
}

const there = hasProgram('chromium') && installed(folder, '@urql/exchange-persisted')
describe.skipIf(!there)('the example of a front end', () => {
  const { path, remove } = temporaryFolder()
  let gateway: Gateway
  let browser: Browser
  let page: { server: Server; origin: string }
  let watch: Watch
  /** The addresses that were asked of the gateway. */
  const sent: string[] = []
  beforeAll(async () => {
    const run = (env: NodeJS.ProcessEnv, ...args: string[]) =>
      promisify(execFile)('npm', ['run', ...args], { cwd: folder, env: { ...npmEnvironment(), ...env } })
    // The manifest is first at the gateway, as it is where a front end is rolled out.
    await run({}, 'codegen')
    const manifest = join(folder, 'src/gql/persisted-documents.json')
    gateway = await startGateway({ GRAPHQL_DOCUMENTS: manifest, GRAPHQL_ONLY_DOCUMENTS: 'on' })
    // Vitest sets NODE_ENV, which Vite goes by.
    const env = { VITE_GATEWAY: `${gateway.url}/graphql`, NODE_ENV: 'production' }
    await run(env, 'build', '--', '--outDir', path, '--emptyOutDir')
    page = await serveFolder(path)
    browser = await openBrowser()
    watch = await watchedPage(browser)
    watch.page.on('request', (request) => {
      if (request.url().startsWith(gateway.url)) sent.push(request.url())
    })
    await watch.page.goto(page.origin)
  })
  afterAll(async () => {
    await browser.close()
    page.server.close()
    await gateway.close()
    remove()
  })

  const items = (list: number) => watch.page.locator('ul').nth(list).locator('li')

  test('shows users and releases', async () => {
    await watch.page.getByText('Ada of the Hill').waitFor()
    expect(await items(0).allTextContents()).toEqual(['Ada of the Hill (Ada)', 'Søren Ærlig (søren)'])
    expect(await items(1).allTextContents()).toEqual([
      expect.stringContaining('(mallory), banned'),
      'Nobody is 99.',
    ])
    expect(await items(2).first().textContent()).toBe('Pocket Almanac 1.4.2')
  })

  test('asks once, and the gateway asks its store once for both lists', () => {
    const of = (type: string) => gateway.observations.filter((observation) => observation.type === type)
    // A browser does not ask first whether it may, though the page is of another origin: it is a plain GET.
    expect(of('request')).toMatchObject([{ status: 200, about: { event: 'graphql', outcome: 'ok' } }])
    // In the order of the manifest, where codegen has sorted the fields.
    expect(of('store-query')).toMatchObject([
      { lookup: 'apps-by-id', questions: 1, values: 3 },
      { lookup: 'users-by-id', questions: 2, values: 4 },
    ])
  })

  test('names its query by a hash of the manifest, and sends none', () => {
    const [asked, ...others] = sent.map((url) => new URL(url).searchParams)
    expect(others).toEqual([])
    expect(asked?.get('extensions')).toMatch(/"sha256Hash":"sha256:[0-9a-f]{64}"/)
    expect(asked?.get('query')).toBeNull()
  })

  test('asks for the type of each object, by which caches of clients keep it', async () => {
    const manifest = JSON.parse(await readFile(join(folder, 'src/gql/persisted-documents.json'), 'utf8'))
    const untyped: string[] = []
    for (const text of Object.values<string>(manifest))
      visit(parse(text), {
        SelectionSet: (set) => {
          const fields = set.selections.filter((selection) => selection.kind === Kind.FIELD)
          if (!fields.some(({ name }) => name.value === '__typename')) untyped.push(print(set))
        },
      })
    expect(untyped).toEqual([])
  })

  test('asks again for what is typed', async () => {
    await watch.page.getByLabel('Ids').fill('1:x')
    await watch.page.getByText('Nobody is x.').waitFor()
    expect((await items(1).allTextContents())[0]).toBe('Ada of the Hill (Ada)')
  })

  test('asks once for what is typed key by key', async () => {
    // The page's own clock stands still while it is typed.
    const { clock } = watch.page
    await clock.install()
    await clock.pauseAt(Date.now() + 60_000)
    sent.length = 0
    await watch.page.getByLabel('Ids').fill('')
    await watch.page.getByLabel('Ids').pressSequentially('2:3:98')
    expect(sent).toEqual([])
    await clock.runFor(300)
    await watch.page.getByText('Nobody is 98.').waitFor()
    await clock.resume()
    const variables = sent.map((url) => JSON.parse(new URL(url).searchParams.get('variables') ?? ''))
    expect(variables).toMatchObject([{ guests: ['2', '3', '98'] }])
  })

  test('talks to no other host, and has nothing to complain of', () => {
    expect([...watch.hosts].toSorted()).toEqual(
      [gateway.url, page.origin].map((url) => new URL(url).host).toSorted(),
    )
    expect(watch.complaints).toEqual([])
  })

  test('says so when the gateway is gone', async () => {
    await watch.page.context().setOffline(true)
    await watch.page.getByLabel('Ids').fill('1:2')
    await watch.page.getByText('The gateway does not answer.').waitFor()
  })
})
