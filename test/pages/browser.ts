// Chromium, and pages in it that are watched.

import { spawnSync } from 'node:child_process'
import { type Browser, chromium, type Page } from 'playwright-core'
import { need } from '../kit/programs.ts'
import { test as base } from '../kit/test.ts'

need('chromium')

/** Starts Chromium, without a sandbox so that it also runs as root, and without calls to the internet. */
function openBrowser(): Promise<Browser> {
  const executablePath = spawnSync('which', ['chromium'], { encoding: 'utf8' }).stdout.trim()
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']
  args.push('--disable-background-networking', '--disable-component-update', '--disable-sync')
  return chromium.launch({ executablePath, args })
}

/** What a page did besides what it should. */
export interface Watch {
  readonly page: Page
  /** Hosts it asked for anything, sockets and workers included. */
  readonly hosts: Set<string>
  /** Errors and warnings on its console, and uncaught ones. */
  readonly complaints: string[]
}

/** Opens an empty page and watches it. */
async function watchedPage(browser: Browser, width = 1280): Promise<Watch> {
  const context = await browser.newContext({ viewport: { width, height: 800 } })
  const page = await context.newPage()
  const hosts = new Set<string>()
  const complaints: string[] = []
  const note = (address: string) => {
    const url = new URL(address)
    // The page's own data is no request.
    if (url.protocol !== 'data:' && url.protocol !== 'blob:') hosts.add(url.host)
  }
  context.on('request', (request) => note(request.url()))
  page.on('websocket', (socket) => note(socket.url()))
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { page, hosts, complaints }
}

/** With a browser for the file, and watched pages that the end of the test closes. */
export const test = base
  .extend('browser', { scope: 'file' }, async ({ shared: _ }, { onCleanup }) => {
    const browser = await openBrowser()
    onCleanup(() => browser.close())
    return browser
  })
  .extend('openPage', ({ browser }, { onCleanup }) => {
    const opened: Page[] = []
    onCleanup(async () => {
      for (const page of opened) await page.context().close()
    })
    return async (width?: number): Promise<Watch> => {
      const watch = await watchedPage(browser, width)
      opened.push(watch.page)
      return watch
    }
  })
