// Reports in a real browser: for assistive tools, on a phone, on paper, and without scripts.

import type { Browser, Page } from 'playwright-core'
import { describe, expect, onTestFinished } from 'vitest'
import { violationsIn } from './axe.ts'
import { test as base } from './browser.ts'
import { makeReports, type ReportName, reportNames } from './reports.ts'

const PHONE = 390
/** The width of A4 between its margins, in CSS pixels. */
const PAPER = 703

const test = base
  .extend('reports', { scope: 'file' }, async ({ shared: _ }, { onCleanup }) => {
    const reports = await makeReports()
    onCleanup(reports.remove)
    return reports
  })
  .extend('open', ({ browser, reports }) => {
    return async (name: ReportName | 'proven', options: Parameters<Browser['newContext']>[0] = {}) => {
      const context = await browser.newContext({ ...options, offline: true })
      onTestFinished(() => context.close())
      const page = await context.newPage()
      await page.goto(reports.fileOf(name))
      return page
    }
  })

const onPhone = { viewport: { width: PHONE, height: 844 } }
const unfold = async (page: Page) => {
  for (const summary of await page.locator('summary').all()) await summary.click()
}

describe('reports', () => {
  test.for(reportNames.flatMap((name) => [[name, 'light', PHONE] as const, [name, 'dark', 1280] as const]))(
    '%s, %s, %i pixels: axe finds nothing',
    async ([name, colorScheme, width], { open }) => {
      const page = await open(name, { colorScheme, viewport: { width, height: 800 } })
      await unfold(page)
      expect(await violationsIn(page)).toEqual([])
    },
  )

  test.for(reportNames)('%s fits a phone: tables alone scroll sideways', async (name, { open }) => {
    const page = await open(name, onPhone)
    await unfold(page)
    expect(await widthOf(page)).toBe(PHONE)
    expect(await wideElements(page)).toEqual([])
    // By the keyboard, too.
    await page.locator('.scroll').first().focus()
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('scroll')
  })

  test.for(reportNames)('%s on paper: no table is cut', async (name, { open }) => {
    const page = await open(name, { viewport: { width: PAPER, height: 1000 } })
    await page.emulateMedia({ media: 'print' })
    expect(await widthOf(page)).toBe(PAPER)
    const rights = await page
      .locator('td, th')
      .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().right))
    expect(Math.max(0, ...rights)).toBeLessThanOrEqual(PAPER + 1)
    expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000)
  })

  test.for(reportNames)('%s needs neither scripts nor any host', async (name, { open, reports }) => {
    const page = await open(name, { ...onPhone, javaScriptEnabled: false })
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await page.reload()
    await unfold(page)
    expect(await page.locator('details:not([open])').count()).toBe(0)
    expect(await page.locator('script, img, link, iframe, a').count()).toBe(0)
    expect(requested).toEqual([reports.fileOf(name)])
  })

  test('a replay marks a difference, one value below the other', async ({ open }) => {
    const page = await open('replay', onPhone)
    const marks = page
      .locator('.cause', { hasText: 'ProfileLookup id XML answer: different name of the XML root' })
      .locator('mark')
    expect(await marks.allInnerTexts()).toEqual(['AcmeAPI', 'ServiceAPI'])
    const [old, fresh] = await Promise.all((await marks.all()).map((mark) => mark.boundingBox()))
    expect(fresh?.x).toBe(old?.x)
    expect(fresh?.y).toBeGreaterThan(old?.y ?? Infinity)
  })

  test.for(['replay', 'probe'] as const)('the bar of a %s has no two parts alike', async (name, { open }) => {
    const page = await open(name)
    const fills = await page
      .locator('.parts > svg > rect, .swatch rect')
      .evaluateAll((parts) => parts.map((one) => [one.getAttribute('class'), getComputedStyle(one).fill]))
    const byClass = new Map(fills.map(([kind, fill]) => [kind, fill]))
    expect(byClass.size).toBeGreaterThanOrEqual(3)
    expect(new Set(byClass.values()).size).toBe(byClass.size)
  })
})

const widthOf = (page: Page) => page.evaluate(() => document.scrollingElement?.scrollWidth)

/** Elements wider than the page that do not scroll by themselves. */
function wideElements(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((one) => one.closest('.scroll > *, svg') === null)
      .filter((one) => one.getBoundingClientRect().right > innerWidth)
      .map((one) => one.outerHTML.slice(0, 100)),
  )
}
