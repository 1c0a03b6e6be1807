// Visits to the explorer in a real browser.

import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { test as base, type Watch } from './browser.ts'

export interface Visit extends Watch {
  readonly request: Locator
  /** A control of the form, by its label. */
  readonly control: (name: string) => Locator
  /** The body of the response. */
  readonly body: Locator
  readonly status: Locator
  /** A row of the explanation. */
  readonly row: (name: string) => Locator
  /** A text, by its label. */
  readonly textOf: (label: string) => Promise<string | null>
  /** Presses the button, and waits for the response. */
  readonly lookUp: () => Promise<void>
  /** Expects that the page asked no other host, and complained of nothing but the status of refusals. */
  readonly expectNothingElse: () => void
}

interface Where {
  /** Of the address, after `#`. */
  readonly query?: string
  readonly width?: number
  /** Of a gateway other than the shared one. */
  readonly url?: string
}

export const test = base
  /** Opens the explorer, and waits for the response to the request of its address. */
  .extend('visit', ({ gateway, openPage }) => async ({ url = gateway.url, query, width }: Where = {}) => {
    const watch = await openPage(width)
    await watch.page.goto(query === undefined ? `${url}/` : `${url}/#${query}`)
    await settled(watch.page)
    return visitOf(watch, url)
  })
  .extend('at', ({ visit }) => visit())

function visitOf(watch: Watch, url: string): Visit {
  const { page, hosts, complaints } = watch
  return {
    ...watch,
    request: page.getByRole('textbox', { name: 'Request' }),
    control: (name) => page.locator('form').getByLabel(name, { exact: true }),
    body: page.getByLabel('Response body'),
    status: page.getByRole('status'),
    row: (name) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) }),
    textOf: (label) => page.getByLabel(label, { exact: true }).textContent(),
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
