// A visit to the explorer in a real browser.

import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Gateway, startGateway } from '../../support/gateway.ts'
import { openBrowser, type Watch, watchedPage } from './browser.ts'

export interface Visit extends Watch {
  readonly request: Locator
  /** A control of the form, by its label. */
  readonly control: (name: string) => Locator
  /** The panel of the answer that is shown. */
  readonly answer: Locator
  /** What the page says of the request as a whole. */
  readonly status: Locator
  /** Presses the button, and waits for what comes of it. */
  readonly lookUp: () => Promise<void>
  /** The page asked no other host, and complained of nothing but the status of refusals. */
  readonly expectNothingElse: () => void
  readonly leave: () => Promise<void>
}

/** A gateway and a browser for all tests of a `describe`. */
export function gatewayAndBrowser(): { readonly gateway: Gateway; readonly browser: Browser } {
  let gateway: Gateway
  let browser: Browser
  beforeAll(async () => {
    gateway = await startGateway()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await gateway.close()
  })
  return {
    get gateway() {
      return gateway
    },
    get browser() {
      return browser
    },
  }
}

/**
 * Opens the explorer, with a request in its address if there is one, and waits until it has looked that up.
 */
export async function visit(browser: Browser, { url }: Gateway, query = '', width = 1280): Promise<Visit> {
  const watch = await watchedPage(browser, width)
  const { page, hosts, complaints } = watch
  const status = page.getByRole('status')
  await page.goto(query === '' ? `${url}/` : `${url}/#${query}`)
  await settled(page)
  return {
    ...watch,
    request: page.getByRole('textbox', { name: 'Request' }),
    control: (name) => page.locator('form').getByLabel(name, { exact: true }),
    answer: page.locator('#came [role=tabpanel]:not([hidden])'),
    status,
    lookUp: async () => {
      await page.getByRole('button', { name: 'Look up' }).click()
      await settled(page)
    },
    expectNothingElse: () => {
      expect([...hosts]).toEqual([new URL(url).host])
      // The browser itself notes the status of a refusal.
      expect(complaints.filter((complaint) => !/status of 4\d\d/.test(complaint))).toEqual([])
    },
    leave: () => page.context().close(),
  }
}

/** Waits until nothing is looked up any more. */
export async function settled(page: Page): Promise<void> {
  await expect.poll(() => page.getByRole('status').textContent(), { timeout: 10_000 }).toMatch(/[^…]$/)
}
