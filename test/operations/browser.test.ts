// The page for operators in a real browser: without scripts, on a phone, in the dark, on paper, and for those
// who do not see it.

import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, watchedPage } from '../gateway/pages/browser.ts'
import { type Answering, startAnswering } from '../kit/answering.ts'
import { hasProgram } from '../kit/programs.ts'
import { originOf } from '../kit/serving.ts'
import { startDemonstration } from './demonstration.ts'

const axe = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

describe.skipIf(!hasProgram('chromium'))('the page for operators', () => {
  let browser: Browser
  let other: Answering
  beforeAll(async () => {
    browser = await openBrowser()
    other = await startAnswering((_, response) => void response.end('{"1":{"Id":2}}'))
  })
  afterAll(async () => {
    await browser.close()
    other.close()
  })
  const start = async () => `${originOf((await startDemonstration(other.url)).shown.Operations)}/`

  test('wide, on a phone, and in the dark, axe finds nothing, and nothing is wider than the page', {
    timeout: 180_000,
  }, async () => {
    const url = await start()
    for (const address of [url, `${url}?refresh=off`])
      for (const width of [1280, 390])
        for (const colorScheme of ['light', 'dark'] as const) {
          const { page, hosts, complaints } = await watchedPage(browser, width)
          await page.emulateMedia({ colorScheme })
          await page.goto(address)
          for (const summary of await page.locator('summary').all()) await summary.click()
          expect(await findings(page), `${address} ${width} ${colorScheme}`).toEqual([])
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
          expect([...hosts]).toEqual([new URL(url).host])
          expect(complaints).toEqual([])
          await page.context().close()
        }
  })

  test('axe would find something', async () => {
    const { page } = await watchedPage(browser)
    await page.goto(`${await start()}?refresh=off`)
    await page.evaluate(`document.documentElement.removeAttribute('lang')`)
    expect((await findings(page)).join()).toContain('html-has-lang')
    await page.context().close()
  })

  test('without scripts, it refreshes itself, and stays where it was scrolled to', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(await start())
    const when = () => page.locator('header .faint').first().innerText()
    const first = await when()
    // At the end: what is above it may grow meanwhile.
    const last = page.getByRole('heading', { name: 'Dialect in force' })
    await last.scrollIntoViewIfNeeded()
    const isInView = async () => ((await last.boundingBox())?.y ?? -1) > 0
    await expect.poll(when).not.toBe(first)
    await expect.poll(isInView).toBe(true)
    expect(await page.evaluate('document.scrollingElement.scrollTop')).toBeGreaterThan(500)
    await page.getByRole('link', { name: 'Pause' }).click()
    await page.getByText('Automatic refresh is off.').waitFor()
    expect(await page.locator('details').count()).toBeGreaterThan(0)
    await context.close()
  })

  test('on paper, all of it is there', async () => {
    const { page } = await watchedPage(browser)
    await page.goto(`${await start()}?refresh=off`)
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => page.getByRole('heading', { name: 'Dialect in force' }).isVisible()).toBe(true)
    expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-')
    await page.context().close()
  })
})
