// The policy of each page in a real browser: markup that an attacker adds to a page never runs.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished } from 'vitest'
import { test as base } from './browser.ts'

/** The address of a server of the gateway's pages with markup added, under the policy or without it. */
const test = base.extend('attacked', async ({ gateway }) => {
  const server = createServer(async ({ url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://any')
    if (pathname === '/script.js') {
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end('ran.push("foreign script")')
      return
    }
    if (pathname === '/frame') {
      response.end(`<iframe src="${gateway.url}/"></iframe>`)
      return
    }
    const original = await fetch(`${gateway.url}${pathname}`, { headers: { accept: 'text/html' } })
    for (const [name, value] of original.headers)
      if (/^(?:content-type|content-security-policy|(?:x|cross|referrer|permissions)-.*)$/.test(name))
        response.setHeader(name, value)
    if (searchParams.has('without')) response.removeHeader('content-security-policy')
    // Another name for the same machine is another origin.
    const markup = `
      <script>ran.push("inline script")</script>
      <script src="http://localhost:${port}/script.js"></script>
      <script src="data:text/javascript,ran.push('script of data')"></script>
      <img src="/nothing" onerror="ran.push('handler')"><svg onload="ran.push('handler of SVG')"></svg>
      <iframe srcdoc="<script>parent.ran.push('script in a frame')</script>"></iframe>
      <a id="smuggled" href="javascript:ran.push('address')" style="position: fixed; top: 0; z-index: 9999">here</a>`
    response.end((await original.text()).replace('<body', (start) => `${markup}${start}`))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // a TCP server's address is no string
  return `http://127.0.0.1:${port}`
})

const everyWay = [
  ...['address', 'foreign script', 'handler', 'handler of SVG', 'inline script', 'script in a frame'],
  ...['script of data', 'text made into code'],
]

describe('what an attacker adds', () => {
  test.for([
    ['/', 'never runs', []],
    ['/graphql', 'never runs', []],
    ['/?without', 'would run without the policy', everyWay],
  ] as const)('to the page at %s %s', async ([path, , expected], { attacked, openPage }) => {
    const { page, complaints } = await openPage()
    await page.addInitScript('globalThis.ran = []')
    await page.goto(`${attacked}${path}`)
    await page.evaluate(() => void setTimeout('ran.push("text made into code")'))
    await page.locator('#smuggled').click()
    if (expected.length === 0) {
      // The page itself runs.
      await (path === '/'
        ? page.locator('#description').getByText('one or more users').waitFor()
        : page.getByRole('button', { name: /execute/i }).waitFor())
      await expect.poll(() => complaints.length).toBeGreaterThanOrEqual(everyWay.length)
    }
    const ran = async () => (await page.evaluate<string[]>('ran')).toSorted()
    await expect.poll(ran).toEqual(expected)
  })

  test("no other site's frame shows a page", async ({ attacked, openPage }) => {
    const { page, complaints } = await openPage()
    await page.goto(`${attacked}/frame`)
    await expect.poll(() => complaints.join('\n')).toMatch(/frame-ancestors|X-Frame-Options/i)
    const [, frame] = page.frames()
    expect(await frame?.getByText('Try a legacy request').count()).toBe(0)
  })
})
