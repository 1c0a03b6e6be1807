// The page for operators in a real browser: on a phone, in the dark, without scripts, and for assistive tools.

import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, watchedPage } from '../gateway/pages/browser.ts'
import { type Answering, startAnswering } from '../kit/answering.ts'
import { hasProgram } from '../kit/programs.ts'
import { originOf } from '../kit/serving.ts'
import { startDemonstration } from './demonstration.ts'

const axe = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

describe.skipIf(!hasProgram('chromium'))('the page for operators', () => {
  let browser: Browser
  let old: Answering
  beforeAll(async () => {
    browser = await openBrowser()
    old = await startAnswering((_, response) => void response.end('{"1":{"Id":2}}'))
  })
  afterAll(async () => {
    await browser.close()
    old.close()
  })
  const start = async () => `${originOf((await startDemonstration(old.url)).shown.Operations)}/`

  test('wide, on a phone, and in the dark, axe finds nothing, and nothing is wider than the page', {
    timeout: 180_000,
  }, async () => {
    const url = await start()
    for (const width of [1280, 390])
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page, hosts, complaints } = await watchedPage(browser, width)
        await page.emulateMedia({ colorScheme })
        await page.goto(`${url}?refresh=off`)
        await page.evaluate(axe)
        const { violations } = await page.evaluate<AxeResults>('axe.run()')
        expect(violations, `${width} ${colorScheme}`).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
        expect([...hosts]).toEqual([new URL(url).host])
        expect(complaints).toEqual([])
        await page.context().close()
      }
  })

  test('without scripts, it refreshes itself until it is paused', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(await start())
    const when = () => page.locator('header .faint').first().innerText()
    const first = await when()
    await expect.poll(when).not.toBe(first)
    await page.getByRole('link', { name: 'Pause' }).click()
    await page.getByText('Automatic refresh is off.').waitFor()
    await context.close()
  })
})
