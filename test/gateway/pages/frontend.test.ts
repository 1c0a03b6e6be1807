// The example of a new front end, built from the published schema and run in a real browser, from another
// origin.

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway, temporaryFolder } from '../../support/gateway.ts'
import { installed } from '../../support/install.ts'
import { npmEnvironment } from '../../support/npm.ts'
import { hasProgram } from '../../support/programs.ts'
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

const there = hasProgram('chromium') && installed(folder, 'urql')
describe.skipIf(!there)('the example of a front end', () => {
  const { path, remove } = temporaryFolder()
  let gateway: Gateway
  let browser: Browser
  let page: { server: Server; origin: string }
  let watch: Watch
  beforeAll(async () => {
    gateway = await startGateway()
    const env = { ...npmEnvironment(), VITE_GATEWAY: `${gateway.url}/graphql` }
    const build = (...args: string[]) => promisify(execFile)('npm', args, { cwd: folder, env })
    await build('run', 'build', '--', '--outDir', path, '--emptyOutDir')
    page = await serveFolder(path)
    browser = await openBrowser()
    watch = await watchedPage(browser)
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
    // A browser asks first whether it may: the page is of another origin.
    const about = { event: 'graphql', outcome: 'ok' }
    expect(of('request')).toMatchObject([
      { status: 204, about },
      { status: 200, about },
    ])
    expect(of('store-query')).toMatchObject([
      { lookup: 'users-by-id', questions: 2, values: 4 },
      { lookup: 'apps-by-id', questions: 1, values: 3 },
    ])
  })

  test('asks again for what is typed', async () => {
    await watch.page.getByLabel('Ids').fill('1:x')
    await watch.page.getByText('Nobody is x.').waitFor()
    expect((await items(1).allTextContents())[0]).toBe('Ada of the Hill (Ada)')
  })

  test('talks to nobody else, and has nothing to complain of', () => {
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
