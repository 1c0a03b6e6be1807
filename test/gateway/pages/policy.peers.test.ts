// What a browser is told with every page: to run the scripts it came with, and no others.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { hasProgram } from '../../kit/programs.ts'
import { openBrowser, watchedPage } from './browser.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const paths = ['/', '/graphql'] as const
const open = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${gateway.url}${path}`, { headers: { accept: 'text/html', ...headers } })

/** A policy's directives, each with its sources. */
const directivesOf = ({ headers }: Response) =>
  new Map(
    (headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources]
    }),
  )

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

describe.each(paths)('the headers of the page at %s', (path) => {
  test('name the hash of its script, and nothing else that may run', async () => {
    const response = await open(path)
    const [, script = ''] = /<script>(.*)<\/script>/s.exec(await response.text()) ?? []
    const hash = createHash('sha256').update(script).digest('base64')
    const directives = directivesOf(response)
    expect(directives.get('script-src')).toEqual([`'sha256-${hash}'`])
    for (const name of ['default-src', 'base-uri', 'form-action', 'frame-ancestors'])
      expect(directives.get(name), name).toEqual(["'none'"])
    expect(directives.get('connect-src')).toEqual(["'self'"])
  })

  test('keep it to itself, also where it has not changed', async () => {
    const first = await open(path)
    const again = await open(path, { 'if-none-match': first.headers.get('etag') ?? '' })
    expect([first.status, again.status]).toEqual([200, 304])
    for (const { headers } of [first, again]) {
      expect(Object.fromEntries(headers)).toMatchObject(securityHeaders)
      expect(headers.get('content-security-policy')).toBe(first.headers.get('content-security-policy'))
    }
  })
})

test("the explorer's style is its own, too", async () => {
  expect(directivesOf(await open('/')).get('style-src')).toEqual([expect.stringMatching(/^'sha256-.{44}'$/)])
})

describe.skipIf(!hasProgram('chromium'))('what an attacker smuggles into a page', () => {
  let browser: Browser
  /** Serves the gateway's pages with something more in them, under the policy or without it. */
  let smuggler: Server
  let port: number
  beforeAll(async () => {
    browser = await openBrowser()
    smuggler = createServer(smuggle).listen(0, '127.0.0.1')
    await once(smuggler, 'listening')
    const address = smuggler.address()
    if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
    port = address.port
  })
  afterAll(async () => {
    await browser.close()
    smuggler.close()
  })

  async function smuggle({ url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(url, 'http://any')
    if (pathname === '/script.js') {
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end('ran.push("foreign script")')
      return
    }
    if (pathname === '/frame') {
      response.end(`<iframe src="${gateway.url}/"></iframe>`)
      return
    }
    const answer = await open(pathname)
    const page = await answer.text()
    for (const name of ['content-type', 'content-security-policy', ...Object.keys(securityHeaders)])
      response.setHeader(name, answer.headers.get(name) ?? '')
    if (searchParams.has('without')) response.removeHeader('content-security-policy')
    // Another name for the same machine is another origin.
    const markup = `
      <script>ran.push("inline script")</script>
      <script src="http://localhost:${port}/script.js"></script>
      <script src="data:text/javascript,ran.push('script of data')"></script>
      <img src="/nothing" onerror="ran.push('handler')"><svg onload="ran.push('handler of SVG')"></svg>
      <iframe srcdoc="<script>parent.ran.push('script in a frame')</script>"></iframe>
      <a id="smuggled" href="javascript:ran.push('address')" style="position: fixed; top: 0; z-index: 9999">here</a>`
    response.end(page.replace('<body', (start) => `${markup}${start}`))
  }

  async function visit(page: Page, path: string): Promise<void> {
    await page.addInitScript('globalThis.ran = []')
    await page.goto(`http://127.0.0.1:${port}${path}`)
    await page.evaluate(() => void setTimeout('ran.push("text made into code")'))
    await page.locator('#smuggled').click()
  }

  const ran = (page: Page): Promise<string[]> => page.evaluate('ran')

  test.each(paths)('never runs in the page at %s', async (path) => {
    const { page, complaints } = await watchedPage(browser)
    await visit(page, path)
    // The page itself does.
    await (path === '/'
      ? page.locator('#description').getByText('one or more users').waitFor()
      : page.getByRole('button', { name: /execute/i }).waitFor())
    await expect.poll(() => complaints.length, { timeout: 8000 }).toBeGreaterThanOrEqual(8)
    expect(await ran(page)).toEqual([])
    await page.context().close()
  })

  test.each(paths)('would run in the page at %s, but for the policy', async (path) => {
    const { page } = await watchedPage(browser)
    await visit(page, `${path}?without`)
    await expect
      .poll(async () => (await ran(page)).toSorted(), { timeout: 8000 })
      .toEqual([
        'address',
        'foreign script',
        'handler',
        'handler of SVG',
        'inline script',
        'script in a frame',
        'script of data',
        'text made into code',
      ])
    await page.context().close()
  })

  test("no other site's frame shows a page", async () => {
    const { page, complaints } = await watchedPage(browser)
    await page.goto(`http://127.0.0.1:${port}/frame`)
    await expect
      .poll(() => complaints.join('\n'), { timeout: 8000 })
      .toMatch(/frame-ancestors|X-Frame-Options/i)
    const [, frame] = page.frames()
    expect(await frame?.getByText('Try a legacy request').count()).toBe(0)
    await page.context().close()
  })
})
