// A visit to the explorer in a real browser.

import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { openBrowser, type Watch, watchedPage } from './browser.ts'

export interface Visit extends Watch {
  readonly request: Locator
  /** A control of the form, by its label. */
  readonly control: (name: string) => Locator
  /** The body of the response. */
  readonly body: Locator
  readonly status: Locator
  /** A row of the explanation. */
  readonly row: (name: string) => Locator
  /** Presses the button, and waits for the response. */
  readonly lookUp: () => Promise<void>
  /** Expects that the page asked no other host, and complained of nothing but the status of refusals. */
  readonly expectNothingElse: () => void
}

/** A gateway and a browser for all tests of a file. */
export function gatewayAndBrowser(settings: Readonly<Record<string, string>> = {}): {
  readonly gateway: Gateway
  readonly browser: Browser
} {
  let gateway: Gateway
  let browser: Browser
  beforeAll(async () => {
    gateway = await startGateway(settings)
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

/** Opens the explorer, and waits for the response to the request of its address. */
export async function visit(browser: Browser, url: string, query = '', width = 1280): Promise<Visit> {
  const watch = await watchedPage(browser, width)
  const { page, hosts, complaints } = watch
  await page.goto(query === '' ? `${url}/` : `${url}/#${query}`)
  await settled(page)
  return {
    ...watch,
    request: page.getByRole('textbox', { name: 'Request' }),
    control: (name) => page.locator('form').getByLabel(name, { exact: true }),
    body: page.getByLabel('Response body'),
    status: page.getByRole('status'),
    row: (name) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) }),
    lookUp: async () => {
      await page.getByRole('button', { name: 'Look up' }).click()
      await settled(page)
    },
    expectNothingElse: () => {
      expect([...hosts]).toEqual([new URL(url).host])
      // The browser itself reports the status of a refusal.
      expect(complaints.filter((complaint) => !/status of [45]\d\d/.test(complaint))).toEqual([])
    },
  }
}

/** Waits until no lookup is in flight. */
export async function settled(page: Page): Promise<void> {
  await expect.poll(() => page.getByRole('status').textContent(), { timeout: 15_000 }).toMatch(/[^…]$/)
}
